import ipaddr from 'ipaddr.js'
import { addressRange, isInRange } from '../base/address-range.js'

/** The part of a request that tells where it came from, as node:http has it. */
interface Arrived {
  readonly socket: { readonly remoteAddress?: string | undefined }
  readonly headersDistinct: Readonly<Partial<Record<string, readonly string[]>>>
}

/** Whether an address is one of the proxies that the operator trusts. */
export type IsTrusted = (address: string) => boolean

/** @param ranges addresses and networks (CIDR), checked by the configuration */
export function trustedProxies(ranges: readonly string[]): IsTrusted {
  const trusted = ranges.map(addressRange)
  return address => {
    if (!ipaddr.isValid(address)) return false
    const parsed = ipaddr.process(address)
    return trusted.some(range => isInRange(parsed, range))
  }
}

/**
 * Where a request came from: the sender of its connection, unless that is a trusted proxy. Then X-Forwarded-For is read
 * from its end, the part the proxy itself wrote, to the first address that is none of the trusted ones; what stands
 * before that anyone may have written.
 */
export function clientAddress(request: Arrived, isTrusted: IsTrusted): string {
  let address = request.socket.remoteAddress ?? ''
  const forwarded = (request.headersDistinct['x-forwarded-for'] ?? []).flatMap(value => value.split(','))
  for (const hop of forwarded.toReversed()) {
    if (!isTrusted(address)) return address
    // A proxy that writes no address says nothing; the last one that is known stands for it.
    const said = withoutPort(hop.trim())
    if (!ipaddr.isValid(said)) return address
    address = said
  }
  return address
}

/** Some proxies write the port beside the address, and brackets around one of IPv6: else everybody behind them would be the proxy. */
function withoutPort(hop: string): string {
  const [, inBrackets, plain] = /^(?:\[([^\]]*)\]|([^:]*))(?::\d{1,5})?$/.exec(hop) ?? []
  return inBrackets ?? plain ?? hop
}
