import type { CallRecord } from '../../calls/call-record.js'
import type { Keep, Kept } from './kept.js'

/** The parts of a record that the checks beyond its schema look at, and what a report needs of it. */
export const CHECKED_PARTS = {
  session_id: true,
  agent_id: true,
  agent_name: true,
  created_dt: true,
  score: true,
  predicted_csat: true,
  outcome_lift: { lift: true, lift_band: true },
  scores: { value: true, range: true },
  dimensions: {},
  signals: { key: true, state: true, evidence: { turn: true } },
  guidance: { evidence: { turn: true } },
  conditions: { turn: true },
  transcript: { turn: true, start_s: true, end_s: true },
  evaluation: { evaluator: true },
} as const satisfies Keep<CallRecord>

export type CheckedParts = Kept<CallRecord, typeof CHECKED_PARTS>
