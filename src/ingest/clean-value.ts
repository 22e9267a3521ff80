import { isUnprintable, visibleText } from '../base/text.js'
import type { Fault } from './piece.js'

/** Deepest nesting; only session_metadata, the one open part of a record, can come near it. */
const MOST_DEPTH = 32

/** Longest path told of a place, characters. */
const PATH_LENGTH = 100

/** Fields whose text identifies something: hidden characters there are refused, not removed. */
const IDS: ReadonlySet<string> = new Set(['session_id', 'agent_id', 'agent_name', 'key'])

export interface Cleaned {
  /** How many hidden characters were taken out of free text. */
  removed: number
  fault?: Fault
}

/**
 * Takes hidden characters out of every free text of a record, in place, and refuses what no store could keep: field
 * names that hold them or could reach JavaScript's own prototypes, numbers JSON can't say again, bottomless nesting.
 *
 * @param plain nothing of the text needs cleaning: only the open part is looked at, for depth and numbers
 */
export function cleanValue(record: Record<string, unknown>, plain: boolean): Cleaned {
  const cleaned: Cleaned = { removed: 0 }
  if (!plain) walk(record, '', 0, false, cleaned)
  else if ('session_metadata' in record) walk(record['session_metadata'], 'session_metadata', 1, true, cleaned)
  return cleaned
}

function walk(value: unknown, path: string, depth: number, open: boolean, cleaned: Cleaned): unknown {
  if (typeof value === 'string') {
    const { text, removed } = visibleText(value)
    cleaned.removed += removed
    return text
  }
  if (typeof value === 'number' && open && !isKeepable(value)) {
    cleaned.fault = { path, message: 'is a number too large to be kept exactly: write it as text' }
  }
  if (typeof value !== 'object' || value === null || cleaned.fault !== undefined) return value
  if (depth > MOST_DEPTH) {
    cleaned.fault = { path: path.slice(0, PATH_LENGTH), message: `is nested more than ${MOST_DEPTH} levels deep` }
    return value
  }
  if (Array.isArray(value)) {
    for (const [index, inner] of value.entries()) {
      const kept = walk(inner, `${path}[${index}]`, depth + 1, open, cleaned)
      if (kept !== inner) value[index] = kept
    }
    return value
  }
  walkFields(value as Record<string, unknown>, path, depth, open, cleaned)
  return value
}

function walkFields(fields: Record<string, unknown>, path: string, depth: number, open: boolean, cleaned: Cleaned) {
  for (const [name, inner] of Object.entries(fields)) {
    if (name === '__proto__') {
      cleaned.fault = { path, message: 'holds a field named "__proto__", which is not accepted' }
      return
    }
    if (isUnprintable(name)) {
      cleaned.fault = { path, message: 'holds a field name with a control character or a lone surrogate' }
      return
    }
    if (!open && IDS.has(name)) continue
    const place = path === '' ? name : `${path}.${name}`
    const kept = walk(inner, place, depth + 1, open || place === 'session_metadata', cleaned)
    if (kept !== inner) fields[name] = kept
  }
}

/** Whether the number was read without loss: integers beyond 2^53 lose digits, and 1e400 becomes an infinity. */
function isKeepable(value: number): boolean {
  return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value))
}
