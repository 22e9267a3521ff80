import { type Answered, answered } from '../../admission/answered.js'
import { compileRubric } from '../rules/compile-rubric.js'
import { extendableRubrics } from './built-in-rubrics.js'
import { parseRubric } from './parse-rubric.js'
import type { Rubric } from './rubric.js'

/** What is to be read of a rubric, and whether to try if it can be made ready, as one has to be that is set. */
export interface ReadTask {
  readonly text: string
  readonly tries: boolean
}

/** The work of a thread. */
export function readRubricText({ text, tries }: ReadTask): Answered<Rubric> {
  return answered(() => {
    const rubric = parseRubric(text, extendableRubrics, !tries)
    if (tries) for (const one of [rubric, ...(rubric.kinds ?? []).map(kind => kind.rubric)]) compileRubric(one)
    return rubric
  })
}
