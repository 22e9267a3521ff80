/** The small project that the examples of docs/tools.md are asked about. All of it is made up. */

export const NOW = Date.parse('2026-03-15T12:00:00Z')

export const project = {
  project_id: 'demo',
  name: 'Demo Bank',
  timezone: 'Europe/Berlin',
  verticals: [],
  created_at: '2026-01-01T00:00:00.000Z',
}

function call(n, agent, created, score, fields = {}) {
  return {
    session_id: `call-${n}`,
    agent_id: agent.toLowerCase().replace(' ', '-'),
    agent_name: agent,
    created_dt: created,
    interaction_driver: 'card stolen',
    interaction_direction: 'inbound',
    language_primary: 'en',
    score,
    predicted_csat: score,
    dimensions: [{ key: 'intent_clarity', value: score > 3 ? 'high' : 'low' }],
    signals: [{ key: 'sig.escalation', state: score > 3 ? 'absent' : 'present', evidence: [] }],
    evaluation: { evaluator: 'imported' },
    ...fields,
  }
}

export const calls = [
  call(1, 'Ana Lima', '2026-02-20T09:00:00Z', 4.5, {
    title: 'Card blocked after a theft',
    coaching_summary: 'Calm and quick: the card was blocked in the first minute.',
    transcript: [
      { turn: 0, actor: 'agent', text: 'Demo Bank, Ana speaking.', start_s: 0, end_s: 2.5 },
      { turn: 1, actor: 'customer', text: 'My card was stolen.', start_s: 3, end_s: 5 },
      { turn: 2, actor: 'agent', text: 'I am blocking it now.', start_s: 5.5, end_s: 7 },
    ],
    signals: [{ key: 'sig.empathy_shown', state: 'present', evidence: [{ turn: 2, quote: 'I am blocking it now.' }] }],
    talk_patterns: { total_duration_s: 95 },
  }),
  call(2, 'Ben Okafor', '2026-03-02T15:30:00Z', 2, {
    title: 'Fee nobody could explain',
    interaction_driver: 'fee dispute',
    coaching_summary: 'Find the fee in the account before explaining it.',
    talk_patterns: { total_duration_s: 410 },
  }),
  call(3, 'Ben Okafor', '2026-03-10T11:15:00Z', 3.5, { title: 'New card ordered' }),
]

export const documents = [
  {
    project_id: 'demo',
    kb_id: 'kb_2f6c1b9d0e57',
    name: 'cards/stolen.md',
    title: 'Stolen cards',
    url: 'https://help.example.com/cards/stolen.md',
    imported_at: '2026-03-01T00:00:00.000Z',
    sections: [{ title: 'What to do first', text: 'Block the card at once, then ask for the last purchase.' }],
  },
]

const event = (seq, at, page) => ({
  seq,
  at,
  request_id: `request-${seq}`,
  source: 'application_key',
  credential_id: 'key_ann',
  name: 'Claude of Ann',
  project_id: 'demo',
  roles: ['Admin'],
  transport: 'mcp',
  page,
  outcome: 'ok',
  duration_ms: 4.2,
})

export const activity = [
  event(1, '2026-03-14T09:00:00.000Z', 'get_project_context'),
  event(2, '2026-03-15T10:00:00.000Z', 'search_calls'),
]

/** What each tool is asked. */
export const examples = {
  get_project_context: {},
  search_calls: { date_from: '2026-03-01', sort: 'score_asc', limit: 1 },
  get_call_detail: { session_id: 'call-1' },
  compare_calls: { session_id_a: 'call-1', session_id_b: 'call-2' },
  get_project_summary: { date_from: '2026-03-01', top: 3 },
  get_agent_performance: { min_calls: 1 },
  query_interactions: {
    pipeline: [{ $group: { _id: '$agent_name', calls: { $sum: 1 } } }, { $sort: { calls: -1, _id: 1 } }],
  },
  detect_changes: { period: '2026-03', baseline: '2026-02', min_occurrences: 1 },
  get_signals: { category: 'courtesy', limit: 1 },
  search_guidance: { signal_key: 'sig.empathy_shown', limit: 1 },
  query_knowledge_base: { query: 'card stolen' },
  query_user_activity: { query_type: 'recent_activity', limit: 1 },
}
