import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CallRecord } from '../../src/calls/call-record.js'
import { searchCalls } from '../../src/questions/search-calls.js'
import { type Asking, asking, caller } from '../support/asking.js'
import { call } from '../support/call.js'

const calls: readonly CallRecord[] = [
  call('a', {
    created_dt: '2026-03-01T00:30:00+01:00',
    score: 4.5,
    title: 'Card lost',
    interaction_driver: 'replace card',
  }),
  call('b', {
    agent_name: 'Ben',
    created_dt: '2026-03-02T09:00:00Z',
    score: 2,
    coaching_summary: 'Was polite. Forgot to greet.',
    signals: [
      { key: 'sig.escalation', state: 'present' },
      { key: 'sig.greeting_given', state: 'absent' },
    ],
    outcome_lift: { lift: -0.2, lift_band: 'negative' },
    conditions: [{ key: 'capped_by.rude', turn: 0, text: 'the agent was rude' }],
    transcript: [{ turn: 0, actor: 'customer', text: 'I want 100% of my MONEY back (now)', start_s: 0, end_s: 4.5 }],
  }),
  call('c', {
    created_dt: '2026-03-02T09:00:00Z',
    interaction_direction: 'outbound',
    guidance: [{ key: 'guide.x', kind: 'opportunity' }],
    // Not what the score hangs on, whatever it is called.
    conditions: [{ key: 'capped_byrude' }, { key: 'hold' }],
  }),
  call('d', {
    created_dt: '2026-03-03T23:59:59.999Z',
    score: 4.5,
    outcome_lift: { lift: 0.4, lift_band: 'strong_positive' },
  }),
]

let service: Asking
beforeAll(async () => {
  service = await asking('Europe/Berlin')
  await service.import('p', calls)
  await service.import('other', [call('stranger', { score: 5, title: 'Card lost too' })])
})
afterAll(() => service.close())

const ids = async (args: object, who = caller()) =>
  (await service.ask(searchCalls, args, who)).calls.map(one => one.session_id)

describe('filters', () => {
  test.each<[object, string[]]>([
    [{}, ['d', 'b', 'c', 'a']],
    [{ agent_name: ' Ben ' }, ['b']],
    [{ agent_name: 'ben' }, []],
    [{ min_score: 4 }, ['d', 'a']],
    [{ min_score: 2, max_score: 2 }, ['b']],
    [{ lift_band: 'negative' }, ['b']],
    [{ capped: true }, ['b']],
    [{ capped: false }, ['d', 'c', 'a']],
    [{ driver: 'replace card' }, ['a']],
    [{ direction: 'outbound' }, ['c']],
    [{ signal_key: 'sig.escalation' }, ['b']],
    [{ signal_key: 'sig.greeting_given' }, []],
    [{ guide_key: 'guide.x' }, ['c']],
    [{ text: 'money BACK' }, ['b']],
    [{ text: '100% (now)' }, ['b']],
    [{ text: 'greet card' }, []],
    [{ text: 'forgot' }, ['b']],
    [{ text: '.*' }, []],
    [{ text: '   ' }, ['d', 'b', 'c', 'a']],
    [{ text: '"money back"' }, ['b']],
    [{ text: '"MONEY   Back" forgot' }, ['b']],
    [{ text: '“want 100%” "to greet"' }, ['b']],
    [{ text: '"back money"' }, []],
    [{ text: '"card lost" money' }, []],
    // The summary ends and the transcript begins with another line: no phrase goes across.
    [{ text: '"greet. I want"' }, []],
    [{ text: '"" card' }, ['a']],
    [{ text: '"card lost' }, []],
    [{ text: 'card "' }, []],
    [{ min_duration_s: 4.5 }, ['b']],
    [{ min_duration_s: 1, max_duration_s: 4.4 }, []],
    [{ max_duration_s: 4.5 }, ['b']],
    [{ min_duration_s: 0 }, ['b']],
  ])('%j finds %j', async (args, expected) => {
    expect(await ids(args)).toEqual(expected)
  })
})

