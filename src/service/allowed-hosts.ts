import type { Config } from '../config.js'

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

/** Host names requests may be addressed to, without ports: the configured ones, else loopback's and the listener's. */
export function allowedHosts(config: Config, host: string): readonly string[] {
  const own = host.includes(':') ? `[${host}]` : host
  return config.allowedHosts ?? [...new Set([...LOOPBACK, own])]
}
