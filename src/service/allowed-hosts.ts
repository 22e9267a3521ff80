import type { Config } from '../config.js'

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

/**
 * Host names requests may be addressed to, without ports: the configured ones, else loopback's and the listener's; and
 * those of the public addresses.
 */
export function allowedHosts(
  config: Pick<Config, 'allowedHosts' | 'publicUrl' | 'publicApiUrl'>,
  host: string,
): readonly string[] {
  const own = host.includes(':') ? `[${host}]` : host
  const known = [config.publicUrl, config.publicApiUrl].flatMap(url =>
    url === undefined ? [] : [new URL(url).hostname],
  )
  return [...new Set([...(config.allowedHosts ?? [...LOOPBACK, own]), ...known])]
}
