import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CallRecord } from '../../src/calls/call-record.js'
import { detectChanges } from '../../src/questions/detect-changes.js'
import { getAgentPerformance } from '../../src/questions/get-agent-performance.js'
import { getAgent } from '../../src/questions/get-agent.js'
import { getProjectSummary } from '../../src/questions/get-project-summary.js'
import { getScoreDistribution } from '../../src/questions/get-score-distribution.js'
import { listInteractions } from '../../src/questions/list-interactions.js'
import { searchCalls } from '../../src/questions/search-calls.js'
import { type Asking, asking, caller } from '../support/asking.js'

// A model that is told "0 calls" reports that there are none. Where it only misspelled a name or asked about a period
// before the first call, the answer says so.

const call = (id: string, fields: Partial<CallRecord>): CallRecord => ({
  session_id: id,
  agent_name: 'Ana Ruiz',
  created_dt: '2026-03-01T10:00:00Z',
  ...fields,
})

let service: Asking
beforeAll(async () => {
  service = await asking()
  await service.import('p', [
    call('a', {
      interaction_driver: 'replace card',
      signals: [{ key: 'sig.of_nobodys_catalog', state: 'present' }],
      dimensions: [{ key: 'intent_clarity', value: 'high' }],
    }),
    call('b', {
      created_dt: '2026-03-03T10:00:00Z',
      guidance: [{ key: 'guide.own', kind: 'opportunity' }],
      scores: [{ key: 'empathy', value: 3, range: [1, 5] }],
    }),
    call('t1', { title: 'Card lost' }),
    call('c', {
      agent_name: 'Benedict',
      title: 'Order checks',
      interaction_driver: 'order checks',
      created_dt: '2026-03-04T10:00:00Z',
    }),
  ])
  await service.import('other', [call('stranger', { agent_name: 'Carla', title: 'A secret' })])
})
afterAll(() => service.close())

const whyOf = async (args: object, who = caller()) => (await service.ask(searchCalls, args, who)).why_empty

describe('a text search without a match', () => {
  test.each([
    // Of several, only what is nowhere.
    [{ text: 'checks refnd' }, undefined, { unknown: [{ argument: 'text', value: 'refnd' }] }],
    [
      { text: '"order  Checks now" "checks"' },
      undefined,
      { unknown: [{ argument: 'text', value: 'order Checks now' }] },
    ],
    [{ text: 'checks' }, undefined, undefined],
    // Somewhere, but not together: nothing is amiss.
    [{ text: 'checks lost' }, undefined, undefined],
    // In the calls of others a word is as unknown as one that nobody says.
    [{ text: 'checks' }, 'Ana Ruiz', { unknown: [{ argument: 'text', value: 'checks' }] }],
    [{ text: 'secret' }, undefined, { unknown: [{ argument: 'text', value: 'secret' }] }],
  ])('%j as %j says which word is found nowhere in scope', async (args, agent, why) => {
    const who = agent === undefined ? caller() : caller({ allowed_agents: [agent] })
    expect(await whyOf({ ...args, agent_name: agent ?? 'Ana Ruiz' }, who)).toEqual(why)
  })

  test('tells no call in scope from no call at all by nothing', async () => {
    const narrow = caller({ allowed_agents: ['Ana Ruiz'] })
    const [theirs, nobodys] = [await whyOf({ text: 'checks' }, narrow), await whyOf({ text: 'cheque' }, narrow)]
    expect(JSON.stringify(theirs).replace('checks', '')).toBe(JSON.stringify(nobodys).replace('cheque', ''))
  })
})

