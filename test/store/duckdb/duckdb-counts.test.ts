import { beforeEach, describe, expect, it, vi } from 'vitest'
import { countsShape, narrowCounts, parsePipeline } from '../../../src/pipeline/index.js'
import { scope } from '../../../src/pipeline/scope.js'
import type { DuckDbStore } from '../../../src/store/duckdb/duckdb-store.js'
import { IS_ONE_DAY } from '../../../src/store/day-blocks.js'
import { sized } from '../../support/whole.js'
import { call, openedOnce, openStore, rows } from './support.js'

const MOVES = sized(3, 20)

/** What hangs on nothing but its own project is tried in one store. */
const shared = openedOnce(undefined, { rememberBytes: 1024 * 1024, countedAtOnce: 10 })
let projects = 0
const ownProject = () => `own-${(projects += 1)}`

/** How many calls there are before a day, by counts; undefined for none. */
async function callsBefore(store: DuckDbStore, day: string, agents: 'all' | readonly string[] = 'all', project = 'p') {
  const parsed = parsePipeline([{ $group: { _id: null, calls: { $sum: '$calls' } } }], {
    shape: countsShape({ by: 'agent' }),
    now: new Date('2026-03-09'),
  })
  const spans = [{ before: new Date(day) }]
  const counts = narrowCounts(parsed, scope(project, agents), { by: 'agent', spans, timeZone: 'UTC' })
  const { documents } = await store.counts.run(counts, { lane: 'light', deadlineMs: 60_000, maxDocuments: 10 })
  return documents[0]?.['calls']
}

it('reads no call of a day that is counted, and the calls of no day but those that were changed', async () => {
  const project = ownProject()
  const day = (n: number) => `2026-03-0${n}T10:00:00.000Z`
  await shared().calls.upsert(
    project,
    [1, 2, 3].map(n => call(`s${n}`, { created_dt: day(n) })),
  )
  expect(await shared().counts.countDays(project, 'UTC')).toBe(3)
  const days = () =>
    rows(shared(), `select strftime(day, '%d') from counted_days where project_id = $1 order by day`, [project])
  expect(await days()).toEqual([['01'], ['02'], ['03']])
  await shared().calls.upsert(project, [call('s3', { created_dt: day(1) })])
  expect(await days()).toEqual([['02']])
  expect(await shared().counts.countDays(project, 'UTC')).toBe(1)
  expect(await days()).toEqual([['01'], ['02']])
  await shared().calls.erase(project, 's2')
  expect(await days()).toEqual([['01']])
})

it('says how many days it has counted, and how many are left', async () => {
  const project = ownProject()
  const day = (n: number) => `2026-03-0${n}T10:00:00.000Z`
  // Each two of them are more than are counted together, so that each of these days is a piece.
  const calls = [2, 9, 2].flatMap((count, n) =>
    Array.from({ length: count }, (_, i) => call(`s${n}-${i}`, { created_dt: day(n + 1) })),
  )
  await shared().calls.upsert(project, calls)
  const told: unknown[] = []
  await shared().counts.countDays(project, 'UTC', { progress: done => told.push(done) })
  expect(told).toEqual([
    { made: 1, left: 2 },
    { made: 2, left: 1 },
    { made: 3, left: 0 },
  ])
})

