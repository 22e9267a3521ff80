import type { CallRecord } from './call-record.js'

/** Whether a record brings something an evaluation finds, also where it doesn't say who evaluated. */
export function bringsReadings({ score, predicted_csat: csat, ...call }: Partial<CallRecord>): boolean {
  if (score !== undefined || csat !== undefined) return true
  return [call.scores, call.dimensions, call.signals, call.guidance].some(list => list !== undefined && list.length > 0)
}
