import type { explainMyScope } from '../../src/questions/explain-scope.js'
import type { getSignals } from '../../src/questions/get-signals.js'
import type { getScoring } from '../../src/questions/get-scoring.js'
import type { getVerdicts } from '../../src/questions/get-verdicts.js'
import type { compareCalls } from '../../src/questions/compare-calls.js'
import type { detectChanges } from '../../src/questions/detect-changes.js'
import type { getAgentPerformance } from '../../src/questions/get-agent-performance.js'
import type { getCallDetail } from '../../src/questions/get-call-detail.js'
import type { getProjectContext } from '../../src/questions/get-project-context.js'
import type { getProjectSummary } from '../../src/questions/get-project-summary.js'
import type { queryInteractions } from '../../src/questions/query-interactions.js'
import type { Question } from '../../src/questions/question.js'
import type { searchCalls } from '../../src/questions/search-calls.js'
import type { searchGuidance } from '../../src/questions/search-guidance.js'

/** The questions that the console asks, as the service defines them. */
interface Asked {
  readonly compare_calls: typeof compareCalls
  readonly detect_changes: typeof detectChanges
  readonly explain_my_scope: typeof explainMyScope
  readonly get_agent_performance: typeof getAgentPerformance
  readonly get_call_detail: typeof getCallDetail
  readonly get_project_context: typeof getProjectContext
  readonly get_project_summary: typeof getProjectSummary
  readonly get_scoring: typeof getScoring
  readonly get_signals: typeof getSignals
  readonly get_verdicts: typeof getVerdicts
  readonly query_interactions: typeof queryInteractions
  readonly search_calls: typeof searchCalls
  readonly search_guidance: typeof searchGuidance
}

export type QuestionName = keyof Asked
export type Answer<Name extends QuestionName> = Asked[Name] extends Question<infer _, infer Output> ? Output : never

/** What the service has a default for may be left out; what came from the address is text, which its query is anyway. */
export type Args<Name extends QuestionName> =
  Asked[Name] extends Question<infer Input, infer _>
    ? { readonly [Key in keyof Input]?: Input[Key] | string | undefined }
    : never

/** Where each is asked. A test holds it against the service's own list. */
export const PATHS: Readonly<Record<QuestionName, string>> = {
  compare_calls: '/api/v1/compare',
  detect_changes: '/api/v1/changes',
  explain_my_scope: '/api/v1/scope',
  get_agent_performance: '/api/v1/agents/performance',
  get_call_detail: '/api/v1/calls/:session_id',
  get_project_context: '/api/v1/context',
  get_project_summary: '/api/v1/summary',
  get_scoring: '/api/v1/scoring',
  get_signals: '/api/v1/signals',
  get_verdicts: '/api/v1/verdicts',
  query_interactions: '/api/v1/query',
  search_calls: '/api/v1/calls',
  search_guidance: '/api/v1/guidance',
}