describe('a day', () => {
  const at = (time: string, fields = {}) => call(time, { created_dt: `2026-03-${time}:00.000Z`, ...fields })
  const minutes = (from: number, count: number) =>
    Array.from({ length: count }, (_, i) =>
      at(`01T10:${String(from + i).padStart(2, '0')}`, {
        interaction_driver: 'billing',
        transcript: [{ turn: 0, actor: 'Agent', text: 'Hello' }],
      }),
    )
  const listed = (project: string) =>
    rows(
      shared(),
      `select strftime(day, '%d'), counted_to is not null,
         (select sum(calls)::integer from agent_days a where a.project_id = $1 and a.day = d.day and ${IS_ONE_DAY}),
         (select sum(calls)::integer from value_days a where a.project_id = $1 and a.day = d.day and ${IS_ONE_DAY} and counted_by = 'driver')
       from counted_days d where project_id = $1 order by day`,
      [project],
    )
  const counting = async (project: string, now: string) => {
    vi.setSystemTime(`2026-03-${now}Z`)
    return await shared().counts.countDays(project, 'UTC')
  }
  const said = (project: string) => callsBefore(shared(), '2026-03-09', 'all', project)
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'] })
    return () => vi.useRealTimers()
  })
  /** Of 25 calls of one day, in three writes. */
  const opened = async () => {
    const project = ownProject()
    for (const [from, count] of [
      [0, 10],
      [10, 10],
      [20, 5],
    ] as const)
      // oxlint-disable-next-line no-await-in-loop -- one write after the other
      await shared().calls.upsert(project, minutes(from, count))
    return project
  }

  it('with more calls than are counted at once is counted write by write', async () => {
    const project = await opened()
    vi.setSystemTime('2026-03-05Z')
    const told: unknown[] = []
    await shared().counts.countDays(project, 'UTC', { progress: done => told.push(done) })
    expect(told).toEqual([
      { made: 1, left: 1 },
      { made: 2, left: 1 },
      { made: 3, left: 0 },
    ])
    expect(await listed(project)).toEqual([['01', false, 25, 25]])
  })

  it('that goes on stays counted when calls come to it, late ones too, and is counted whole when it is over', async () => {
    const project = await opened()
    expect(await counting(project, '01T11:30')).toBe(3)
    const open = [['01', true, 25, 25]]
    expect(await listed(project)).toEqual(open)
    await shared().calls.upsert(project, [at('01T11:29')])
    await shared().calls.upsert(project, [call('late', { created_dt: '2026-03-01T09:00:00.000Z' })])
    expect([await listed(project), await said(project)]).toEqual([open, 27])
    expect(await counting(project, '01T12:00')).toBe(1)
    expect([await listed(project), await said(project)]).toEqual([[['01', true, 27, 25]], 27])
    expect(await counting(project, '02T00:59')).toBe(0)
    // What came behind is counted with it, and what comes later takes it off the list.
    await shared().calls.upsert(project, [at('01T23:59')])
    expect(await counting(project, '02T01:00')).toBe(1)
    expect([await listed(project), await said(project)]).toEqual([[['01', false, 28, 25]], 28])
    await shared().calls.upsert(project, [at('01T23:58')])
    expect([await listed(project), await said(project)]).toEqual([[], 29])
  })

  it('that goes on is counted whole when it is over and nothing came behind, and so are those after it', async () => {
    const project = ownProject()
    await shared().calls.upsert(project, minutes(0, 10))
    await counting(project, '01T12:30')
    await shared().calls.upsert(project, [at('03T10:00')])
    await counting(project, '04T02:00')
    expect(await listed(project)).toEqual([
      ['01', false, 10, 10],
      ['02', false, null, null],
      ['03', false, 1, null],
    ])
  })

  it.each<[string, (calls: DuckDbStore['calls'], project: string, id: string) => Promise<unknown>, number]>([
    ['is erased', (calls, project, id) => calls.erase(project, id), -1],
    ['loses its transcript', (calls, project, id) => calls.eraseTranscripts(project, [id]), 0],
    [
      'is replaced',
      (calls, project, id) => calls.upsert(project, [call(id, { created_dt: '2026-03-01T08:00:00.000Z' })]),
      0,
    ],
    [
      'is evaluated',
      async (kept, project, id) => {
        const choice = { which: 'everything', rubric: 'r', rubricVersion: '2', before: 0 } as const
        const chosen = await kept.chooseToEvaluate(project, choice)
        const { calls } = await kept.toEvaluate(project, chosen, chosen.first)
        const json = JSON.stringify({ score: 4 })
        await kept.writeEvaluations(
          project,
          calls.filter(one => one.session_id === id).map(found => ({ ...found, json })),
        )
      },
      0,
    ],
    [
      'is masked',
      async (calls, project, id) => {
        const { last } = await calls.countTexts(project)
        const page = await calls.texts(project, undefined, last)
        await calls.writeTexts(
          project,
          page.filter(one => one.session_id === id),
        )
      },
      0,
    ],
  ])(
    'that goes on is counted anew when a call that is counted %s, not for one that is not',
    async (_, change, more) => {
      const project = ownProject()
      const { calls } = shared()
      await calls.upsert(project, minutes(0, 10))
      await counting(project, '01T12:30')
      await calls.upsert(project, [at('01T12:29', { transcript: [{ turn: 0, actor: 'Agent', text: 'Bye' }] })])
      const found = async () => [await listed(project), await said(project)]
      await change(calls, project, '01T12:29')
      expect(await found()).toEqual([[['01', true, 10, 10]], 11 + more])
      await change(calls, project, '01T10:07')
      expect(await found()).toEqual([[], 11 + 2 * more])
      await counting(project, '01T12:40')
      expect(await said(project)).toBe(11 + 2 * more)
    },
  )

  it('that goes on as the first of all is off the list when a call came before it', async () => {
    const project = ownProject()
    await shared().calls.upsert(project, minutes(0, 10))
    await counting(project, '01T12:30')
    await shared().calls.upsert(project, [call('old', { created_dt: '2026-02-01T10:00:00.000Z' })])
    expect([await listed(project), await said(project)]).toEqual([[], 11])
  })
})

