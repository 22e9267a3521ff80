import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CallRecord } from '../../src/calls/call-record.js'
import { namesProject, type Received, runOperation } from '../../src/operations/operation.js'
import { operations } from '../../src/operations/operations.js'
import { getGroups } from '../../src/questions/get-groups.js'
import { prompts } from '../../src/questions/prompts/prompts.js'
import type { Question } from '../../src/questions/question.js'
import { questions } from '../../src/questions/questions.js'
import { resources } from '../../src/questions/resources/resources.js'
import { restQuestions } from '../../src/questions/rest-questions.js'
import { servicesOf } from '../support/api.js'
import { type Asking, asking, caller } from '../support/asking.js'
import { promptRows, resourceRows, toolRows } from '../support/matrix/rows.js'
import { Random } from '../support/random.js'
import { canaryCall } from '../support/text-free.js'

/**
 * A key with min_group is told of an agent's calls of a whole month, where they are as many, and of nothing else. Attacks by
 * difference compare two worlds, or two answers, that a single call tells apart.
 */

const LEAST = 4
const grouped = caller({ min_group: LEAST, roles: ['Admin', 'Supervisor'] })
const context = { requestId: 'r' }

let service: Asking
beforeAll(async () => {
  service = await asking('UTC')
})
afterAll(() => service.close())

interface Cell {
  readonly agent_name: string
  readonly calls: number
  readonly average_score?: number
  readonly signals: readonly { readonly signal_key: string; readonly present: number }[]
}

const groups = async (args: object = {}, who = grouped) =>
  ((await service.answering.answer(getGroups, who, args, context)) as { groups: readonly Cell[] }).groups

let stored: readonly string[] = []
async function become(calls: readonly CallRecord[]) {
  const ids = new Set(calls.map(({ session_id: id }) => id))
  const gone = stored.filter(id => !ids.has(id))
  // An erased id stays erased.
  await service.store.calls.eraseAll('p', gone)
  stored = [...ids]
  await service.import('p', calls)
}

let made = 0
/** @param isScored whether somebody scored it */
function call(agent: string, month: number, more: Partial<CallRecord> = {}, isScored = true): CallRecord {
  made += 1
  const day = String(1 + (made % 28)).padStart(2, '0')
  return {
    session_id: `c${made}`,
    agent_name: agent,
    agent_id: agent.toLowerCase(),
    created_dt: `2026-0${month}-${day}T10:00:00Z`,
    ...(isScored && { score: 1 + (made % 9) / 2 }),
    signals: [{ key: 'sig.escalation', state: made % 2 === 0 ? 'present' : 'absent' }],
    evaluation: { evaluator: 'imported' },
    ...more,
  }
}
const present = { signals: [{ key: 'sig.rare', state: 'present' as const }] }

describe('the figures of groups', () => {
  test('are over as many calls as the key says, or not there', async () => {
    await become([
      ...Array.from({ length: 6 }, () => call('Ana', 2, { score: 3 })),
      ...Array.from({ length: 3 }, () => call('Ben', 2)),
      ...Array.from({ length: 4 }, () => call('Cleo', 2, {}, false)),
    ])
    const found = await groups()
    expect(found.map(({ agent_name: name, calls }) => [name, calls])).toEqual([
      ['Ana', 6],
      ['Cleo', 4],
    ])
    expect(found[0]).toMatchObject({ average_score: 3, signals: [] })
    expect(found[1]).not.toHaveProperty('average_score')
    expect(await groups({ month: '2026-01' })).toEqual([])
  })

  test('a signal that all but a few calls show, or only a few, is not told', async () => {
    const show = (agent: string, shown: number, of: number) =>
      Array.from({ length: of }, (_, i) => call(agent, 2, i < shown ? present : { signals: [] }))
    await become([...show('Ana', 3, 12), ...show('Ben', 4, 12), ...show('Cleo', 8, 12), ...show('Dora', 9, 12)])
    expect((await groups()).map(({ agent_name: name, signals }) => [name, signals])).toEqual([
      ['Ana', []],
      ['Ben', [{ signal_key: 'sig.rare', present: 4 }]],
      ['Cleo', [{ signal_key: 'sig.rare', present: 8 }]],
      ['Dora', []],
    ])
  })

  test('are narrowed like any answer, and the same for a key of one agent as for one of all', async () => {
    await become([...Array(5)].flatMap(() => [call('Ana', 2), call('Ben', 2)]))
    const ana = await groups({}, caller({ min_group: LEAST, allowed_agents: ['Ana'] }))
    expect(ana).toEqual((await groups()).filter(({ agent_name: name }) => name === 'Ana'))
    expect(await groups({}, caller({ min_group: LEAST, require_mapping: true }))).toEqual([])
  })
})

