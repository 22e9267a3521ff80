import { Resolver } from 'node:dns/promises'
import { isLocalName } from './literal-of.js'

/** Finds the addresses of a host name. Rejects, or gives none, when there are none. */
export type ResolveName = (hostname: string) => Promise<readonly string[]>

/**
 * Asks DNS, and not the system: `getaddrinfo` holds a thread of Node's pool for as long as a name server is silent, and
 * the store's queries need those.
 */
export const resolveName: ResolveName = async hostname => {
  if (isLocalName(hostname)) return ['127.0.0.1', '::1']
  const resolver = new Resolver({ timeout: 3_000, tries: 2 })
  const found = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
  return found.flatMap(result => (result.status === 'fulfilled' ? result.value : []))
}
