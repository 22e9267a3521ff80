import ipaddr from 'ipaddr.js'
import { type Address, type AddressRange, addressRange, isInRange } from '../../base/address-range.js'

/** Global unicast (RFC 4291, IANA): everything outside is local, special or not assigned. */
const GLOBAL: AddressRange = [ipaddr.parse('2000::'), 3]

/** Reachable like any public address, and yet a metadata service: Azure's. The others are in special ranges. */
const PUBLIC_METADATA: ReadonlySet<string> = new Set(['168.63.129.16'])

/** Which addresses deliveries may go to. */
export interface AddressRules {
  /** @param address an IP address in any spelling; anything else is not allowed */
  allows(address: string): boolean
}

/**
 * Public addresses, and those of the ranges that the operator names. Public is only what is plain unicast: not this
 * machine, a private or shared network, a link, a group, a reserved block, or an IPv4 address inside an IPv6 one
 * (6to4, NAT64, Teredo), which would lead to whatever that is. IPv4-mapped addresses count as what they map.
 *
 * @param ranges addresses and networks (CIDR), checked by the configuration
 */
export function addressRules(ranges: readonly string[]): AddressRules {
  const allowed = ranges.map(addressRange)
  return {
    allows: text => {
      if (!ipaddr.isValid(text)) return false
      const address = ipaddr.process(text)
      return isPublic(address) || allowed.some(range => isInRange(address, range))
    },
  }
}

/** Whether an address is this machine's own. */
export function isLoopbackAddress(text: string): boolean {
  return ipaddr.isValid(text) && ipaddr.process(text).range() === 'loopback'
}

function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast' || PUBLIC_METADATA.has(address.toString())) return false
  return address.kind() === 'ipv4' || isInRange(address, GLOBAL)
}