it('counts the days of one zone only', async () => {
  const project = ownProject()
  await shared().calls.upsert(project, [call('s1'), call('s2', { created_dt: '2026-03-02T12:00:00Z' })])
  const zones = () => rows(shared(), 'select distinct time_zone from counted_days where project_id = $1', [project])
  expect(await shared().counts.countDays(project, 'Europe/Berlin')).toBe(2)
  expect(await shared().counts.countDays(project, 'Pacific/Chatham')).toBe(2)
  expect(await zones()).toEqual([['Pacific/Chatham']])
})

it('keeps nothing of a day whose calls were all erased, and no value that was masked', async () => {
  const project = ownProject()
  await shared().calls.upsert(
    project,
    [1, 2].map(n =>
      call(`s${n}`, {
        created_dt: `2026-03-0${n}T10:00:00.000Z`,
        agent_id: `a${n}`,
        agent_name: `Agent ${n}`,
        interaction_driver: `reason ${n}`,
      }),
    ),
  )
  await shared().counts.countDays(project, 'UTC')
  const ofProject = (what: string, more = '') =>
    rows(shared(), `select ${what} where project_id = $1 ${more} order by 1`, [project])
  const kept = async () => ({
    days: await ofProject('distinct agent_name from agent_days'),
    values: await ofProject('distinct key from value_days', `and key like 'reason%'`),
    ofAgents: await ofProject('count(distinct day)::int from agent_value_days'),
    agents: await ofProject('agent_name from counted_agents'),
    named: await ofProject('key from counted_values', `and key like 'reason%'`),
  })
  await shared().calls.erase(project, 's2')
  await shared().counts.countDays(project, 'UTC')
  const first = { days: [['Agent 1']], agents: [['Agent 1']], ofAgents: [[1]] }
  expect(await kept()).toEqual({ ...first, values: [['reason 1']], named: [['reason 1']] })
  const { last } = await shared().calls.countTexts(project)
  const page = await shared().calls.texts(project, undefined, last)
  await shared().calls.writeTexts(
    project,
    page.map(found => ({
      ...found,
      json: JSON.stringify({ ...JSON.parse(found.json), interaction_driver: '[masked]' }),
    })),
  )
  await shared().counts.countDays(project, 'UTC')
  expect(await kept()).toEqual({ ...first, values: [], named: [] })
})

it('counts what calls have when none has what was looked for first: no reasons, yet signals on many days of many agents', async () => {
  const store = await openStore()
  const start = Date.parse('2026-01-01T12:00:00Z')
  const calls = Array.from({ length: 2_600 }, (_, i) =>
    call(`s${i}`, {
      agent_id: `agent-${i % 20}`,
      agent_name: `Agent ${i % 20}`,
      created_dt: new Date(start + Math.floor(i / 20) * 86_400_000).toISOString(),
      evaluation: { evaluator: 'rules', rubric: 'r', rubric_version: '1', evaluated_at: '2026-06-01T00:00:00Z' },
      signals: ['sig.a', 'sig.b', 'sig.c', 'sig.d'].map(key => ({ key, state: 'present' })),
    }),
  )
  for (let from = 0; from < calls.length; from += 1_300) {
    // oxlint-disable-next-line no-await-in-loop -- one batch after the other
    await store.calls.upsert('p', calls.slice(from, from + 1_300))
  }
  await store.counts.countDays('p', 'UTC')
  const counted = await rows(
    store,
    `select key, sum(n)::integer from (select project_id, counted_by, block, unnest(numbered) as numbered, unnest(calls) as n from agent_value_days)
       join counted_values using (project_id, counted_by, numbered)
     where counted_by = 'signal' and ${IS_ONE_DAY} group by key order by key`,
  )
  expect(counted).toEqual(['sig.a', 'sig.b', 'sig.c', 'sig.d'].map(key => [key, 2_600]))
})

