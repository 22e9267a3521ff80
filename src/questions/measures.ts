import { z } from 'zod'

export { POSITIVE_CSAT } from '../calls/positive-csat.js'

/** Expressions and readings that several questions build their pipelines from, so that a measure means one thing. */

/** Scores count as positive from here (interface.md, section 1). */
export const POSITIVE_SCORE = 3.5

/** Whether a field has a value: neither missing nor null. */
export const isThere = (field: string) => ({ $gt: [field, null] })

/** How many documents of a group meet a condition. */
export const countWhere = (condition: object) => ({ $sum: { $cond: [condition, 1, 0] } })

/** Most calls that are named for a number. */
export const EXAMPLES_AT_MOST = 3

/** Up to three calls that show what a number says: the newest, so that they are likely still remembered. */
export const EXAMPLES = {
  $topN: { n: EXAMPLES_AT_MOST, sortBy: { created_dt: -1, _id: 1 }, output: '$_id' },
}

export const exampleIds = z
  .array(z.string())
  .meta({ description: 'Up to three calls that show it, newest first; read one with get_call_detail' })

/** A mean as a group gives it: null over nothing. */
export const mean = z.number().nullable()
