import { type Answered, answered } from '../../admission/answered.js'
import type { ThreadTask } from '../../admission/threads.js'
import { compileRubric } from '../rules/compile-rubric.js'
import { extendableRubrics } from './built-in-rubrics.js'
import { parseRubric } from './parse-rubric.js'
import type { READ_RUBRIC } from './read-rubric.js'
import type { Rubric } from './rubric.js'

/** The work of a thread. */
export function readRubricText({ text, tries }: ThreadTask<typeof READ_RUBRIC>): Answered<Rubric> {
  return answered(() => {
    const rubric = parseRubric(text, extendableRubrics, !tries)
    if (tries) compileRubric(rubric)
    return rubric
  })
}
