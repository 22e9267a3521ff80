import type { CallRecord } from './call-record.js'

/** Whether a record brings something an evaluation finds, also where it doesn't say who evaluated. */
export function bringsReadings(call: Partial<CallRecord>): boolean {
  if (call.score !== undefined || call.predicted_csat !== undefined) return true
  return [call.scores, call.dimensions, call.signals, call.guidance].some(list => list !== undefined && list.length > 0)
}
