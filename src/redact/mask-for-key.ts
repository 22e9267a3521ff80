import { isObject } from '../base/is-object.js'
import { customerNames, Identity } from './identity.js'
import { type MaskContext, maskedSlice, maskText } from './mask-text.js'
import { phoneRegionOf } from './phone-region.js'
import { redactRecord } from './redact-record.js'

/** Fields of one's own that say who a customer is by their name, such as `first_name` or `customerName`. */
const NAMES_SOMEBODY =
  /^(?:(?:customer|client|patient|caller|member|cardholder|accountholder|contact)(?:display|full|first|last|sur)?name|(?:first|last|full|family|given|sur|maiden|display)name|nachname|vorname|nombre|apellidos?)$/

/**
 * Makes of a call's record, in place, what a key sees whose texts are masked: what masking finds in each of its texts, the name of
 * the customer whatever it is, and the names of one's own fields, which may be made of anything.
 */
export function maskForKey(record: Record<string, unknown>): void {
  const identity = new Identity(customerNames(record))
  redactRecord(record)
  // In a recording nothing is masked: such a key may not hear it, nor learn its name.
  delete record['recording_url']
  if (typeof record['customer_display_name'] === 'string') record['customer_display_name'] = '[name]'
  const metadata = record['session_metadata']
  if (!isObject(metadata)) return
  record['session_metadata'] = maskedFields(metadata, { region: phoneRegionOf(record['language_primary']) }, identity)
}

function maskedFields(fields: Record<string, unknown>, context: MaskContext, identity: Identity): object {
  const entries = Object.entries(fields).map(([name, value]) => {
    return [maskText(name, context).text, maskedValue(name, value, context, identity)]
  })
  return Object.fromEntries(entries) as object
}

function maskedValue(name: string, value: unknown, context: MaskContext, identity: Identity): unknown {
  const isName = NAMES_SOMEBODY.test(name.toLowerCase().replaceAll(/[^\p{L}]/gu, ''))
  if (isName && (typeof value === 'string' || Array.isArray(value))) return '[name]'
  if (typeof value === 'string') return maskedSlice(value, identity.again(value), 0, value.length)
  if (Array.isArray(value)) return value.map((item: unknown) => maskedValue(name, item, context, identity))
  return isObject(value) ? maskedFields(value, context, identity) : value
}