describe('a mean', () => {
  /** Values whose mean is this one exactly, as decimals; as doubles their sums are not, and differ with their order. */
  const around = (mean: number) =>
    Array.from({ length: 60 }, (_, at) => Number((mean + (at % 2 === 0 ? at : 1 - at) * 0.013).toFixed(3)))
  const values = { score: around(4.025), csat: around(4.015), seconds: around(612.345) }

  test('is the same in whatever order calls came, and half of its last digit is rounded up', async () => {
    const random = new Random(7)
    const shuffled = <T>(items: readonly T[]) =>
      items.map(item => ({ item, at: random.int(0, 1e9) })).toSorted((a, b) => a.at - b.at)
    for (let turn = 0; turn < 8; turn += 1) {
      const calls = shuffled(values.score).map(({ item: score }, at) =>
        call('Ana', 2, {
          score,
          predicted_csat: values.csat[at]!,
          talk_patterns: { total_duration_s: values.seconds[at]! },
        }),
      )
      // oxlint-disable-next-line no-await-in-loop -- one order after the other
      await become(shuffled(calls).map(({ item }) => item))
      // oxlint-disable-next-line no-await-in-loop -- as above
      expect(await groups()).toMatchObject([
        { average_score: 4.03, average_predicted_csat: 4.02, average_duration_s: 612.35 },
      ])
    }
  })
})

describe('attacks by difference', () => {
  const many = (agent: string, month: number, count: number) => Array.from({ length: count }, () => call(agent, month))

  test('a call of a group that is too small can be there or not: the answer is the same', async () => {
    const crowd = [...many('Ana', 1, 6), ...many('Ana', 2, 6), ...many('Ben', 2, 2)]
    await become(crowd)
    const before = [await groups(), await groups({ month: '2026-01' })]
    await become([...crowd, call('Ben', 2, { score: 1, ...present })])
    expect([await groups(), await groups({ month: '2026-01' })]).toEqual(before)
  })

  test('no period can be cut so that it differs from another by a few calls', async () => {
    const attempts = [
      { month: '2026-02-01' },
      { month: '2026-02-01 to 2026-02-27' },
      { month: '2026-W08' },
      { month: 'last 3 days' },
      { month: '2026-03' },
      { month: '2026-13' },
      { date_from: '2026-02-02' },
      { agent_name: 'Ana' },
      { signal_key: 'sig.escalation' },
      { min_score: 2 },
    ]
    const told = await Promise.all(attempts.map(args => groups(args).then(String, () => 'refused')))
    expect(told).toEqual(attempts.map(() => 'refused'))
  })

  test('months and agents are apart: what one is told of two adds up to both, and nothing is told of their sum', async () => {
    await become([...many('Ana', 1, 5), ...many('Ana', 2, 7), ...many('Ben', 2, 9)])
    const answer = await service.answering.answer(getGroups, grouped, {}, context)
    expect(Object.keys(answer)).toEqual(['month', 'from', 'to', 'time_zone', 'min_group', 'groups'])
    expect((await groups()).map(({ calls }) => calls)).toEqual([7, 9])
  })

  test('who said what within a group makes no difference: only what they say together does', async () => {
    const random = new Random(24)
    for (let world = 0; world < 8; world += 1) {
      const calls = ['Ana', 'Ben', 'Cleo'].flatMap(agent => many(agent, 2, random.int(1, 12)))
      const shuffled = calls.map(one => {
        const alike = calls.filter(({ agent_name: name }) => name === one.agent_name)
        return { alike, place: alike.indexOf(one) }
      })
      const turned = calls.map((one, i) => {
        const { alike, place } = shuffled[i]!
        const { score, signals } = alike[(place + 1) % alike.length]!
        return { ...one, score, signals }
      })
      // oxlint-disable-next-line no-await-in-loop -- one world after the other
      await become(calls)
      // oxlint-disable-next-line no-await-in-loop -- as above
      const before = await groups()
      // oxlint-disable-next-line no-await-in-loop -- as above
      await become(turned)
      // oxlint-disable-next-line no-await-in-loop -- as above
      expect(await groups()).toEqual(before)
      for (const { calls: counted, signals } of before) {
        expect(counted).toBeGreaterThanOrEqual(LEAST)
        for (const { present: shown } of signals) expect(Math.min(shown, counted - shown)).toBeGreaterThanOrEqual(LEAST)
      }
    }
  })
})