describe('search_calls without a match', () => {
  test.each([
    [{ agent_name: 'ana ruiz' }, { unknown: [{ argument: 'agent_name', closest: 'Ana Ruiz' }] }],
    [{ agent_name: 'Carla' }, { unknown: [{ argument: 'agent_name' }] }],
    [{ driver: 'card' }, { unknown: [{ argument: 'driver', closest: 'replace card' }] }],
    [{ signal_key: 'sig.escalated' }, { unknown: [{ argument: 'signal_key', closest: 'sig.escalation' }] }],
    [{ guide_key: 'guide.nothing_of_the_kind' }, { unknown: [{ argument: 'guide_key' }] }],
    [{ signal_key: 'of_nobody' }, { unknown: [{ argument: 'signal_key', closest: 'sig.of_nobodys_catalog' }] }],
    [{ guide_key: 'guide.ownn' }, { unknown: [{ argument: 'guide_key', closest: 'guide.own' }] }],
    [{ dimension: 'intent_clarity=hihg' }, { unknown: [{ argument: 'dimension', closest: 'intent_clarity=high' }] }],
    [{ rated_on: 'empaty' }, { unknown: [{ argument: 'rated_on', closest: 'empathy' }] }],
    [{ agent_name: 'x1' }, { unknown: [{ argument: 'agent_name' }] }],
    [{ agent_name: 'benedict' }, { unknown: [{ argument: 'agent_name', closest: 'Benedict' }] }],
    [
      { agent_name: 'Benedikt', driver: 'order check' },
      {
        unknown: [
          { argument: 'agent_name', closest: 'Benedict' },
          { argument: 'driver', closest: 'order checks' },
        ],
      },
    ],
    [{ date_from: '2026-03-10' }, { first_call: '2026-03-01T10:00:00.000Z', last_call: '2026-03-04T10:00:00.000Z' }],
    // The period has calls, of others.
    [
      { agent_name: 'Benedict', date_to: '2026-03-03' },
      { first_call: '2026-03-04T10:00:00.000Z', last_call: '2026-03-04T10:00:00.000Z' },
    ],
  ])('%j: says what is amiss', async (args, why) => {
    expect(await whyOf(args)).toEqual(why)
  })

  test('a period that begins after now is empty where it begins, and says when calls are', async () => {
    const { window, total, why_empty } = await service.ask(searchCalls, { date_from: '2999-01-01' })
    expect(window).toMatchObject({ from: '2999-01-01T00:00:00.000Z', to: '2999-01-01T00:00:00.000Z' })
    expect(total).toBe(0)
    expect(why_empty).toMatchObject({ last_call: '2026-03-04T10:00:00.000Z' })
  })

  test.each([
    ['a signal of the catalog that no call shows', { signal_key: 'sig.escalation' }],
    ['names that are there, in no call together', { agent_name: 'Benedict', driver: 'replace card' }],
    ['keys that no catalog knows and calls have', { signal_key: 'sig.of_nobodys_catalog', guide_key: 'guide.own' }],
    ['a score that no call has', { rated_on: 'predicted_csat' }],
    ['readings that are there, of others', { dimension: 'intent_clarity=high', agent_name: 'Benedict' }],
  ])('%s: nothing is amiss', async (_what, args) => {
    expect((await service.ask(searchCalls, args)).total).toBe(0)
    expect(await whyOf(args)).toBeUndefined()
  })

  test('with a match says nothing of it', async () => {
    expect(await whyOf({ agent_name: 'Benedict' })).toBeUndefined()
  })

  test('knows no names and no times outside the scope', async () => {
    const ana = caller({ allowed_agents: ['Ana Ruiz'], require_mapping: true })
    expect(await whyOf({ agent_name: 'Benedict' }, ana)).toEqual({ unknown: [{ argument: 'agent_name' }] })
    expect(await whyOf({ driver: 'order checks' }, ana)).toEqual({ unknown: [{ argument: 'driver' }] })
    expect(await whyOf({ date_from: '2026-03-04' }, ana)).toEqual({
      first_call: '2026-03-01T10:00:00.000Z',
      last_call: '2026-03-03T10:00:00.000Z',
    })
    const nobody = caller({ require_mapping: true })
    expect(await whyOf({ date_from: '2026-03-04' }, nobody)).toBeUndefined()
    expect(await whyOf({ agent_name: 'Ana Ruiz' }, nobody)).toEqual({ unknown: [{ argument: 'agent_name' }] })
  })
})

test('get_agent_performance says that nobody is called so', async () => {
  const { why_empty: why } = await service.ask(getAgentPerformance, { agent_name: 'Benedick' })
  expect(why).toEqual({ unknown: [{ argument: 'agent_name', closest: 'Benedict' }] })
})

