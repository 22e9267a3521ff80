import type { CallRecord } from '../calls/call-record.js'

/**
 * Whether a call waits for its evaluation. A record that brings readings of its own is evaluated, also where it doesn't
 * say by whom: the store's rule for pending calls is the same.
 */
export function isUnevaluated(call: CallRecord): boolean {
  const { evaluation, score, predicted_csat: csat, scores, dimensions, signals, guidance } = call
  if (evaluation !== undefined || score !== undefined || csat !== undefined) return false
  return [scores, dimensions, signals, guidance].every(list => list === undefined || list.length === 0)
}
