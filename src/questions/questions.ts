import { compareCalls } from './compare-calls.js'
import { detectChanges } from './detect-changes.js'
import { getAgentPerformance } from './get-agent-performance.js'
import { getCallDetail } from './get-call-detail.js'
import { getProjectContext } from './get-project-context.js'
import { getProjectSummary } from './get-project-summary.js'
import { getSignals } from './get-signals.js'
import type { Question } from './question.js'
import { queryInteractions } from './query-interactions.js'
import { queryKnowledgeBase } from './query-knowledge-base.js'
import { queryUserActivity } from './query-user-activity.js'
import { searchCalls } from './search-calls.js'
import { searchGuidance } from './search-guidance.js'

/** Every question, in the order a model should read them: what the tools and REST are thin lists of. */
const tools = [
  getProjectContext,
  searchCalls,
  getCallDetail,
  compareCalls,
  getProjectSummary,
  getAgentPerformance,
  queryInteractions,
  detectChanges,
  getSignals,
  searchGuidance,
  queryKnowledgeBase,
  queryUserActivity,
] as const

export type Tool = (typeof tools)[number]
export const questions: readonly Question[] = tools
