import { z } from 'zod'
import type { Kind } from '../kinds.js'
import { figure, probability } from '../figure.js'

export const categories = ['signals', 'scores', 'agents', 'drivers', 'dimensions', 'guidance'] as const
export type Category = (typeof categories)[number]

/** From the first instant up to the other. */
export interface Dates {
  readonly from: Date
  readonly until: Date
}

/** A period and what it is compared with, which have no call in common. */
export interface Periods {
  readonly period: Dates
  /** In one part, or in two where the period lies within it. */
  readonly baseline: readonly Dates[]
  /** Narrows to one agent. */
  readonly conditions: readonly object[]
}

/** Calls of each period: what shares are of. */
export interface PeriodTotals {
  readonly calls: number
  readonly evaluated: number
  readonly baselineCalls: number
  readonly baselineEvaluated: number
}

/** Something that may have changed, tested. */
export interface Tested {
  readonly category: Category
  readonly key: string
  /** Share or mean in each period; absent where there is nothing to take it of. */
  readonly value: number | undefined
  readonly baselineValue: number | undefined
  readonly occurrences: number
  readonly baselineOccurrences: number
  readonly p: number
  /** Shares may be new or gone; means only go up or down. */
  readonly isShare: boolean
  /** The calls it is about: those of this kind with this value. */
  readonly kind: Kind
  readonly id: unknown
}

export const changeSchema = z.strictObject({
  category: z.enum(['signal', 'score', 'agent', 'driver', 'dimension', 'guidance']),
  key: z.string(),
  display_name: z.string(),
  direction: z.enum(['up', 'down', 'new', 'gone']),
  value: figure.meta({ description: 'In the period: a share of calls, or a mean score' }),
  baseline_value: figure,
  delta: figure.meta({ description: 'value minus baseline_value' }),
  occurrences: z.int().meta({ description: 'Calls with it in the period (means: scored calls)' }),
  baseline_occurrences: z.int(),
  p_value: probability.meta({ description: 'Two-sided; 0 is anything below 1e-16' }),
  q_value: probability.meta({ description: 'p corrected for everything tested (Benjamini–Hochberg)' }),
  significance: z.enum(['high', 'medium', 'low']).meta({ description: 'q below 0.01, 0.05, 0.10' }),
  example_session_ids: z
    .array(z.string())
    .meta({ description: 'Up to three calls that show it, newest first; of the baseline when it is gone' }),
})

export type Change = z.infer<typeof changeSchema>
