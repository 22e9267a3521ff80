import { z } from 'zod'

export { POSITIVE_SCORE } from '../calls/positive-score.js'

/** Expressions and readings that several questions build their pipelines from, so that a measure means one thing. */

/** Whether a field has a value: neither missing nor null. */
export const isThere = (field: string) => ({ $gt: [field, null] })

/** How many documents of a group meet a condition. */
export const countWhere = (condition: object) => ({ $sum: { $cond: [condition, 1, 0] } })

/** What lift is, in the descriptions of every question that gives it. */
export const LIFT =
  'Lift (-1 to 1) is how much likelier a good outcome is by what the agent did than in calls of the same reason and direction.'

/** What a good outcome is in the lifts of an answer. */
export const liftOutcomeSchema = z.string().meta({
  description: 'What lift explains: predicted_csat, or the field of session_metadata that the project names',
})

/** Calls named beside a figure. */
export const exampleIds = z
  .array(z.string())
  .optional()
  .meta({ description: 'Calls that show it, as many as "examples" asks for, newest first; get_call_detail reads one' })

/** A mean as a group gives it: null over nothing. */
export const mean = z.number().nullable()
