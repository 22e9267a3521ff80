import type { IncomingMessage } from 'node:http'
import type { Addresses } from './addresses.js'

/** What binds a sign-in at the identity provider to the browser that began it. */
export const COMPANY_COOKIE = 'earshot_company'
export const COMPANY_COOKIE_S = 600

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
  const secure = issuer.startsWith('https:') ? '; Secure' : ''
  return `${name}=${value}; Path=${prefix}${path}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`
}
