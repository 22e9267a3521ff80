import { isObject } from '../base/is-object.js'
import { normalName } from '../base/text.js'

/** Fields by which records are compared and grouped. Ids keep hidden characters, for the check to refuse them. */
const IDS = ['session_id', 'agent_id', 'agent_name']
const NAMES = ['title', 'interaction_driver', 'language_primary', 'customer_display_name']
const METADATA_NAMES = ['company_name', 'location', 'store_id', 'customer_display_name']
const KEYED_LISTS = ['scores', 'dimensions', 'signals', 'guidance', 'conditions']

type Fields = Record<string, unknown>

function name(fields: Fields, field: string): void {
  const text = fields[field]
  if (typeof text !== 'string') return
  const normal = normalName(text)
  if (normal !== text) fields[field] = normal
}

/**
 * Trims and NFC-composes names, ids and keys, in place, so that they compare exactly everywhere. Hidden characters of
 * names that are not ids were taken out before.
 */
export function normaliseNames(record: Fields): void {
  for (const field of IDS) name(record, field)
  for (const field of NAMES) name(record, field)
  const metadata = record['session_metadata']
  if (isObject(metadata)) for (const field of METADATA_NAMES) name(metadata, field)
  for (const list of KEYED_LISTS) {
    const entries = record[list]
    if (!Array.isArray(entries)) continue
    for (const entry of entries) {
      if (!isObject(entry)) continue
      name(entry, 'key')
      if (list === 'dimensions') name(entry, 'value')
    }
  }
}
