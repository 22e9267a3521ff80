import type { z } from 'zod'
import { fixedColumns } from '../../operations/table.js'
import { type Access, isTagged, namesProject, type Operation } from '../../operations/operation.js'
import { errorResponses } from './error-responses.js'
import { jsonSchema, type JsonSchema } from './json-schema.js'

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
}

const SECURITY: Readonly<Record<Access, readonly object[]>> = {
  open: [],
  metrics: [],
  project_admin: [{ adminToken: [] }],
  super_admin: [{ adminToken: [] }],
  caller: [{ applicationKey: [] }, { adminToken: [] }],
  overseer: [{ applicationKey: [] }, { adminToken: [] }],
  administrator: [{ adminToken: [] }],
}

const PROJECT_HEADER = {
  name: 'X-Project-Id',
  in: 'header',
  required: false,
  description: 'The project a SuperAdmin asks about',
  schema: { type: 'string' },
}

/** What stands for a variable of a path in examples. */
export const PATH_EXAMPLES: Readonly<Record<string, string>> = {
  project_id: 'demo',
  interaction_id: 'call-1',
  session_id: 'call-1',
  agent_id: 'ana-silva',
  feedback_id: 'fb_5b2d',
  key_id: 'key_8cf3cda20884e56e3c7ac280',
  webhook_id: 'wh_3f1c',
  delivery_id: 'evt_77aa',
  alert_id: 'al_91d0',
  task_id: 'task_6c2e',
  kb_id: 'kb_2f6c1b9d0e57',
  table: 'calls',
  mapping_id: 'dialer',
}

const PATH_VARIABLE = /:(\w+)/g

/** A path with its variables as OpenAPI writes them. */
export const templated = (url: string) => url.replace(PATH_VARIABLE, '{$1}')

function parametersOf({ url, query, access, example }: Operation): readonly object[] {
  const inPath = [...url.matchAll(PATH_VARIABLE)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
    example: PATH_EXAMPLES[name] ?? '…',
  }))
  const { properties = {}, required = [] }: ObjectSchema = query === undefined ? {} : jsonSchema(query, 'input')
  const asked: Readonly<Record<string, unknown>> = { ...example?.query }
  const inQuery = Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...(description === undefined ? {} : { description }),
    schema,
    ...(Object.hasOwn(asked, name) && { example: asked[name] }),
  }))
  const header = namesProject(access) ? [PROJECT_HEADER] : []
  return [...inPath, ...inQuery, ...header]
}

/** Lines hold one record each, which JSON Schema can't say. */
function uploadContent(types: readonly string[], uploaded: z.ZodType | undefined): object {
  if (uploaded === undefined) {
    return Object.fromEntries(
      types.map(type => [type, { schema: type === 'application/json' ? {} : { type: 'string' } }]),
    )
  }
  const record = jsonSchema(uploaded, 'input')
  const asJson = { schema: { anyOf: [record, { type: 'array', items: record }] } }
  const asLines = { schema: { type: 'string', description: 'One call record a line' } }
  return Object.fromEntries(types.map(type => [type, type === 'application/json' ? asJson : asLines]))
}

function requestBodyOf({ body, uploads, uploaded, example }: Operation): object {
  if (uploads !== undefined) return { requestBody: { required: true, content: uploadContent(uploads, uploaded) } }
  if (body === undefined) return {}
  const schema = jsonSchema(body, 'input')
  return {
    requestBody: {
      required: true,
      content: { 'application/json': { schema, ...(example?.body !== undefined && { example: example.body }) } },
    },
  }
}

/** Lines hold one record each, which JSON Schema can't say. */
function contentOf(route: Operation): object {
  const { answer, lines, file, table } = route
  if (file !== undefined) {
    const schema = { type: 'string', format: 'binary' }
    return {
      content: Object.fromEntries(file.map((type): [string, object] => [type.split(';', 1)[0] ?? '', { schema }])),
    }
  }
  if (lines !== undefined) {
    return { content: { 'application/x-ndjson': { schema: { type: 'string', description: 'One record a line' } } } }
  }
  if (answer === undefined) return {}
  const json = { 'application/json': { schema: jsonSchema(answer, 'output') } }
  return { content: table === undefined ? json : { ...json, 'text/csv': { schema: csvSchema(route) } } }
}

function csvSchema(route: Operation): object {
  const columns = fixedColumns(route)
  const named = columns === undefined ? 'as they come up in the rows' : columns.map(name => `\`${name}\``).join(', ')
  return { type: 'string', description: `Columns: ${named}. Text that begins like a formula has an apostrophe ahead` }
}

/** "List interactions" as a name for generated clients: listInteractions. */
function operationId(summary: string): string {
  const [first = '', ...rest] = summary.toLowerCase().split(/\W+/)
  return first + rest.map(word => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}

function tagOf(url: string): string {
  if (/\/(?:mcp-keys|people)/.test(url)) return 'keys'
  if (url.includes('/teams')) return 'teams'
  return /^\/api\/v1\/(\w+)/.exec(url)?.[1] ?? 'health'
}

/** What OpenAPI says about one route. */
export function describeOperation(route: Operation): object {
  const { summary = '', description, access, status = 200, url } = route
  return {
    operationId: operationId(summary),
    summary,
    ...(description === undefined ? {} : { description }),
    tags: [tagOf(url)],
    security: SECURITY[access],
    parameters: parametersOf(route),
    ...requestBodyOf(route),
    responses: {
      [status]: { description: status === 204 ? 'Done' : 'The answer', ...contentOf(route) },
      ...(route.file === undefined
        ? {}
        : { 206: { description: 'The range that was asked for', ...contentOf(route) } }),
      ...(route.file === undefined ? {} : { 416: { description: 'No byte of the range is there' } }),
      ...(isTagged(route) ? { 304: { description: 'Unchanged since the ETag in If-None-Match' } } : {}),
      ...errorResponses(route),
    },
  }
}
