import { SALES_CALLS_VERSION, salesCalls } from './built-in/sales-calls.js'
import { SUPPORT_CALLS_VERSION, supportCalls } from './built-in/support-calls.js'
import type { Rubric } from './rubric.js'

/** A rubric with the version that evaluations keep. */
export interface VersionedRubric {
  readonly rubric: Rubric
  readonly version: string
}

/** The rubric of projects that have none of their own. */
export const defaultRubric: VersionedRubric = { rubric: supportCalls, version: SUPPORT_CALLS_VERSION }

/** The rubrics every installation has, by name. */
export const builtInRubrics: ReadonlyMap<string, VersionedRubric> = new Map(
  [defaultRubric, { rubric: salesCalls, version: SALES_CALLS_VERSION }].map(one => [one.rubric.name, one] as const),
)
