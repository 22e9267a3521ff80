import type { CallRecord } from './call-record.js'

const LISTS = ['scores', 'dimensions', 'signals', 'guidance'] as const

/** Of a record, what tells whether it brings readings. */
type Readings = Partial<Pick<CallRecord, 'score' | 'predicted_csat'>> & {
  readonly [List in (typeof LISTS)[number]]?: readonly unknown[] | undefined
}

/** Whether a record brings something an evaluation finds, also where it doesn't say who evaluated. */
export function bringsReadings(call: Readings): boolean {
  if (call.score !== undefined || call.predicted_csat !== undefined) return true
  return LISTS.some(list => (call[list] ?? []).length > 0)
}
