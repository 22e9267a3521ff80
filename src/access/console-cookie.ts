import { Problem } from '../base/problem.js'
import { CONSOLE_SESSION_MS } from './console-sessions.js'

type Headers = Readonly<Partial<Record<string, readonly string[]>>>

/** A request as node:http has it. */
interface Shown {
  readonly headersDistinct: Headers
}

/**
 * Set by the console on everything it sends, to the scheme of its page. Another origin's page can't: browsers ask first
 * whether it may send such a header, and it is on no list. It says which of the two cookies counts, too.
 */
export const CONSOLE_HEADER = 'x-earshot-console'

/**
 * The cookie's name by the scheme of the page. Under TLS the prefix makes browsers refuse one that a neighbour of ours, or
 * whoever sits on the line, wrote; so that only that name may count there.
 */
const NAMES = { 'https:': '__Host-earshot_session', 'http:': 'earshot_session' } as const

type Scheme = keyof typeof NAMES

const TOKEN = /^[\w-]{43}$/

/** The token of a session that a request of the console shows; undefined where it is no such request, or shows none. */
export function consoleSessionOf(request: Shown): string | undefined {
  const scheme = schemeOf(request)
  if (request.headersDistinct['authorization'] !== undefined) return undefined
  if (scheme === undefined ? !isPlaying(request) : !isSameOrigin(request, scheme)) return undefined
  const names: readonly string[] = scheme === undefined ? Object.values(NAMES) : [NAMES[scheme]]
  const cookies = (request.headersDistinct['cookie'] ?? []).flatMap(line => line.split(';'))
  const shown = cookies.flatMap(cookie => {
    const [name = '', value = ''] = cookie.trim().split('=', 2)
    return names.includes(name) ? [value] : []
  })
  // Of several, somebody else's may be the first.
  const [token] = shown
  return shown.length === 1 && token !== undefined && TOKEN.test(token) ? token : undefined
}

/**
 * Refuses what the console's own page did not send.
 * @returns the scheme of that page
 * @throws Problem `forbidden`
 */
export function refuseForeignPage(request: Shown): Scheme {
  const scheme = schemeOf(request)
  if (scheme === undefined || !isSameOrigin(request, scheme)) {
    throw new Problem(
      'forbidden',
      'Only the console’s own page may ask for this; programs send their key with each request',
    )
  }
  return scheme
}

/** The header that gives a browser its session, or takes it away. */
export function consoleCookie(scheme: Scheme, token: string | undefined): string {
  const lasts = token === undefined ? 0 : CONSOLE_SESSION_MS / 1000
  const secure = scheme === 'https:' ? '; Secure' : ''
  return `${NAMES[scheme]}=${token ?? ''}; Path=/; Max-Age=${lasts}; HttpOnly; SameSite=Strict${secure}`
}

function schemeOf(request: Shown): Scheme | undefined {
  const said = sole(request, CONSOLE_HEADER)
  return said === 'https:' || said === 'http:' ? said : undefined
}

/**
 * Whether a request comes from a page of the address it is sent to. SameSite alone tells no ports apart: another program's
 * page on this machine is of the same site. Browsers say so themselves where the address can be trusted; elsewhere there
 * is the Origin, of all but plain reading.
 */
function isSameOrigin(request: Shown, scheme: Scheme): boolean {
  if (request.headersDistinct['sec-fetch-site'] !== undefined) return sole(request, 'sec-fetch-site') === 'same-origin'
  if (request.headersDistinct['origin'] === undefined) return true
  const own = `${scheme}//${sole(request, 'host') ?? ''}`
  return URL.canParse(own) && new URL(own).origin === sole(request, 'origin')
}

/**
 * Whether a page of this very origin plays something: no page can send the header then. The browser says both, which no page
 * can write; one that does not say it plays nothing. A cookie that a neighbour planted would play what is the neighbour's own.
 */
function isPlaying(request: Shown): boolean {
  return sole(request, 'sec-fetch-site') === 'same-origin' && sole(request, 'sec-fetch-dest') === 'audio'
}

function sole({ headersDistinct }: Shown, name: string): string | undefined {
  const values = headersDistinct[name] ?? []
  return values.length === 1 ? values[0] : undefined
}
