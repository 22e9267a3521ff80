import { afterAll, beforeAll, expect, test } from 'vitest'
import { callRecord } from '../../src/calls/call-record.js'
import { generateCalls } from '../../src/demo/generate-calls.js'
import { detectChanges } from '../../src/questions/detect-changes.js'
import { getAgentPerformance } from '../../src/questions/get-agent-performance.js'
import { getProjectContext } from '../../src/questions/get-project-context.js'
import { getProjectSummary } from '../../src/questions/get-project-summary.js'
import { getScoreDistribution } from '../../src/questions/get-score-distribution.js'
import type { Question } from '../../src/questions/question.js'
import { type Asking, asking, caller } from '../support/asking.js'

// What adds up says the same whether days were counted beforehand or calls are read, to the last digit and for every key.

const TRUST = ['low', 'medium', 'high', undefined] as const
const { lines } = generateCalls({ calls: 600, seed: 5, agents: 6, end: new Date('2026-03-15T00:00:00Z') })
const calls = [...lines].map((line, i) => {
  const level = TRUST[i % TRUST.length]
  return callRecord.parse({ ...JSON.parse(line), ...(level !== undefined && { trust: { level } }) })
})
const agents = [...new Set(calls.map(call => call.agent_name))].toSorted()

let counted: Asking
let read: Asking
let days: number
beforeAll(async () => {
  counted = await asking('Europe/Berlin')
  read = await asking('Europe/Berlin')
  for (const world of [counted, read]) await world.import('p', calls)
  days = await counted.store.counts.countDays('p', 'Europe/Berlin')
  // Some days are not counted any more.
  for (const world of [counted, read]) await world.import('p', [calls[7]!, calls[300]!])
})
afterAll(async () => {
  await counted.close()
  await read.close()
})

const period = { period: '2026-02-20 to 2026-03-10' }
const some = { date_from: '2026-01-10', date_to: '2026-03-05T10:30:00Z' }

const asked: readonly (readonly [Question, object])[] = [
  [getProjectContext, {}],
  [getProjectSummary, {}],
  [getProjectSummary, { ...some, min_trust: 'medium', interval: 'week' }],
  [getAgentPerformance, { ...some, interval: 'month' }],
  [getAgentPerformance, { min_trust: 'high', min_calls: 1 }],
  [getScoreDistribution, { start_date: '2026-02-01', bands: 11 }],
  [detectChanges, { ...period, min_occurrences: 1 }],
  [detectChanges, { ...period, min_occurrences: 1, min_trust: 'medium', agent_name: agents[1] }],
]

test.each(asked.map(([question, args]) => ({ name: question.name, args, question })))(
  '$name $args',
  async ({ question, args }) => {
    expect(days).toBeGreaterThan(30)
    for (const allowed of [[], agents.slice(1, 3)]) {
      const who = caller({ allowed_agents: allowed })
      // oxlint-disable-next-line no-await-in-loop -- one key after the other
      expect(await counted.ask(question, args, who)).toEqual(await read.ask(question, args, who))
    }
  },
)
