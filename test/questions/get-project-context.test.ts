import { afterAll, beforeAll, expect, test } from 'vitest'
import { getProjectContext } from '../../src/questions/get-project-context.js'
import { type Asking, asking, caller } from '../support/asking.js'
import { evaluatedCall } from '../support/call.js'

let service: Asking
beforeAll(async () => {
  service = await asking('Europe/Berlin')
  await service.import('p', [
    // Half past eleven in the evening of February in UTC, March in Berlin.
    evaluatedCall('a', {
      created_dt: '2026-02-28T23:30:00Z',
      score: 4,
      interaction_driver: 'pay bill',
      interaction_direction: 'inbound',
    }),
    evaluatedCall('b', {
      score: 3,
      signals: [
        { key: 'sig.escalation', state: 'present' },
        { key: 'sig.own', state: 'unclear' },
      ],
    }),
    evaluatedCall('c', {
      agent_name: 'Ben',
      created_dt: '2026-01-10T10:00:00Z',
      language_primary: 'de',
      interaction_driver: 'pay bill',
    }),
    {
      session_id: 'd',
      agent_id: 'ben',
      agent_name: 'Ben',
      created_dt: '2026-03-05T10:00:00Z',
      interaction_driver: 'check balance',
    },
  ])
  await service.import('other', [evaluatedCall('stranger', { agent_name: 'Stranger', score: 1 })])
})
afterAll(() => service.close())

test('says what there is to ask about', async () => {
  expect(await service.ask(getProjectContext)).toEqual({
    project: { project_id: 'p', name: 'Support', timezone: 'Europe/Berlin', today: '2026-03-15', verticals: [] },
    scope: { full_project: true, allowed_agents: [], roles: ['Admin'] },
    volume: {
      calls: 4,
      evaluated: 3,
      first_call: '2026-01-10T10:00:00.000Z',
      last_call: '2026-03-05T10:00:00.000Z',
      by_month: [
        { month: '2026-03', calls: 3 },
        { month: '2026-01', calls: 1 },
      ],
    },
    score: { average: 3.5, scored_calls: 2, positive_share: 0.5 },
    agents: [
      { agent_id: 'ana', agent_name: 'Ana', calls: 2 },
      { agent_id: 'ben', agent_name: 'Ben', calls: 2 },
    ],
    agents_total: 2,
    drivers: [
      { driver: 'pay bill', calls: 2 },
      { driver: 'check balance', calls: 1 },
    ],
    drivers_total: 2,
    directions: [{ direction: 'inbound', calls: 1 }],
    languages: [{ language: 'de', calls: 1 }],
    signals: [{ signal_key: 'sig.escalation', present: 1, share: 0.3333 }],
    signals_total: 1,
    knowledge_base: { configured: false, documents: 0 },
  })
})

test('every number of a narrowed key is over its agents only', async () => {
  const context = await service.ask(getProjectContext, {}, caller({ allowed_agents: ['Ben'], roles: [] }))
  expect(context.scope).toEqual({ full_project: false, allowed_agents: ['Ben'], roles: [] })
  expect(context.volume).toMatchObject({ calls: 2, evaluated: 1, first_call: '2026-01-10T10:00:00.000Z' })
  expect(context.agents.map(agent => agent.agent_name)).toEqual(['Ben'])
  expect(context.signals).toEqual([])
  expect(JSON.stringify(context)).not.toContain('Ana')
})

test('a mapped key without agents hears an empty project', async () => {
  const context = await service.ask(getProjectContext, {}, caller({ require_mapping: true }))
  expect(context.scope.full_project).toBe(false)
  expect(context.volume).toEqual({ calls: 0, evaluated: 0, by_month: [] })
  expect(context.agents).toEqual([])
})

test('gives the newest 24 months, and says which tool gives the rest', async () => {
  const month = (i: number) => `${2023 + Math.floor(i / 12)}-${String((i % 12) + 1).padStart(2, '0')}`
  const months = Array.from({ length: 26 }, (_, i) => month(i))
  await service.import(
    'other',
    months.map(one => evaluatedCall(one, { created_dt: `${one}-15T10:00:00Z` })),
  )
  const { volume, more } = await service.ask(getProjectContext, {}, caller({ allowed_agents: ['Ana'] }, 'other'))
  expect(volume.by_month.map(({ month: one }) => one)).toEqual(months.slice(2).toReversed())
  expect(more).toEqual(['volume.by_month: 24 of 26; get_project_summary lists all, as its trend'])
})

test('takes no arguments, least of all a project', async () => {
  await expect(service.ask(getProjectContext, { project_id: 'other' })).rejects.toThrow(
    /unknown argument "project_id"/i,
  )
})
