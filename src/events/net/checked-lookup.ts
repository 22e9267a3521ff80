import type { LookupFunction } from 'node:net'
import { type AddressRules, isLoopbackAddress } from './address-rules.js'
import { DeliveryFailure } from './delivery-failure.js'
import { isLocalName } from './literal-of.js'
import type { ResolveName } from './resolve-name.js'

interface Checks {
  readonly resolve: ResolveName
  readonly rules: AddressRules
  /** Plain http goes to this machine only. */
  readonly loopbackOnly: boolean
}

/**
 * How a connection finds its address: the name is resolved once, every address is checked, and the connection is made
 * to those that were checked. A name with one address that is not allowed leads nowhere.
 */
export function checkedLookup({ resolve, rules, loopbackOnly }: Checks): LookupFunction {
  const isAllowed = (address: string) => rules.allows(address) && (!loopbackOnly || isLoopbackAddress(address))
  const find = async (hostname: string): Promise<readonly string[]> => {
    const found = await resolve(hostname)
    // The two addresses of a local name are the same machine's: the one that is allowed will do.
    const addresses = isLocalName(hostname) ? found.filter(isAllowed) : found
    if (found.length === 0) throw new DeliveryFailure('name_not_found')
    if (addresses.length === 0 || !addresses.every(isAllowed)) throw new DeliveryFailure('address_not_allowed')
    return addresses
  }
  const answer = async (hostname: string, all: boolean, callback: Parameters<LookupFunction>[2]): Promise<void> => {
    let addresses: readonly string[]
    try {
      addresses = await find(hostname)
    } catch (error) {
      callback(error instanceof DeliveryFailure ? error : new DeliveryFailure('name_not_found'), '')
      return
    }
    const found = addresses.map(address => ({ address, family: address.includes(':') ? 6 : 4 }))
    const [first] = found
    if (all) callback(null, found)
    else callback(null, first?.address ?? '', first?.family)
  }
  return (hostname, options, callback) => void answer(hostname, options.all === true, callback)
}
