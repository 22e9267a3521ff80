import { expect, test } from 'vitest'
import { allAgents } from '../../console/screens/agents/all-agents.js'

test.each([
  [20, { agents: 20, total: 20, asked: 1 }],
  [220, { agents: 220, total: 220, asked: 2 }],
  [2_500, { agents: 2_000, total: 2_500, asked: 10 }],
])('of %i agents all are shown, as far as a page can list them', async (total, expected) => {
  let asked = 0
  const found = await allAgents(async (cursor = '0') => {
    asked += 1
    const from = Number(cursor)
    const to = Math.min(total, from + 200)
    const agents = Array.from({ length: to - from }, (_, i) => ({ agent_name: `a${from + i}` }))
    return { agents, total, ...(to < total && { next_cursor: String(to) }) }
  })
  expect(new Set(found.agents.map(one => one.agent_name)).size).toBe(expected.agents)
  expect({ agents: found.agents.length, total: found.total, asked }).toEqual(expected)
})
