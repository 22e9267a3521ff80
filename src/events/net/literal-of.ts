import ipaddr from 'ipaddr.js'

/**
 * The address that a URL's host is, when it is one and no name. The URL parser has brought every spelling of IPv4
 * (2130706433, 0x7f.1, 0177.0.0.1) into its usual one.
 */
export function literalOf({ hostname }: URL): string | undefined {
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
  return ipaddr.isValid(bare) ? bare : undefined
}

/** A name that is this machine by definition (RFC 6761), whatever a resolver says. */
export function isLocalName(hostname: string): boolean {
  return /(^|\.)localhost\.?$/.test(hostname)
}
