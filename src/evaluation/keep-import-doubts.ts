import type { CallRecord } from '../calls/call-record.js'
import type { EvaluatedFields } from './evaluator.js'

/** Condition that keeps, for later evaluations, why an import trusted a call less. */
export const IMPORT_DOUBT = 'import.doubt'

const LEVELS = ['low', 'medium', 'high'] as const
/** Highest trust that is still medium, and low; see trustOf. */
const MOST = { low: 0.49, medium: 0.79, high: 1 } as const

/**
 * What an import said against relying on a call, such as who was taken to be the agent, put beside what the evaluation
 * says: trust is the lower of both. It stands in the record's trust until the first evaluation, and in its conditions
 * from then on.
 */
export function keepImportDoubts(call: CallRecord, fields: EvaluatedFields): EvaluatedFields {
  const doubts = doubtsOf(call)
  if (doubts.length === 0) return fields
  const { level = 'high', score = 1, reasons = [] } = fields.trust ?? {}
  const told = doubts.length > 1 ? 'low' : 'medium'
  const lower = LEVELS[Math.min(LEVELS.indexOf(level), LEVELS.indexOf(told))] ?? 'low'
  return {
    ...fields,
    trust: {
      level: lower,
      score: Math.min(score, MOST[lower]),
      reasons: [...doubts, ...reasons.filter(reason => !doubts.includes(reason))],
    },
    conditions: [...(fields.conditions ?? []), ...doubts.map(text => ({ key: IMPORT_DOUBT, text }))],
  }
}

function doubtsOf({ evaluation, trust, conditions }: CallRecord): readonly string[] {
  if (evaluation === undefined) return trust?.reasons ?? []
  return (conditions ?? []).flatMap(({ key, text }) => (key === IMPORT_DOUBT && text !== undefined ? [text] : []))
}
