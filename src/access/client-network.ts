import ipaddr from 'ipaddr.js'

/**
 * What an address is counted as: an IPv4 address (mapped ones too), the /64 of an IPv6 one (a single host commands all
 * of it), or the text as it is when it is neither.
 */
export function clientNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString()
  return `${parsed.parts
    .slice(0, 4)
    .map(part => part.toString(16))
    .join(':')}::/64`
}
