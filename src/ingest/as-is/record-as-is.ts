import { z } from 'zod'
import { bringsReadings } from '../../calls/brings-readings.js'
import { callRecord, recordingPlace } from '../../calls/call-record.js'
import { consistencyFaults } from '../consistency-faults.js'
import { warningsOf } from '../record-warnings.js'
import { CHECKED_PARTS, type CheckedParts } from './checked-parts.js'
import { type JsonScanner, NOT_TAKEN, scannerOf } from './json-scanner.js'
import { shapeOfSchema } from './shape-of-schema.js'

/** Below this length of the whole record its session_metadata can't pass its own limit of 64 KiB. */
const MOST_BYTES = 64 * 1024

let scan: JsonScanner | undefined

/** What the schema as JSON leaves out, of a text that is plain: see recordFaults. */
const notes = {
  instants: new Set(['created_dt', 'evaluation.evaluated_at']),
  holds: { recording_url: (place: string) => recordingPlace.safeParse(place).success },
}

/**
 * The checked parts of a record whose JSON is just what prepareRecord would make of it, without a word said: then it is stored as it
 * came, and neither parsed nor written again, which takes two thirds of an import's work outside the engine. Undefined for any other,
 * and for some that are: see scannerOf. What it takes is compared with prepareRecord in tests.
 */
export function recordAsIs(bytes: Buffer, start: number, end: number): CheckedParts | undefined {
  if (end - start >= MOST_BYTES) return undefined
  scan ??= scannerOf(shapeOfSchema(z.toJSONSchema(callRecord, { io: 'input' }), CHECKED_PARTS, notes))
  const kept = scan(bytes, start, end)
  if (kept === NOT_TAKEN) return undefined
  // What is kept is of the shape that the schema has, so far as CHECKED_PARTS says.
  const record = kept as CheckedParts
  if (record.evaluation === undefined && bringsReadings(record)) return undefined
  const band = record.outcome_lift?.lift_band
  if (consistencyFaults(record) !== undefined || warningsOf(record) !== undefined) return undefined
  return record.outcome_lift?.lift_band === band ? record : undefined
}