describe('everything else', () => {
  const all = [...questions, ...(Object.values(restQuestions) as unknown as readonly Question[])]

  test('is refused, but for what tells of no call', async () => {
    await become(Array.from({ length: 12 }, (_, n) => canaryCall(n)))
    const asked = all.map(async question => {
      const args = toolRows[question.name]?.asks[0] ?? {}
      const told = service.answering.answer(question, grouped, args, context)
      return [
        question.name,
        await told.then(
          () => 'answered',
          (error: unknown) => (error as Error).message,
        ),
      ]
    })
    const refusal = 'This key is told of groups of at least 4 calls only, which GET /api/v1/groups gives'
    const open = new Set(['get_signals', 'search_guidance', 'get_groups', 'explain_my_scope'])
    expect(await Promise.all(asked)).toEqual(all.map(({ name }) => [name, open.has(name) ? 'answered' : refusal]))
  })

  test('of resources, prompts and completions is refused, or empty', async () => {
    const message = (error: unknown) => (error as Error).message
    const reads = resources.map(resource =>
      service.answering
        .read(resource, grouped, resourceRows[resource.uriTemplate]?.asks[0] ?? {}, context)
        .then(() => 'answered', message),
    )
    const texts = prompts.map(prompt =>
      service.answering.write(prompt, grouped, promptRows[prompt.name]?.asks[0] ?? {}, context).then(() => '', message),
    )
    for (const told of await Promise.all([...reads, ...texts]))
      expect(told).toContain('groups of at least 4 calls only')
    const transcript = resources.find(({ uriTemplate }) => uriTemplate.endsWith('transcript'))!
    const typed = { name: 'session_id', value: 'call' }
    expect((await service.answering.complete(transcript, grouped, typed, context)).values).toEqual([])
    expect((await service.answering.complete(transcript, caller(), typed, context)).values).not.toEqual([])
  })

  test('of operations is refused before anything is looked at', async () => {
    const untouched = new Proxy({} as Received, { get: () => expect.unreachable() })
    const open = await Promise.all(
      operations
        .filter(({ access }) => namesProject(access) && access !== 'administrator')
        .map(async operation => {
          const told = runOperation(operation, servicesOf({}), untouched, grouped)
          const message = await told.then(String, (error: unknown) => (error as Error).message)
          return message.includes('groups of at least') ? [] : [operation.url]
        }),
    )
    expect(open.flat().toSorted()).toEqual([
      '/api/v1/connections',
      '/api/v1/connections/:connection_id',
      '/api/v1/groups',
      '/api/v1/guidance',
      '/api/v1/scope',
      '/api/v1/signals',
    ])
  })
})
