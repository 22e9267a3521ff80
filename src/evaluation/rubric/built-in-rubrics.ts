import { salesCalls } from './built-in/sales-calls.js'
import { supportCalls } from './built-in/support-calls.js'
import { evaluationHash } from './evaluation-version.js'
import type { Rubric } from './rubric.js'

/** A rubric with its version. */
export interface VersionedRubric {
  readonly rubric: Rubric
  /** Of a built-in one its hash, of a project's its name, such as project-2. */
  readonly version: string
}

const builtIn = (rubric: Rubric): VersionedRubric => ({ rubric, version: evaluationHash(rubric) })

/** The rubric of projects that have none of their own. */
export const defaultRubric: VersionedRubric = builtIn(supportCalls)

/** The rubrics every installation has, by name. */
export const builtInRubrics: ReadonlyMap<string, VersionedRubric> = new Map(
  [defaultRubric, builtIn(salesCalls)].map(one => [one.rubric.name, one] as const),
)
