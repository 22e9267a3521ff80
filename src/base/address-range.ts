import ipaddr from 'ipaddr.js'

export type Address = ipaddr.IPv4 | ipaddr.IPv6

/** A network, and how many bits of it count. */
export type AddressRange = readonly [Address, number]

/** Reads an address or a network (CIDR); one of IPv4-mapped addresses as what they map. @throws Error for another text */
export function addressRange(text: string): AddressRange {
  const [network, bits] = text.includes('/') ? ipaddr.parseCIDR(text) : single(ipaddr.parse(text))
  if (network instanceof ipaddr.IPv6 && network.isIPv4MappedAddress() && bits >= 96) {
    return [network.toIPv4Address(), bits - 96]
  }
  return [network, bits]
}

/** @param address as ipaddr.process gives it, where IPv4-mapped addresses are what they map */
export function isInRange(address: Address, [network, bits]: AddressRange): boolean {
  return address.kind() === network.kind() && address.match(network, bits)
}

/** Whether all addresses of a network are in another. */
export function isWithin([network, bits]: AddressRange, range: AddressRange): boolean {
  return bits >= range[1] && isInRange(network, range)
}

function single(address: Address): [Address, number] {
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}
