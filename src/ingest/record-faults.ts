import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { z } from 'zod'
import { callRecord, type CallRecord, recordingPlace } from '../calls/call-record.js'
import { faultsOf } from './faults-of.js'
import type { Fault } from './piece.js'

let compiled: ValidateFunction<CallRecord> | undefined

/**
 * The record's schema once more, compiled: it says yes eight times as fast as zod, which decides everything else and
 * finds the words for what is wrong. Compiled with the first record: that takes a fifth of the time of a command that has none.
 */
function accepts(value: unknown): value is CallRecord {
  compiled ??= new Ajv2020({ strict: false, validateFormats: false }).compile<CallRecord>(
    z.toJSONSchema(callRecord, { io: 'input' }),
  )
  return compiled(value)
}

/** Below this length of the whole record its session_metadata can't pass its own limit of 64 KiB. */
const SMALL_RECORD_CHARACTERS = 64 * 1024
/** Line feeds and tabs may stand in free text but not in ids. */
const LINE_ESCAPE = /\\[nrt]/

/**
 * Whether the compiled schema says all that zod would. It leaves out zod's refinements (ids without control characters,
 * years, places of recordings, the size of session_metadata) and counts characters where zod counts UTF-16 units: in a short text of plain
 * ASCII without escapes only years and places are left.
 */
function isDecidable(record: Readonly<Record<string, unknown>>, text: string): boolean {
  if (text.length >= SMALL_RECORD_CHARACTERS || (text.includes('\\') && LINE_ESCAPE.test(text))) return false
  if ('recording_url' in record && !recordingPlace.safeParse(record['recording_url']).success) return false
  const evaluation = record['evaluation']
  const evaluatedAt =
    typeof evaluation === 'object' && evaluation !== null && 'evaluated_at' in evaluation
      ? evaluation.evaluated_at
      : undefined
  return isInYears(record['created_dt']) && (evaluatedAt === undefined || isInYears(evaluatedAt))
}

/** Of times in canonical form only: those compare as text. */
function isInYears(value: unknown): boolean {
  return typeof value === 'string' && value >= '1970' && value < '2200'
}

/**
 * Checks a normalised value against the record's schema.
 *
 * @param plain the JSON it was parsed from, if that is plain ASCII without escapes that could stand for anything else
 */
export function recordFaults(
  value: Readonly<Record<string, unknown>>,
  plain: string | undefined,
): { readonly record: CallRecord } | { readonly faults: readonly [Fault, ...Fault[]] } {
  if (plain !== undefined && isDecidable(value, plain) && accepts(value)) return { record: value }
  const faults = faultsOf(callRecord, value)
  // The value itself, not zod's copy: they are equal, and its fields keep their order.
  return faults === undefined ? { record: value as CallRecord } : { faults }
}
