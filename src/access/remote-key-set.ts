import { createRemoteJWKSet, customFetch, type RemoteJWKSet } from 'jose'
import { readBounded } from '../base/read-bounded.js'

const TIMEOUT_MS = 5_000
/** No request fetches the key set again within this time, whatever the last attempt came to. */
const REFETCH_MS = 60_000
/** Largest key set that is read: a real one has a few kilobytes. */
const MOST_BYTES = 256 * 1024

/**
 * The public keys of an identity provider. Fetched when first needed and when a token names a key it lacks, at most
 * once a minute (jose's own cool-down counts successful fetches only), 5 s each, redirects not followed.
 *
 * @throws Error when the URL is neither https nor http on loopback
 */
export function remoteKeySet(url: URL): RemoteJWKSet {
  if (!isSafe(url)) throw new Error('A key set must be fetched by https (http only on loopback)')
  let nextFetch = -Infinity
  return createRemoteJWKSet(url, {
    timeoutDuration: TIMEOUT_MS,
    cooldownDuration: REFETCH_MS,
    [customFetch]: async (address, options) => {
      const now = performance.now()
      if (now < nextFetch) throw new Error('The key set was fetched less than a minute ago')
      nextFetch = now + REFETCH_MS
      return await bounded(await fetch(address, options))
    },
  })
}

function isSafe(url: URL): boolean {
  if (url.protocol === 'https:') return true
  return url.protocol === 'http:' && /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(url.hostname)
}

/** The same response, its body cut off with an error once it is too large to be a key set. */
async function bounded(response: Response): Promise<Response> {
  if (response.status !== 200 || response.body === null) return response
  const body = await readBounded(response.body, MOST_BYTES, () => new Error('The key set is too large'))
  return new Response(body, { status: 200 })
}
