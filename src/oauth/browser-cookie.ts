import type { IncomingMessage } from 'node:http'
import { sameSecret } from '../base/same-secret.js'
import { type Addresses, OAUTH_ROOT } from './addresses.js'

/** How long a sign-in may take, seconds. */
const SIGN_IN_COOKIE_S = 600

/** Of a state, or a sign-in's id, as much as tells the sign-ins of one browser apart. */
const SIGN_IN_IN_NAME = 8

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
 * What binds a sign-in to the browser that it is of, for each sign-in by itself: a browser may begin several. Under TLS the prefix
 * makes browsers refuse one that a neighbour of ours wrote, to sign somebody in as themselves.
 */
export class SignInCookie {
  readonly #name: string
  readonly #path: string
  readonly #isSecure: boolean

  /**
   * @param step company: on the way to the identity provider and back; shown: from the key that was shown to the client's answer
   * @param signIn the state, or the id of the sign-in
   * @param path to which it comes back
   */
  constructor(step: 'company' | 'shown', signIn: string, { issuer, prefix }: Addresses, path: string) {
    this.#isSecure = isSecure(issuer)
    const end = signIn.replaceAll(/[^\w-]/g, '').slice(0, SIGN_IN_IN_NAME)
    this.#name = `${this.#isSecure ? '__Host-' : ''}earshot_${step}_${end}`
    this.#path = this.#isSecure ? '/' : `${prefix}${path}`
  }

  /** The header that has a browser keep it. */
  set(secret: string): string {
    return cookie(this.#name, secret, SIGN_IN_COOKIE_S, this.#path, this.#isSecure)
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

/** What only the browser has that showed a key in a sign-in. */
export function shownCookie(signIn: string, at: Addresses): SignInCookie {
  return new SignInCookie('shown', signIn, at, OAUTH_ROOT)
}

/** Whether a request is of the browser that showed a key. @param secret what that one was given */
export function isOfBrowser(
  secret: string,
  signIn: string,
  request: Pick<IncomingMessage, 'headers'>,
  at: Addresses,
): boolean {
  return sameSecret(shownCookie(signIn, at).of(request), secret)
}

function isSecure(issuer: string): boolean {
  return issuer.startsWith('https:')
}

function cookie(name: string, value: string, seconds: number, path: string, secure: boolean): string {
  return `${name}=${value}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
}