describe('accents', () => {
  let own: Asking
  beforeAll(async () => {
    own = await asking()
    await own.import('p', [
      call('spanish', { title: 'Cancelación de la línea', created_dt: '2026-03-01T09:00:00Z' }),
      call('german', { coaching_summary: 'Fragt nach der RÜCKERSTATTUNG', created_dt: '2026-03-02T09:00:00Z' }),
      call('greek', { title: 'Λάθος λογαριασμός', created_dt: '2026-03-03T09:00:00Z' }),
      call('swiss', { title: 'Neue Strasse', created_dt: '2026-03-05T09:00:00Z' }),
      call('GERMAN', { title: 'NEUE STRAẞE', created_dt: '2026-03-06T09:00:00Z' }),
      call('GREEK', { title: 'ΛΆΘΟΣ ΛΟΓΑΡΙΑΣΜΌΣ', created_dt: '2026-03-04T09:00:00Z' }),
    ])
  })
  afterAll(() => own.close())

  test.each([
    ['cancelación', ['spanish']],
    ['CANCELACION', ['spanish']],
    ['cancelacio\u0301n', ['spanish']],
    ['"de la linea"', ['spanish']],
    ['rückerstattung', ['german']],
    ['ruckerstattung', ['german']],
    // An accent too many is forgiven as well.
    ['frägt', ['german']],
    ['cancelatión', []],
    // Of a capital sigma it can't be told whether a word ends there.
    ['λαθος', ['GREEK', 'greek']],
    ['ΛΑΘΟΣ', ['GREEK', 'greek']],
    ['λογαριασ', ['GREEK', 'greek']],
    ['"λάθος λογαριασμός"', ['GREEK', 'greek']],
    ['ς', ['GREEK', 'greek']],
    ['λαθοςς', []],
    // A text in capitals, or of Switzerland, has no such letter.
    ['straße', ['GERMAN', 'swiss']],
    ['"neue Straße"', ['GERMAN', 'swiss']],
    ['strase', []],
  ])('%s finds %j', async (text, expected) => {
    const { calls: found } = await own.ask(searchCalls, { text }, caller())
    expect(found.map(one => one.session_id)).toEqual(expected)
  })
})

describe('bad filters', () => {
  test.each<[object, string | RegExp]>([
    [{ min_duration_s: 60, max_duration_s: 59 }, '"min_duration_s" must not be above "max_duration_s"'],
    [{ min_duration_s: -1 }, /"min_duration_s" must be/],
    [{ max_duration_s: 'x' }, /"max_duration_s" must be a number/],
    [{ text: `"${'long '.repeat(2_000)}"` }, /"text" must have at most 200 characters/],
  ])('%# are refused by name', async (args, sentence) => {
    await expect(ids(args)).rejects.toThrow(sentence)
  })
})

describe('why', () => {
  let own: Asking
  beforeAll(async () => {
    own = await asking()
    const rated = (key: string, value: number, range = [1, 5]) => ({ key, display_name: key, value, range })
    await own.import('p', [
      call('capped', {
        score: 1,
        scores: [rated('opening', 1)] as never,
        conditions: [
          { key: 'greeting', turn: 0, text: 'hello' },
          { key: 'capped_by.rude', text: 'the agent was rude' },
        ],
      }),
      // In points, opening is further from its best; resolution weighs more.
      call('weighed', { score: 3, scores: [rated('opening', 3), rated('resolution', 3.4)] as never }),
      call('elsewhere', { score: 3, scores: [rated('a', 9, [0, 10]), rated('b', 2.5, [0, 5])] as never }),
      call('best', { score: 5, scores: [rated('opening', 5)] as never }),
      call('unscored', { scores: [rated('opening', 1)] as never }),
    ])
  })
  afterAll(() => own.close())

  test('says the cap, or the dimension that cost most by its weight, of calls with a score', async () => {
    const { calls: found } = await own.ask(searchCalls)
    expect(Object.fromEntries(found.map(one => [one.session_id, one.why]))).toEqual({
      capped: { cap: 'rude', reason: 'the agent was rude' },
      weighed: { dimension: 'resolution', value: 3.4 },
      elsewhere: { dimension: 'b', value: 2.5 },
      best: undefined,
      unscored: undefined,
    })
  })
})

