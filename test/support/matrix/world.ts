import type { CallRecord } from '../../../src/calls/call-record.js'

/** The agents of the project. The other project has agents of these names too, and one more. */
export const AGENTS = ['Ana', 'Ben', 'Cleo']

/** Halves and quarters, whose sums are exact in any order. */
const SCORES = [1.5, 2.25, 3.5, 4, 4.75]

const STATES = ['present', 'absent', 'unclear'] as const

/** A call that is told apart by every value it can be recognised by: an agent's calls share none with another's. */
function call(project: string, agent: string, n: number): CallRecord {
  const own = `${project}-${agent}`.toLowerCase()
  const id = `${own}-${n}`
  const score = SCORES[(n + agent.length) % SCORES.length]!
  return {
    session_id: id,
    agent_id: agent.toLowerCase(),
    agent_name: agent,
    created_dt: `2026-0${1 + (n % 3)}-0${1 + (n % 7)}T1${n % 10}:00:00Z`,
    title: `Title of ${id}`,
    interaction_driver: n % 2 === 0 ? 'pay bill' : `driver of ${own}`,
    interaction_direction: n % 2 === 0 ? 'inbound' : 'outbound',
    language_primary: n % 2 === 0 ? 'en' : agent === 'Ana' ? 'de' : 'fr',
    customer_display_name: `Customer of ${id}`,
    score,
    predicted_csat: score,
    outcome_lift: { lift: score / 8, lift_band: 'positive', p_behavioral: 0.75, p_context: 0.75 - score / 8 },
    scores: [{ key: 'clarity', display_name: 'Clarity', value: score, range: [1, 5] }],
    dimensions: [{ key: 'intent', value: `intent of ${own}` }],
    signals: [
      { key: 'sig.escalation', state: STATES[n % 3]! },
      { key: `sig.of_${agent.toLowerCase()}_in_${project}`, state: 'present' },
    ],
    guidance: [{ key: `guide.of_${agent.toLowerCase()}_in_${project}`, kind: 'opportunity', priority: 'p1', text: id }],
    coaching_summary: `Summary of ${id}.`,
    talk_patterns: { total_duration_s: 60 * n, talk_time_ratio: 0.5 },
    transcript: [
      { turn: 0, actor: 'agent', text: `Hello from ${id}` },
      { turn: 1, actor: 'customer', text: `Goodbye to ${id}` },
    ],
    evaluation: { evaluator: 'imported' },
  }
}

const many = (project: string, agent: string, count: number): CallRecord[] =>
  Array.from({ length: count }, (_, n) => call(project, agent, n + 1))

/** Different numbers of calls, so that a count says whose they are. */
export const calls: Readonly<Record<'p' | 'other', readonly CallRecord[]>> = {
  p: [...many('p', 'Ana', 3), ...many('p', 'Ben', 5), ...many('p', 'Cleo', 7)],
  other: [
    ...many('other', 'Ana', 2),
    ...many('other', 'Ben', 4),
    ...many('other', 'Stranger', 6),
    // The same id in both projects, and another call.
    { ...call('other', 'Ben', 9), session_id: 'p-ana-1' },
  ],
}

/** Calls of these agents in the project. */
export const callsOf = (agents: readonly string[]) => calls.p.filter(({ agent_name: agent }) => agents.includes(agent))

/** Every text of calls that only some calls have, and a key that may not hear them must never meet. */
export function foreignTo(agents: readonly string[]): readonly string[] {
  const strangers = AGENTS.filter(agent => !agents.includes(agent)).map(agent => ['p', agent] as const)
  const others = ['Ana', 'Ben', 'Stranger'].map(agent => ['other', agent] as const)
  return [...strangers, ...others].flatMap(([project, agent]) => {
    const name = agent.toLowerCase()
    return [`${project}-${name}`, `of_${name}_in_${project}`, ...(project === 'p' ? [`"${agent}"`] : [])]
  })
}

/** Ids to ask for: of every agent, of the other project, of both, of none. */
export const sessionIds = ['p-ana-1', 'p-ben-2', 'p-cleo-3', 'other-ana-1', 'other-stranger-1', 'no-such-call']
