import { compareCalls } from './compare-calls.js'
import { getCallDetail } from './get-call-detail.js'
import { getProjectContext } from './get-project-context.js'
import { getSignals } from './get-signals.js'
import type { Question } from './question.js'
import { searchCalls } from './search-calls.js'
import { searchGuidance } from './search-guidance.js'

/** Every question, in the order a model should read them: what the tools and REST are thin lists of. */
export const questions: readonly Question[] = [
  getProjectContext,
  searchCalls,
  getCallDetail,
  compareCalls,
  getSignals,
  searchGuidance,
]
