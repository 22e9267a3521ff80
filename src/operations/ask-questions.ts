import { z } from 'zod'
import { compareCalls } from '../questions/compare-calls.js'
import { detectChanges } from '../questions/detect-changes.js'
import { getAgentPerformance } from '../questions/get-agent-performance.js'
import { getCallDetail } from '../questions/get-call-detail.js'
import { getProjectContext } from '../questions/get-project-context.js'
import { getProjectSummary } from '../questions/get-project-summary.js'
import { getSignals } from '../questions/get-signals.js'
import { queryInteractions } from '../questions/query-interactions.js'
import { queryKnowledgeBase } from '../questions/query-knowledge-base.js'
import { queryUserActivity } from '../questions/query-user-activity.js'
import { searchCalls } from '../questions/search-calls.js'
import { searchGuidance } from '../questions/search-guidance.js'
import type { Question } from '../questions/question.js'
import { restQuestions } from '../questions/rest-questions.js'
import { type Operation, operation, type Received, variablesOf } from './operation.js'

interface QuestionAt<Input, Output> {
  readonly url: string
  readonly question: Question<Input, Output>
  /** In place of the question's title, where that is another operation's. */
  readonly summary?: string
  readonly table?: Operation['table']
  readonly example?: object
  /** Whether its answers carry a tag; asking for some of them changes what they say. */
  readonly etag?: boolean
}

/** An operation that asks a question: what it takes is checked when it is asked, what it answers is known by its type. */
type Asking<Output> = Operation<string, 'caller', z.ZodType, z.ZodType, z.ZodType<Output>>

/** The route of a question: what its path does not name are parameters of the query. */
function asked<Input, Output>(at: QuestionAt<Input, Output>): Asking<Output> {
  const { url, question, summary = question.title, table, example, etag = true } = at
  const inPath = variablesOf(at)
  return operation({
    method: 'GET',
    url,
    access: 'caller',
    summary,
    description: question.description,
    query: without(question.input, inPath),
    answer: question.output,
    ...(table === undefined ? {} : { table }),
    ...(example === undefined ? {} : { example: { query: example } }),
    etag,
    run: async ({ answering }, request: Received, caller) => {
      const variables = Object.fromEntries(inPath.map(name => [name, request.param(name as never)]))
      const ask = (query: object) => answering.answer(question, caller, { ...query, ...variables }, request)
      const decides = inPath.length > 0 || question.roles !== undefined
      return await ask(await queryOf(request, () => (decides ? ask({}) : Promise.resolve())))
    },
  })
}

/** The route of a question whose arguments are no parameters: they are the body. */
function askedWithBody<Input, Output>({ url, question, table, example }: QuestionAt<Input, Output>): Asking<Output> {
  return operation({
    method: 'POST',
    url,
    access: 'caller',
    summary: question.title,
    description: question.description,
    body: question.input,
    answer: question.output,
    ...(table === undefined ? {} : { table }),
    ...(example === undefined ? {} : { example: { body: example } }),
    run: ({ answering }, request, caller) => answering.answer(question, caller, request.body(), request),
  })
}

/**
 * The query, once what the path names has been found and the caller may ask: what is not there, and what a role keeps, come
 * before what is written wrong.
 */
async function queryOf(request: Pick<Received, 'query'>, find: () => Promise<unknown>): Promise<object> {
  try {
    return request.query() as object
  } catch (error) {
    await find()
    throw error
  }
}

/** The arguments that are no part of the path. */
function without(schema: z.ZodType, names: readonly string[]): z.ZodType {
  if (names.length === 0) return schema
  if (!(schema instanceof z.ZodObject)) throw new TypeError('A question with path variables takes no object')
  const rest = Object.entries<z.ZodType>(schema.shape).filter(([name]) => !names.includes(name))
  return z.strictObject(Object.fromEntries(rest))
}

const { listInteractions, getInteraction, listAgents, getAgent, getScoreDistribution } = restQuestions

/** Questions that REST serves and the tool server does not. */
const forPrograms = [
  asked({
    url: '/api/v1/interactions',
    question: listInteractions,
    table: 'interactions',
    example: { max_score: 2, sort: 'score_asc', limit: 10 },
  }),
  asked({ url: '/api/v1/interactions/:interaction_id', question: getInteraction }),
  asked({ url: '/api/v1/agents', question: listAgents, table: 'agents', example: { limit: 100 } }),
  asked({
    url: '/api/v1/agents/:agent_id/performance',
    question: getAgent,
    example: { start_date: '2026-03-01', include_signals: true },
  }),
  asked({
    url: '/api/v1/scores/distribution',
    question: getScoreDistribution,
    table: 'distribution',
    example: { bands: 4 },
  }),
] as const

/** What the tools answer, with the same arguments and the same answers, by the name of the tool. */
export const toolOperations = {
  get_project_context: asked({ url: '/api/v1/context', question: getProjectContext }),
  search_calls: asked({
    url: '/api/v1/calls',
    question: searchCalls,
    table: 'calls',
    example: { text: 'card', lift_band: 'negative', limit: 10 },
  }),
  get_call_detail: asked({ url: '/api/v1/calls/:session_id', question: getCallDetail }),
  compare_calls: asked({
    url: '/api/v1/compare',
    question: compareCalls,
    example: { session_id_a: 'call-1', session_id_b: 'call-2' },
  }),
  get_project_summary: asked({
    url: '/api/v1/summary',
    question: getProjectSummary,
    example: { date_from: '2026-03-01', date_to: '2026-03-31', interval: 'week' },
  }),
  get_agent_performance: asked({
    url: '/api/v1/agents/performance',
    question: getAgentPerformance,
    summary: 'List agent performance',
    table: 'agents',
    example: { date_from: '2026-03-01', sort: 'lift_desc' },
  }),
  detect_changes: asked({
    url: '/api/v1/changes',
    question: detectChanges,
    table: 'changes',
    example: { period: '2026-03' },
  }),
  query_interactions: askedWithBody({
    url: '/api/v1/query',
    question: queryInteractions,
    table: 'documents',
    example: { pipeline: [{ $group: { _id: '$agent_name', calls: { $sum: 1 } } }] },
  }),
  get_signals: asked({ url: '/api/v1/signals', question: getSignals, table: 'signals', example: { limit: 50 } }),
  search_guidance: asked({ url: '/api/v1/guidance', question: searchGuidance, table: 'items', example: { limit: 10 } }),
  query_knowledge_base: asked({
    url: '/api/v1/knowledge',
    question: queryKnowledgeBase,
    table: 'items',
    example: { query: 'stolen card' },
  }),
  query_user_activity: asked({
    url: '/api/v1/activity',
    question: queryUserActivity,
    table: ['events', 'users', 'pages'],
    etag: false,
    example: { query_type: 'summary' },
  }),
} as const

/** Questions about calls, asked by an application key or about an administrator's project. */
export const questionOperations: readonly Operation[] = [...forPrograms, ...Object.values(toolOperations)]
