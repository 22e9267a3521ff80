import { z } from 'zod'
import { printable } from '../base/printable.js'
import { normalName } from '../base/text.js'

/** What a program's own scheme may not be: what runs in a browser or is the browser's or the system's own, or reads the machine it is on. */
const FOREIGN_SCHEMES = new Set([
  'javascript:',
  'data:',
  'vbscript:',
  'file:',
  'blob:',
  'about:',
  'ftp:',
  'ws:',
  'wss:',
  'filesystem:',
  'view-source:',
  'chrome:',
  'chrome-extension:',
  'edge:',
  'moz-extension:',
  'ms-browser-extension:',
  'ms-settings:',
  'intent:',
])
/** Of all together: a client's id holds them, and stands in addresses. */
const MOST_REDIRECT_BYTES = 2_000

const LONGEST_NAME = 200

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Whether an address of this scheme leads to no program and no site. @param protocol with its colon, as URL has it */
export function isForeignScheme(protocol: string): boolean {
  return FOREIGN_SCHEMES.has(protocol)
}

/** https anywhere, http on the person's own machine only, or a program's own scheme (RFC 8252, 7). */
function isRedirect(text: string): boolean {
  // A reader of addresses leaves out what others may not: https:a and a line break within are an address to it.
  if (!URL.canParse(text) || /[\s\p{Cc}]/u.test(text)) return false
  const { protocol, hostname, username, password, hash } = new URL(text)
  if (username !== '' || password !== '' || hash !== '') return false
  const hasSlashes = text.toLowerCase().startsWith(`${protocol}//`)
  if (protocol === 'https:') return hasSlashes
  if (protocol === 'http:') return hasSlashes && LOOPBACK.has(hostname)
  // Of a scheme that is a domain's, backwards, the path may follow at once.
  const isOwn = hasSlashes || (protocol.includes('.') && text.startsWith(`${protocol}/`))
  return isOwn && !isForeignScheme(protocol)
}

/** A name cut where it is too long, which is not within a character; undefined where none is said. */
function shortName(name: unknown): unknown {
  if (typeof name !== 'string') return name ?? undefined
  const short = normalName(name).slice(0, LONGEST_NAME)
  return short === '' ? undefined : short.replace(/[\uD800-\uDBFF]$/, '')
}

/**
 * What of a client's registration counts; the rest is left out and what it says otherwise than we have it replaced, as RFC 7591
 * allows: a client is told what it got. Nothing that makes us fetch an address is among it.
 */
const registration = z.object({
  redirect_uris: z
    .array(
      z.string().max(2_048).refine(isRedirect, {
        message:
          'redirect_uris must be https, or http on localhost, 127.0.0.1 or [::1], or a program’s own scheme such as cursor://',
      }),
    )
    .min(1)
    .max(20)
    .refine(
      uris => Buffer.byteLength(JSON.stringify(uris)) <= MOST_REDIRECT_BYTES,
      `hold more than ${MOST_REDIRECT_BYTES} bytes in all: name those alone at which this program takes answers`,
    ),
  client_name: z.preprocess(shortName, printable(LONGEST_NAME).optional()),
  application_type: z.enum(['native', 'web']).optional().catch(undefined),
  grant_types: z.array(z.string()).nullish(),
})

/** A registration, or what is wrong with it, in the words of RFC 7591. */
type ReadRegistration =
  | { readonly metadata: Readonly<Record<string, unknown>> }
  | { readonly error: 'invalid_redirect_uri' | 'invalid_client_metadata'; readonly error_description: string }

export function readRegistration(body: unknown): ReadRegistration {
  const read = registration.safeParse(body)
  if (!read.success) {
    const [{ path, message } = { path: [], message: 'is not a registration' }] = read.error.issues
    const isRedirectFault = path[0] === 'redirect_uris'
    return {
      error: isRedirectFault ? 'invalid_redirect_uri' : 'invalid_client_metadata',
      error_description: path.length === 0 ? message : `${path.join('.')}: ${message}`,
    }
  }
  const { redirect_uris: uris, application_type: type, grant_types: grants, ...said } = read.data
  const onLoopback = uris.some(uri => new URL(uri).protocol !== 'https:')
  return {
    metadata: {
      ...said,
      redirect_uris: uris,
      // A program that says it is a web site and yet listens on the person's machine would be held to one port.
      application_type: onLoopback ? 'native' : (type ?? 'native'),
      grant_types: grants?.includes('refresh_token') === false ? ['authorization_code'] : GRANTS,
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      // A client that asked for a secret gets none: PKCE is what ties a code to it.
    },
  }
}

const GRANTS = ['authorization_code', 'refresh_token']
