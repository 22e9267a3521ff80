import type { Config } from '../config.js'

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

/**
 * Host names requests may be addressed to, without ports: the configured ones, else loopback's and the listener's; and
 * the one of the public address.
 */
export function allowedHosts(config: Pick<Config, 'allowedHosts' | 'publicUrl'>, host: string): readonly string[] {
  const own = host.includes(':') ? `[${host}]` : host
  const known = config.publicUrl === undefined ? [] : [new URL(config.publicUrl).hostname]
  return [...new Set([...(config.allowedHosts ?? [...LOOPBACK, own]), ...known])]
}
