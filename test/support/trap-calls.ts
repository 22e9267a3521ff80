import type { CallRecord } from '../../src/calls/call-record.js'

/** Agents of a project. */
const agents = ['Ana', 'Ben', 'Cyd']

/** Three calls of each agent, marked so that no stranger's can be taken for one's own. */
export function markedCalls(project: string): readonly CallRecord[] {
  return agents.flatMap((agent_name, a) =>
    [0, 1, 2].map((i): CallRecord => {
      const mark = `${project}-${agent_name}-${i}`
      return {
        session_id: `call-${agent_name}-${i}`,
        agent_id: agent_name.toLowerCase(),
        agent_name,
        created_dt: `2026-03-0${i + 1}T10:00:00Z`,
        title: `title ${mark}`,
        score: 1 + ((a * 3 + i) % 8) / 2,
        channel: i === 0 ? 'chat' : 'phone',
        session_metadata: { mark, n: mark.length, digits: `${i + 1}`, size: i, word: 'w', tags: [mark, 'shared'] },
        signals: [{ key: `sig.${mark}`, state: 'present', strength: 0.5, evidence: [{ turn: i, quote: mark }] }],
        trust: { level: 'high', reasons: [mark] },
      }
    }),
  )
}

/** Strangers' calls beside them: they make every expression fail that reads these fields. */
export function trapCalls(project: string, agent_name: string): readonly CallRecord[] {
  const session_metadata = {
    mark: `${project}-trap`,
    n: 0,
    digits: 'not a number',
    size: 'large',
    word: 7,
    tags: { not: 'an array' },
    zone: 'Nowhere/None',
  }
  return [
    {
      session_id: `trap-${agent_name}`,
      agent_id: agent_name.toLowerCase(),
      agent_name,
      created_dt: '1999-12-31T23:59:59Z',
      title: `${project}-trap`,
      session_metadata,
    },
  ]
}
