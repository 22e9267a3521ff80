import { createHash } from 'node:crypto'
import type { Operation } from '../../operations/operation.js'
import { jsonSchema } from './json-schema.js'
import { Html, markup } from './markup.js'
import { PATH_EXAMPLES, templated } from './describe-operation.js'

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
section { border-top: 1px solid #8884; padding: .5rem 0 }
h2 { font-size: 1.1rem } h2 code { font-size: 1rem }
table { border-collapse: collapse; width: 100% } td, th { text-align: left; vertical-align: top; padding: .2rem .8rem .2rem 0 }
pre { overflow: auto; max-height: 30rem; padding: .5rem; background: #8881; font-size: .85rem }
`

const ACCESS: Readonly<Record<Operation['access'], string>> = {
  open: 'Open to anyone.',
  metrics: 'This machine, or the token of the metrics.',
  project_admin: 'Admin token of the project.',
  super_admin: 'Admin token with role SuperAdmin.',
  caller: 'Application key, or admin token.',
  overseer: 'Application key with role Admin and the full project, or admin token.',
  administrator: 'Admin token.',
}

/** The page needs nothing but its own style: no script, no font, no other host. */
export const DOCS_POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

interface Described {
  readonly properties?: Readonly<Record<string, { readonly description?: string }>>
}

function parameters({ query }: Operation): Html {
  const { properties = {} }: Described = query === undefined ? {} : jsonSchema(query, 'input')
  const rows = Object.entries(properties).map(([name, { description = '', ...schema }]) => {
    const type = JSON.stringify(schema)
    return markup`<tr><td><code>${name}</code></td><td>${description}</td><td><code>${type}</code></td></tr>`
  })
  return rows.length === 0 ? markup`` : markup`<table><tr><th>Parameter</th><th></th><th></th></tr>${rows}</table>`
}

function schema(title: string, written: object | undefined): Html {
  if (written === undefined) return markup``
  return markup`<details><summary>${title}</summary><pre>${JSON.stringify(written, undefined, 2)}</pre></details>`
}

/** Text in which `code` is marked, as the descriptions mark it. */
function prose(text: string): Html {
  const parts = text.split('`').map((part, i) => (i % 2 === 1 ? markup`<code>${part}</code>` : markup`${part}`))
  return markup`${parts}`
}

/** A request as it is typed. */
function typed({ method, url, access, example, uploads }: Operation): Html {
  const path = url.replaceAll(/:(\w+)/g, (_, name: string) => PATH_EXAMPLES[name] ?? '…')
  const query = new URLSearchParams(
    Object.entries({ ...example?.query }).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString()
  const parts = [
    `curl -sS${method === 'GET' ? '' : ` -X ${method}`} "$API${path}${query === '' ? '' : `?${query}`}"`,
    ...(access === 'open' ? [] : ['-H "Authorization: Bearer $KEY"']),
    ...(uploads === undefined ? [] : [`-H 'Content-Type: ${uploads[0]}' --data-binary @file`]),
    ...(example?.body === undefined
      ? []
      : [`-H 'Content-Type: application/json' -d '${JSON.stringify(example.body)}'`]),
  ]
  return markup`<pre>${parts.join(' \\\n  ')}</pre>`
}

function section(route: Operation): Html {
  const { method, url, summary = '', description = '', access, body, answer, status = 200 } = route
  return markup`<section><h2><code>${method} ${templated(url)}</code> ${summary}</h2>
<p>${prose(description)} <em>${ACCESS[access]}</em></p>
${typed(route)}
${parameters(route)}
${schema('Body', body && jsonSchema(body, 'input'))}
${schema(`Answer ${status}`, answer && jsonSchema(answer, 'output'))}</section>
`
}

/** The API for people, made from the same schemas as the OpenAPI document. */
export function docsPage(routes: readonly Operation[]): string {
  const page = markup`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Earshot API</title><style>${new Html(STYLE)}</style></head>
<body><h1>Earshot API</h1>
<p>For programs: <a href="openapi.json">openapi.json</a> (OpenAPI 3.1).
Send <code>Authorization: Bearer …</code> with every request.</p>
${routes.map(section)}</body></html>
`
  return page.text
}
