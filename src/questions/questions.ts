import { getCallDetail } from './get-call-detail.js'
import { getProjectContext } from './get-project-context.js'
import type { Question } from './question.js'
import { searchCalls } from './search-calls.js'

/** Every question, in the order a model should read them: what the tools and REST are thin lists of. */
export const questions: readonly Question[] = [getProjectContext, searchCalls, getCallDetail]