test('calls dated ahead are the reason where somebody has no others', async () => {
  const future = { first_call: '2199-05-01T10:00:00.000Z', last_call: '2199-05-01T10:00:00.000Z' }
  await service.import('p', [call('ahead', { agent_name: 'Zoe Late', created_dt: '2199-05-01T10:00:00Z' })])
  expect((await service.ask(getAgentPerformance, { agent_name: 'Zoe Late' })).why_empty).toEqual(future)
  expect(await whyOf({ agent_name: 'Zoe Late', driver: 'replace card' })).toEqual(future)
  const zoe = caller({ allowed_agents: ['Zoe Late'] })
  expect((await service.ask(getProjectSummary, {}, zoe)).why_empty).toEqual(future)
  // Who has calls that have begun is told of these.
  await service.import('p', [call('begun', { agent_name: 'Zoe Late' })])
  const begun = { first_call: '2026-03-01T10:00:00.000Z', last_call: '2026-03-01T10:00:00.000Z' }
  expect(await whyOf({ agent_name: 'Zoe Late', date_from: '2026-03-02' })).toEqual(begun)
})

test('get_project_summary says when there are calls', async () => {
  const { why_empty: why, window } = await service.ask(getProjectSummary, { date_to: '2026-02-01' })
  expect(window).toEqual({ to: '2026-02-01T23:59:59.999Z', time_zone: 'UTC' })
  expect(why).toEqual({ first_call: '2026-03-01T10:00:00.000Z', last_call: '2026-03-04T10:00:00.000Z' })
})

describe('detect_changes', () => {
  const asked = { period: '2026-03-03 to 2026-03-04', baseline: '2026-03-01 to 2026-03-02' }

  test('says that nobody is called so', async () => {
    const { why_empty: why, warnings } = await service.ask(detectChanges, { ...asked, agent_name: 'Benedick' })
    expect(why).toEqual({ unknown: [{ argument: 'agent_name', closest: 'Benedict' }] })
    expect(warnings?.[0]).toBe('There are no calls in the period, and none in any other')
  })

  test('of an agent says when that agent has calls', async () => {
    const { why_empty: why, warnings } = await service.ask(detectChanges, { ...asked, agent_name: 'Benedict' })
    expect(why).toBeUndefined()
    const when = 'on 2026-03-04 (UTC)'
    expect(warnings).toEqual([`There are no calls in the baseline; there are some ${when}`])
  })
})

describe('an agent_id that nobody in scope has', () => {
  beforeAll(() =>
    service.import('p', [
      call('d', { agent_id: 'x-17', agent_name: 'Dora Maar' }),
      call('e', { agent_id: 'dora-maarten', agent_name: 'Dora Maarten' }),
    ]),
  )
  const onlyAna = caller({ allowed_agents: ['Ana Ruiz'] })

  test.each([
    ['Dora Maar', 'x-17'],
    ['dora maar', 'x-17'],
    ['Dora Marr', 'x-17'],
    ['dora-maarte', 'dora-maarten'],
    ['x-18', 'x-17'],
    ['Benedict', 'benedict'],
    ['Ana', 'ana ruiz'],
    ['nobody at all', undefined],
  ])('%s: the closest is %s', async (agent_id, closest) => {
    const why = { unknown: [closest === undefined ? { argument: 'agent_id' } : { argument: 'agent_id', closest }] }
    const list = await service.ask(listInteractions, { agent_id })
    const distribution = await service.ask(getScoreDistribution, { agent_id })
    expect([list.total, list.why_empty, distribution.calls, distribution.why_empty]).toEqual([0, why, 0, why])
    const hint = closest === undefined ? '' : `; did you mean the agent_id "${closest}"?`
    await expect(service.ask(getAgent, { agent_id })).rejects.toMatchObject({
      message: `Agent not found: ${agent_id}${hint}`,
    })
  })

  test('is the same when somebody out of scope has it', async () => {
    const { why_empty: why } = await service.ask(listInteractions, { agent_id: 'x-17' }, onlyAna)
    expect(why).toEqual({ unknown: [{ argument: 'agent_id' }] })
    await expect(service.ask(getAgent, { agent_id: 'x-17' }, onlyAna)).rejects.toThrow(/^Agent not found: x-17$/)
  })

  test('nothing is said of one that is there, and of a period without calls where they are', async () => {
    expect((await service.ask(listInteractions, { agent_id: 'x-17' })).why_empty).toBeUndefined()
    expect((await service.ask(listInteractions, { agent_id: 'x-17', min_score: 5 })).why_empty).toBeUndefined()
    expect((await service.ask(getScoreDistribution, { start_date: '2026-04-01' })).why_empty).toEqual({
      first_call: '2026-03-01T10:00:00.000Z',
      last_call: '2026-03-04T10:00:00.000Z',
    })
  })
})
