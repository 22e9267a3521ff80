import { sessionIds } from './world.js'

type Arguments = Readonly<Record<string, unknown>>

/** What the matrix tries of a tool, resource or prompt. */
export interface Row {
  /** The specification's column "Narrowed by allowed_agents". */
  readonly narrowed: 'yes' | 'no' | 'role-gated'
  /** Arguments to ask with; every one is asked with every key. */
  readonly asks: readonly Arguments[]
  /**
   * Of these the suite asks with each key the first, every one that names somebody or something the key may not hear, and every other one
   * of the others; the next key is asked what this one is not.
   */
  readonly takesLong?: true
  /** How many calls an answer to the first of `asks` says it is about. */
  readonly calls?: (answer: never) => number
}

const agents = ['Ana', 'Ben', 'Cleo', 'Stranger', 'Nobody'].map(agent_name => ({ agent_name }))
const sessions = sessionIds.map(session_id => ({ session_id }))
const pairs = [
  ['p-ana-1', 'p-ana-2'],
  ['p-ana-1', 'p-ben-2'],
  ['p-ben-2', 'p-ana-1'],
  ['p-ben-2', 'p-cleo-3'],
  ['p-cleo-3', 'other-ana-1'],
  ['other-ana-1', 'other-ana-2'],
  ['no-such-call', 'p-ana-1'],
  ['p-ana-1', 'no-such-call'],
].map(([session_id_a, session_id_b]) => ({ session_id_a, session_id_b }))
const narrowedKeys = ['ana', 'ben', 'cleo'].map(name => `of_${name}_in_p`)

/** The table "Tools (12)" of the specification. */
export const toolRows: Readonly<Record<string, Row>> = {
  get_project_context: {
    narrowed: 'yes',
    asks: [{}],
    calls: (answer: { volume: { calls: number } }) => answer.volume.calls,
  },
  search_calls: {
    narrowed: 'yes',
    takesLong: true,
    asks: [
      {},
      { limit: 2, sort: 'score_asc' },
      { limit: 50, sort: 'lift_desc' },
      ...agents,
      ...narrowedKeys.flatMap(key => [{ signal_key: `sig.${key}` }, { guide_key: `guide.${key}` }]),
      { text: 'goodbye' },
      { text: 'other-ana' },
      { driver: 'driver of p-ben' },
      { date_from: '2026-02-01', date_to: '2026-02-28', min_score: 2 },
    ],
    calls: (answer: { total: number }) => answer.total,
  },
  get_call_detail: {
    narrowed: 'yes',
    asks: [...sessions, ...sessions.map(one => ({ ...one, include_conditions: true }))],
  },
  compare_calls: { narrowed: 'yes', asks: pairs },
  get_project_summary: {
    narrowed: 'yes',
    takesLong: true,
    asks: [{}, { interval: 'day' }, { date_from: '2026-02-01', date_to: '2026-02-28', top: 1 }],
    calls: (answer: { calls: number }) => answer.calls,
  },
  get_agent_performance: {
    narrowed: 'yes',
    takesLong: true,
    asks: [
      { min_calls: 1 },
      { min_calls: 4 },
      { date_from: '2026-02-01', min_calls: 1, include_signals: true },
      ...agents,
    ],
    calls: (answer: { scope_average: { calls: number } }) => answer.scope_average.calls,
  },
  query_interactions: {
    narrowed: 'yes',
    asks: [
      { pipeline: [{ $group: { _id: null, calls: { $sum: 1 }, average: { $avg: '$score' } } }] },
      { pipeline: [{ $sort: { _id: 1 } }] },
      { pipeline: [{ $match: { agent_name: 'Ben' } }, { $count: 'calls' }] },
      { pipeline: [{ $match: { $or: [{ agent_name: 'Ben' }, { score: { $gt: 0 } }] } }, { $count: 'calls' }] },
      { pipeline: [{ $unwind: '$signals' }, { $group: { _id: '$signals.key' } }, { $sort: { _id: 1 } }] },
      { pipeline: [{ $match: { project_id: 'other' } }] },
    ],
    calls: (answer: { documents: { calls: number }[] }) => answer.documents[0]?.calls ?? 0,
  },
  detect_changes: {
    narrowed: 'yes',
    takesLong: true,
    asks: [
      { period: '2026-02-01 to 2026-03-31', baseline: '2026-01', min_occurrences: 1 },
      { period: '2026-03', min_occurrences: 1 },
      ...agents.map(agent => ({ ...agent, period: '2026-02', min_occurrences: 1 })),
    ],
  },
  query_user_activity: {
    narrowed: 'role-gated',
    asks: [
      { query_type: 'summary' },
      { query_type: 'active_users' },
      { query_type: 'page_views' },
      { query_type: 'recent_activity' },
      { query_type: 'user_detail', user_email: 'Ann' },
      { query_type: 'user_detail', user_email: 'root@example.com' },
    ],
  },
  get_signals: { narrowed: 'no', asks: [{}, { category: 'courtesy' }, { limit: 1 }] },
  search_guidance: { narrowed: 'no', asks: [{}, { signal_key: 'sig.empathy_shown' }, { query: 'customer' }] },
  query_knowledge_base: { narrowed: 'no', asks: [{ query: 'refund' }, { query: 'no such thing anywhere' }] },
}

const projects = ['p', 'other', 'no-such-project'].map(project_id => ({ project_id }))

/**
 * The resources: catalogs are the project's and not narrowed, a transcript is narrowed like get_call_detail, and the
 * schema shows values that occur in calls: those of calls in scope.
 */
export const resourceRows: Readonly<Record<string, Row>> = {
  'earshot://project/{project_id}/signals': { narrowed: 'no', asks: projects },
  'earshot://project/{project_id}/guidance': { narrowed: 'no', asks: projects },
  'earshot://project/{project_id}/rubric': { narrowed: 'no', asks: projects },
  'earshot://project/{project_id}/scope': {
    narrowed: 'yes',
    asks: projects,
    calls: (answer: { calls: number }) => answer.calls,
  },
  'earshot://project/{project_id}/schema': { narrowed: 'yes', asks: projects },
  'earshot://call/{session_id}/transcript': { narrowed: 'yes', asks: sessions },
}

/** Prompts name tools to call and quote their arguments: they say the same to everyone. */
export const promptRows: Readonly<Record<string, Row>> = {
  coach_agent: { narrowed: 'no', asks: agents },
  weekly_review: { narrowed: 'no', asks: [{ period: 'last week' }] },
  explain_call: { narrowed: 'no', asks: sessions },
}
