import { isObject } from '../base/is-object.js'
import { bringsReadings } from '../calls/brings-readings.js'
import { type CallRecord, instant } from '../calls/call-record.js'
import { applyEvaluation } from '../evaluation/apply-evaluation.js'
import type { IncomingEvaluated } from '../evaluation/run/evaluate-incoming.js'
import { cleanValue } from './clean-value.js'
import { consistencyFaults } from './consistency-faults.js'
import { saysNoZone, toInstant } from './mapping/to-instant.js'
import type { Fault, SourceText } from './piece.js'
import { normaliseNames } from './normalise-names.js'
import { redactRecord } from '../redact/redact-record.js'
import { type MaskCounts, type Masking, onlyKinds } from '../redact/mask.js'
import { recordFaults } from './record-faults.js'
import { type RecordWarning, warningsOf } from './record-warnings.js'
const CANONICAL = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/**
 * An instant as it is kept: in UTC with milliseconds (smaller parts are cut off). What is no instant comes back as it
 * is, for the check of the record to say so.
 */
function canonicalInstant(value: unknown, timeZone: string | undefined): unknown {
  if (typeof value !== 'string') return value
  const text = value.trim()
  if (timeZone !== undefined && saysNoZone(text)) {
    const read = toInstant(text, timeZone)
    return 'instant' in read ? read.instant : value
  }
  if (!instant.safeParse(text).success) return value
  return CANONICAL.test(text) ? text : new Date(text).toISOString()
}

/** A checked record, in all but the agent_id where it brings none. */
export interface PreparedRecord {
  readonly session_id: string
  readonly agent_id: string | undefined
  readonly agent_name: string
  readonly json: string
}

export type Preparation =
  | {
      readonly record: PreparedRecord
      /** The record as it was checked, masked where it is to be; without what an evaluation adds. */
      readonly checked: CallRecord
      readonly removed: number
      /** Places masked; undefined when nothing is. */
      readonly masked?: MaskCounts | undefined
      /** True for one evaluated as it came in, why not for one that could not be; undefined for one that was not to be. */
      readonly evaluated?: true | string | undefined
      /** Undefined where there is nothing. */
      readonly warnings?: readonly RecordWarning[] | undefined
    }
  | { readonly faults: readonly [Fault, ...Fault[]] }

/** Escapes that can stand for characters nobody sees, or for letters of other scripts. */
const ESCAPE = /\\[ubf]/

/**
 * Whether there is nothing to clean or compose in a text. Looking for single characters is many times as fast as one
 * expression for all of it; below U+0020 JSON itself allows nothing in strings.
 */
function isPlain({ text, ascii }: SourceText): boolean {
  if (!ascii || text.includes('\u007f') || text.includes('__proto__')) return false
  return !text.includes('\\') || !ESCAPE.test(text)
}

/**
 * Normalises and checks one value as a call record. The value may be changed in place.
 *
 * Names and keys are trimmed and NFC-composed, characters nobody can see are taken out of free text and counted, times
 * become UTC with milliseconds, nulls are left out. The JSON is written anew from what was checked: a text with a key
 * twice would otherwise be read one way here and another way by a store. Readings that don't say whose they are count as
 * imported: what is counted over evaluated calls would otherwise leave their calls out.
 *
 * @param redact which kinds of personal data are masked in every free text, the last step before the check
 * @param evaluate reads the checked record; undefined for one that is to stay as it is
 * @param source the JSON that `raw` was parsed from, when it was: it says quickly that there is nothing to clean
 * @param timeZone IANA zone of times that say none: without it they are refused, and a day is one of UTC
 */
export function prepareRecord(
  raw: unknown,
  source?: SourceText,
  redact: Masking = false,
  evaluate?: (call: CallRecord) => IncomingEvaluated | undefined,
  timeZone?: string,
): Preparation {
  if (!isObject(raw)) return { faults: [{ path: '', message: 'must be a JSON object' }] }
  const plain = source !== undefined && isPlain(source)
  const cleaned = cleanValue(raw, plain)
  if (cleaned.fault !== undefined) return { faults: [cleaned.fault] }
  const value = source === undefined || source.text.includes('null') ? withoutNulls(raw) : raw
  normaliseNames(value)
  value['created_dt'] = canonicalInstant(value['created_dt'], timeZone)
  const evaluation = value['evaluation']
  if (isObject(evaluation) && 'evaluated_at' in evaluation) {
    evaluation['evaluated_at'] = canonicalInstant(evaluation['evaluated_at'], timeZone)
  }
  const masked = redact === false ? undefined : redactRecord(value, onlyKinds(redact))
  const checked = recordFaults(value, plain ? source.text : undefined)
  if ('faults' in checked) return { faults: checked.faults }
  const inconsistent = consistencyFaults(checked.record)
  if (inconsistent !== undefined) return { faults: inconsistent }
  const warnings = warningsOf(checked.record)
  const { session_id, agent_id, agent_name } = checked.record
  if (evaluation === undefined && bringsReadings(checked.record)) value['evaluation'] = { evaluator: 'imported' }
  const evaluated = evaluate?.(checked.record)
  const stored = evaluated?.fields === undefined ? value : applyEvaluation(checked.record, evaluated.fields)
  return {
    record: { session_id, agent_id, agent_name, json: JSON.stringify(stored) },
    checked: checked.record,
    removed: cleaned.removed,
    masked,
    warnings,
    evaluated: evaluated && (evaluated.none ?? true),
  }
}

type Fields = Record<string, unknown>

/**
 * A record without the fields that are null: records carry what is known, and many exports write null for what isn't.
 * session_metadata stays as it is, since it is the user's own, and so does a null in a list: that is a fault.
 */
function withoutNulls(record: Fields): Fields {
  const kept: Fields = {}
  for (const [name, value] of Object.entries(record)) {
    if (value === null) continue
    kept[name] = name === 'session_metadata' ? value : within(value)
  }
  return kept
}

function within(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(within)
  return typeof value === 'object' && value !== null ? withoutNulls(value as Fields) : value
}
