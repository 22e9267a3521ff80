import type { IncomingMessage } from 'node:http'
import type { Addresses } from './addresses.js'

/** How long a sign-in at the identity provider may take, seconds. */
const COMPANY_COOKIE_S = 600

/** Of a state, as much as tells the sign-ins of one browser apart. */
const STATE_IN_NAME = 8

/** What a browser brings along under a name. */
export function cookieOf({ headers }: Pick<IncomingMessage, 'headers'>, name: string): string | undefined {
  return new RegExp(`(?:^|; *)${name}=([\\w-]+)`).exec(headers.cookie ?? '')?.[1]
}

/** A cookie for one of our paths alone, which no script reads and no other site's form brings along. */
export function browserCookie(
  name: string,
  value: string,
  seconds: number,
  { issuer, prefix }: Addresses,
  path: string,
): string {
  return cookie(name, value, seconds, `${prefix}${path}`, isSecure(issuer))
}

/**
 * What binds a sign-in at the identity provider to the browser that began it, for each sign-in by itself: a browser may begin
 * several. Under TLS the prefix makes browsers refuse one that a neighbour of ours wrote, to sign somebody in as themselves.
 */
export class CompanyCookie {
  readonly #name: string
  readonly #path: string
  readonly #isSecure: boolean

  /** @param path to which the provider's answer comes */
  constructor(state: string, { issuer, prefix }: Addresses, path: string) {
    this.#isSecure = isSecure(issuer)
    const end = state.replaceAll(/[^\w-]/g, '').slice(0, STATE_IN_NAME)
    this.#name = `${this.#isSecure ? '__Host-' : ''}earshot_company_${end}`
    this.#path = this.#isSecure ? '/' : `${prefix}${path}`
  }

  /** The header that has a browser keep it. */
  set(secret: string): string {
    return cookie(this.#name, secret, COMPANY_COOKIE_S, this.#path, this.#isSecure)
  }

  /** The header that takes it away. */
  clear(): string {
    return cookie(this.#name, '', 0, this.#path, this.#isSecure)
  }

  /** What a browser brings along of it; empty where it brings nothing. */
  of(request: Pick<IncomingMessage, 'headers'>): string {
    return cookieOf(request, this.#name) ?? ''
  }
}

function isSecure(issuer: string): boolean {
  return issuer.startsWith('https:')
}

function cookie(name: string, value: string, seconds: number, path: string, secure: boolean): string {
  return `${name}=${value}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
}