describe('dates', () => {
  test('are days of the project’s time zone: a call half past midnight in Berlin is on the 1st there', async () => {
    expect(await ids({ date_from: '2026-03-01', date_to: '2026-03-01' })).toEqual(['a'])
    // 23:59:59.999 UTC on the 3rd is the 4th in Berlin.
    expect(await ids({ date_to: '2026-03-03' })).toEqual(['b', 'c', 'a'])
  })

  test('a date-time as upper bound is included', async () => {
    expect(await ids({ date_from: '2026-03-02T09:00:00Z', date_to: '2026-03-02T09:00:00Z' })).toEqual(['b', 'c'])
  })

  test('the window is echoed as resolved: without bounds from the first call to now', async () => {
    const { window } = await service.ask(searchCalls)
    expect(window).toEqual({
      from: '2026-02-28T23:30:00.000Z',
      to: '2026-03-15T12:00:00.000Z',
      time_zone: 'Europe/Berlin',
    })
  })

  test('a window without calls is an answer, not an error', async () => {
    const answer = await service.ask(searchCalls, { date_from: '2020-01-01', date_to: '2020-01-31' })
    expect(answer).toMatchObject({ calls: [], count: 0, total: 0 })
  })

  test('reversed bounds are an error that names both', async () => {
    await expect(ids({ date_from: '2026-03-02', date_to: '2026-03-01' })).rejects.toThrow(
      '"date_from" "2026-03-02" is after "date_to" "2026-03-01"',
    )
  })
})

describe('order and pages', () => {
  test.each<[string, string[]]>([
    ['date_asc', ['a', 'b', 'c', 'd']],
    ['score_desc', ['a', 'd', 'b', 'c']],
    ['score_asc', ['b', 'a', 'd', 'c']],
    ['lift_desc', ['d', 'b', 'a', 'c']],
  ])('%s puts calls without the value last and breaks ties by id, page by page as at once', async (sort, expected) => {
    expect(await ids({ sort })).toEqual(expected)
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page = await service.ask(searchCalls, { sort, limit: 1, ...(cursor === undefined ? {} : { cursor }) })
      expect(page.total).toBe(4)
      seen.push(...page.calls.map(one => one.session_id))
      cursor = page.next_cursor
    } while (cursor !== undefined)
    expect(seen).toEqual(expected)
  })
})

test('a call in a list carries what helps to choose it', async () => {
  const { calls: found } = await service.ask(searchCalls, { agent_name: 'Ben' })
  expect(found).toEqual([
    {
      session_id: 'b',
      agent_name: 'Ben',
      date: '2026-03-02T09:00:00.000Z',
      duration_s: 4.5,
      score: 2,
      lift: -0.2,
      lift_band: 'negative',
      signal_count: 1,
      summary: 'Was polite.',
      why: { cap: 'rude', reason: 'the agent was rude' },
    },
  ])
})

describe('scope', () => {
  test('a key for one agent sees and counts only that agent', async () => {
    const answer = await service.ask(searchCalls, {}, caller({ is_supervisor: true, allowed_agents: ['Ben'] }))
    expect(answer.total).toBe(1)
    expect(answer.calls.map(one => one.agent_name)).toEqual(['Ben'])
    expect(answer.window.from).toBe('2026-03-02T09:00:00.000Z')
  })

  test('a mapped key without agents hears nothing, as over an empty project', async () => {
    const answer = await service.ask(searchCalls, {}, caller({ require_mapping: true }))
    expect(answer).toEqual({
      window: { to: '2026-03-15T12:00:00.000Z', time_zone: 'Europe/Berlin' },
      lift_outcome: 'predicted_csat',
      calls: [],
      count: 0,
      total: 0,
    })
  })

  test('another project is out of reach', async () => {
    expect(await ids({ text: 'too' })).toEqual([])
    await expect(ids({ project_id: 'other' })).rejects.toThrow(/unknown argument "project_id"/i)
  })
})

describe('bad arguments', () => {
  test.each<[object, RegExp]>([
    [{ limit: 0 }, /"limit"/],
    [{ limit: '10' }, /"limit"/],
    [{ limit: 51 }, /"limit"/],
    [{ sort: 'date' }, /"sort".*date_desc/],
    [{ agent: 'Ana' }, /unknown argument "agent", did you mean "agent_name"/i],
    [{ min_score: 4, max_score: 3 }, /"min_score" must not be above "max_score"/],
    [{ date_from: 'yesterday-ish' }, /"date_from".*2026-03-01/],
    [{ date_from: '2026-02-30' }, /"date_from"/],
    [{ text: 'x'.repeat(201) }, /"text"/],
    [{ agent_name: 'a\u0000b' }, /"agent_name"/],
    [{ cursor: 'x'.repeat(5000) }, /"cursor"/],
  ])('bad arguments %# are refused by name', async (args, sentence) => {
    await expect(ids(args)).rejects.toThrow(sentence)
  })
})