describe('what was found of counted days', () => {
  const day = (n: number) => `2026-03-0${n}T10:00:00.000Z`
  const opened = async () => {
    const project = ownProject()
    await shared().calls.upsert(
      project,
      [1, 2, 3, 4].map(n =>
        call(`s${n}`, { created_dt: day(n), ...(n % 2 === 0 && { agent_id: 'ben', agent_name: 'Ben' }) }),
      ),
    )
    await shared().counts.countDays(project, 'UTC')
    return project
  }
  /** How many calls of the first days there are, by counts; and whether that was found before. */
  const asked = async (project: string, agents: 'all' | readonly string[] = 'all') => {
    const { given } = shared().load().remembered
    const calls = await callsBefore(shared(), '2026-03-04', agents, project)
    return { calls: calls ?? 0, given: shared().load().remembered.given > given }
  }

  it('is given again when calls of other days came', async () => {
    const project = await opened()
    expect(await asked(project)).toEqual({ calls: 3, given: false })
    await shared().calls.upsert(project, [call('s5', { created_dt: day(5) }), call('s6', { created_dt: day(4) })])
    expect(await asked(project)).toEqual({ calls: 3, given: true })
    await shared().counts.countDays(project, 'UTC')
    expect(await asked(project)).toEqual({ calls: 3, given: true })
  })

  it('is not when one of its days had a late call, lost one, or one of it went to another agent, counted anew or not', async () => {
    const project = await opened()
    await asked(project)
    await asked(project, ['Ana'])
    await shared().calls.upsert(project, [call('late', { created_dt: day(2) })])
    expect([await asked(project), await asked(project, ['Ana'])]).toEqual([
      { calls: 4, given: false },
      { calls: 3, given: false },
    ])
    await shared().counts.countDays(project, 'UTC')
    expect(await asked(project)).toEqual({ calls: 4, given: false })
    await shared().calls.erase(project, 's1')
    expect(await asked(project)).toEqual({ calls: 3, given: false })
    await shared().counts.countDays(project, 'UTC')
    await asked(project, ['Ana'])
    await shared().calls.upsert(project, [call('s3', { created_dt: day(3), agent_id: 'ben', agent_name: 'Ben' })])
    expect([await asked(project), await asked(project, ['Ana'])]).toEqual([
      { calls: 3, given: false },
      { calls: 1, given: false },
    ])
  })

  it('is not when a call came before the first of its days', async () => {
    const project = await opened()
    await asked(project)
    await shared().calls.upsert(project, [call('old', { created_dt: '2020-01-01T10:00:00.000Z' })])
    expect(await asked(project)).toEqual({ calls: 4, given: false })
    // By its day it is known, without looking for such calls each time.
    expect(
      await rows(shared(), 'select day(day)::integer from counted_days where project_id = $1 order by 1', [project]),
    ).toEqual([[2], [3], [4]])
    await shared().calls.erase(project, 'old')
    expect((await asked(project)).calls).toBe(3)
  })

  it('is nobody’s who hears less', async () => {
    const project = await opened()
    expect([
      await asked(project),
      await asked(project, ['Ben']),
      await asked(project, []),
      await asked(project),
    ]).toEqual([
      { calls: 3, given: false },
      { calls: 1, given: false },
      { calls: 0, given: false },
      { calls: 3, given: true },
    ])
  })

  it('goes with its days once they are counted', async () => {
    const project = await opened()
    await asked(project)
    const { bytes } = shared().load().remembered
    await shared().calls.erase(project, 's1')
    await shared().counts.countDays(project, 'UTC')
    expect(shared().load().remembered.bytes).toBeLessThan(bytes)
  })
})

it.each([1, 50_000])(
  'has each call once while calls go from day to day and days are counted, %i calls at a time',
  async countedAtOnce => {
    // Each answer is found anew.
    const store = await openStore({ rememberBytes: 0, threads: 2, countedAtOnce })
    const ids = [0, 1, 2, 3, 4, 5]
    const onDay = (id: number, day: number) => call(`s${id}`, { created_dt: `2026-03-0${1 + day}T10:00:00.000Z` })
    await store.calls.upsert(
      'p',
      ids.map(id => onDay(id, id)),
    )
    const over = new AbortController()
    // oxlint-disable no-await-in-loop -- one after the other
    const asking = async () => {
      const answers: unknown[] = []
      while (!over.signal.aborted) answers.push(await callsBefore(store, '2026-03-08'))
      return answers
    }
    const counting = async () => {
      while (!over.signal.aborted) await store.counts.countDays('p', 'UTC')
    }
    const asked = Promise.all([asking(), asking(), asking()])
    const alsoCounted = counting()
    for (let move = 0; move < MOVES; move += 1) {
      const id = move % ids.length
      await store.calls.upsert('p', [onDay(id, (id + move + 1) % 7)])
    }
    // oxlint-enable no-await-in-loop
    over.abort()
    await alsoCounted
    const answers = (await asked).flat()
    expect(answers.filter(calls => calls !== ids.length)).toEqual([])
    expect(answers.length).toBeGreaterThan(MOVES)
  },
)

it('counts days off between days with calls, so that days follow one another', async () => {
  const project = ownProject()
  const at = (day: string) => call(day, { created_dt: `${day}T10:00:00.000Z` })
  await shared().calls.upsert(project, [at('2026-03-06')])
  await shared().counts.countDays(project, 'UTC')
  await shared().calls.upsert(project, [at('2026-03-09'), at('2026-05-01')])
  await shared().counts.countDays(project, 'UTC')
  expect(
    await rows(shared(), `select strftime(day, '%m-%d') from counted_days where project_id = $1 order by day`, [
      project,
    ]),
  ).toEqual(['03-06', '03-07', '03-08', '03-09', '05-01'].map(one => [one]))
})
