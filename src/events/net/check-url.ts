import { Problem } from '../../base/problem.js'
import { echo } from '../../base/text.js'
import { type AddressRules, isLoopbackAddress } from './address-rules.js'
import { isLocalName, literalOf } from './literal-of.js'
import { metadataAddresses } from './metadata-addresses.js'

const SETTING = 'EARSHOT_WEBHOOK_ALLOWED_RANGES'

/**
 * Refuses, when it is written, an address that nothing would ever be sent to. Of names these are the ones whose address is
 * certain; what any other leads to is checked at every connection and not here: it may be another then.
 * @throws Problem `invalid_input`
 */
export function checkUrl(text: string, rules: AddressRules): void {
  const url = new URL(text)
  const literal = literalOf(url)
  const local = literal === undefined ? isLocalName(url.hostname) : isLoopbackAddress(literal)
  if (url.protocol !== 'https:' && !local) throw fault('must be an https:// address')
  const addresses = literal === undefined ? certainAddresses(url.hostname) : [literal]
  if (addresses !== undefined && !addresses.some(address => rules.allows(address))) {
    throw fault(`must lead to a public address, and ${echo(url.hostname)} is none; ${SETTING} can allow it`)
  }
}

/** Where a name leads whatever a resolver says; undefined when that is for the resolver to say. */
function certainAddresses(hostname: string): readonly string[] | undefined {
  return isLocalName(hostname) ? ['127.0.0.1', '::1'] : metadataAddresses(hostname)
}

function fault(sentence: string): Problem {
  const message = `Field "url" ${sentence}`
  return new Problem('invalid_input', message, { details: [{ path: 'url', message }] })
}
