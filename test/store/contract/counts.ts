import * as fc from 'fast-check'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { REASON_UNNAMED } from '../../../src/calls/reasons.js'
import { scope } from '../../../src/pipeline/scope.js'
import { isTried, isWhole, sized } from '../../support/whole.js'
import {
  type CountedAs,
  type CountsAsked,
  countedValues,
  countsShape,
  type Document,
  narrow,
  narrowCounts,
  parsePipeline,
  type PackedCount,
  type Scope,
  SECONDS_OF_ONE,
  SUMS_OF_ONE,
  type TimeSpan,
} from '../../../src/pipeline/index.js'
import { recordShape } from '../../support/call-engine.js'
import type { RunOptions, Store } from '../../../src/store/store.js'
import { call } from '../duckdb/support.js'
import type { World } from './world.js'

type Counting = Pick<Store, 'calls' | 'counts'>

/** What was found before may be given again. */
const AGAIN = { lane: 'heavy', deadlineMs: 60_000, maxDocuments: 100_000 } as const
const RUN = { ...AGAIN, once: true } as const
const NOW = new Date('2026-11-10T12:00:00Z')
const ZONES = ['Europe/Berlin', 'America/Havana', 'Asia/Kathmandu', 'UTC']
const ALL: readonly TimeSpan[] = [{}]
const SEVERAL = ['driver', 'signal', 'dimension'] as const
const WITH_CALLS = ['agent', 'score'] as const
const ONE = ['unnamed'] as const
const EARLY = new Date('2026-02-01T00:00Z')

/** What documents are told apart by in time. */
type Told = 'days' | 'months' | 'nothing'

/** Everything that is counted, added up by all that tells the documents apart. */
function addedUp(as: CountedAs, told: Told): readonly object[] {
  const keys = ['agent_id', 'agent_name', 'agent', 'by', 'key', 'value', 'number'].filter(name =>
    countsShape(as).has(name),
  )
  const sums = [...countsShape(as).keys()].filter(name => ![...keys, 'day', 'span', 'first', 'last'].includes(name))
  const day = told === 'days' ? '$day' : { $dateTrunc: { date: '$day', unit: 'month' } }
  return [
    {
      $group: {
        _id: {
          ...Object.fromEntries([...(as.by === 'agent' ? ['span'] : []), ...keys].map(name => [name, `$${name}`])),
          ...(told !== 'nothing' && countsShape(as).has('day') && { day }),
        },
        ...Object.fromEntries(sums.map(name => [name, { $sum: `$${name}` }])),
        ...(as.by === 'agent' ? { first: { $min: '$first' }, last: { $max: '$last' } } : {}),
      },
    },
  ]
}

interface Asked extends CountsAsked {
  readonly within: Scope
  readonly told?: Told
}

/** Counts of each span in bits of its own, and in a field of its own. */
const packedIn = (spans: readonly TimeSpan[]): readonly PackedCount[] => [
  { name: 'together', count: 'evaluated', factors: spans.map((_, span) => 2 ** (10 * span)) },
  ...spans.flatMap((_, span) =>
    (['calls', 'score_sum'] as const).map(count => ({
      name: `${count}_${span}`,
      count,
      factors: spans.map((_one, other) => (other === span ? 1 : 0)),
    })),
  ),
]

async function counted(
  store: Counting,
  { within, told = 'days', ...of }: Asked,
  options: RunOptions = RUN,
): Promise<readonly string[]> {
  const asked = { ...of, ...(told === 'months' && { months: true }) }
  const parsed = parsePipeline(addedUp(asked, told), { shape: countsShape(asked), now: NOW })
  const found = await store.counts.run(narrowCounts(parsed, within, asked), options)
  const text = (document: Document) =>
    JSON.stringify(document, (_, value: unknown) => (typeof value === 'bigint' ? `${value}` : value))
  return found.documents.map(text).toSorted()
}

const names = ['Ana', 'Ben', 'Cleo']
const anyCall = fc.record({
  id: fc.integer({ min: 0, max: 25 }).map(n => `s${n}`),
  // Days around both clock changes of Berlin and Havana, by quarters of an hour, with the ends of the month of one; and some dated ahead.
  at: fc
    .tuple(
      fc.constantFrom(
        '2026-02-28T20:00Z',
        '2026-03-07T20:00Z',
        '2026-03-28T20:00Z',
        '2026-03-30T20:00Z',
        '2026-10-24T20:00Z',
        '2026-10-31T20:00Z',
        '2026-11-10T04:00Z',
      ),
      fc.integer({ min: 0, max: 200 }),
    )
    .map(([day, quarters]) => new Date(Date.parse(day) + quarters * 900_000)),
  agent: fc.constantFrom(...names),
  agentId: fc.constantFrom('a', 'b'),
  score: fc.option(
    fc.integer({ min: 1_000, max: 5_000 }).map(n => n / 1_000),
    { nil: undefined },
  ),
  lift: fc.option(fc.double({ min: -1, max: 1, noNaN: true }), { nil: undefined }),
  signals: fc.uniqueArray(fc.constantFrom('sig.a', 'sig.b', 'sig.c')),
  dimensions: fc.array(fc.constantFrom({ key: 'tone', value: 'warm' }, { key: 'tone', value: 'cold' }), {
    maxLength: 3,
  }),
  driver: fc.option(fc.constantFrom('billing', 'refund'), { nil: undefined }),
  trust: fc.option(fc.constantFrom('low', 'high'), { nil: undefined }),
  conditions: fc.subarray([REASON_UNNAMED, 'cond.other']),
})
type AnyCall = typeof anyCall extends fc.Arbitrary<infer T> ? T : never

function prepared({ id, at, agent, agentId, score, lift, signals, dimensions, driver, trust, conditions }: AnyCall) {
  return call(id, {
    agent_id: agentId,
    agent_name: agent,
    created_dt: at.toISOString(),
    ...(score !== undefined && { score, predicted_csat: Math.min(5, score + 0.1) }),
    ...(lift !== undefined && {
      outcome_lift: {
        lift,
        lift_band: lift > 0.1 ? 'positive' : 'neutral',
        ...(lift > -0.5 && { p_behavioral: Math.abs(lift) }),
      },
    }),
    ...(score !== undefined && { evaluation: { evaluator: 'rules', rubric: 'r', rubric_version: '1' } }),
    ...(driver !== undefined && { interaction_driver: driver }),
    ...(trust !== undefined && { trust: { level: trust } }),
    signals: signals.map((key, i) => ({ key, state: i === 0 ? 'present' : 'absent' })),
    dimensions,
    conditions: conditions.map(key => ({ key, text: 'where my parcel is' })),
    ...(score !== undefined && { scores: [{ key: 'tone', value: score }, { key: 'none' }] }),
    ...(lift !== undefined && { talk_patterns: { total_duration_s: (score ?? 1) * 61.7 } }),
    transcript: [{ turn: 0, actor: 'Agent', text: 'Hello' }],
  })
}

/** Some calls, of which those of other months are left out: the more days there are, the longer it takes to count them. */
const ofMarch = (numRuns: number, seed: number) =>
  fc
    .sample(anyCall, { numRuns, seed })
    .filter(({ at }) => at < new Date('2026-04-03T00:00Z'))
    .map((one, i) => prepared({ ...one, id: `s${i}` }))

const QUERY = { evaluator: 'rules', rubric: 'r', rubricVersion: '1', signals: [], parts: ['none'], times: 'x' } as const

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('store' as const),
      calls: fc.array(anyCall, { minLength: 1, maxLength: 12 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('erase' as const), id: anyCall.map(({ id }) => id) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('evaluate' as const), score: fc.integer({ min: 1, max: 5 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('lift' as const), lift: fc.double({ min: -1, max: 1, noNaN: true }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('mask' as const) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('count' as const), zone: fc.constantFrom(...ZONES) }) },
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

/** Does a step in a store. */
async function take(store: Counting, project: string, one: Step): Promise<void> {
  const { calls } = store
  switch (one.do) {
    case 'store':
      await calls.upsert(project, one.calls.map(prepared), { restoreErased: true })
      return
    case 'erase':
      await calls.erase(project, one.id)
      return
    case 'evaluate': {
      const choice = { which: 'everything', rubric: 'r', rubricVersion: '2', before: 0 } as const
      const chosen = await calls.chooseToEvaluate(project, choice)
      const page = await calls.toEvaluate(project, chosen, chosen.first)
      const json = JSON.stringify({ score: one.score, signals: [{ key: 'sig.d', state: 'present' }] })
      await calls.writeEvaluations(
        project,
        page.calls.slice(0, 3).map(found => ({ ...found, json })),
      )
      return
    }
    case 'lift':
      for await (const page of calls.liftPages(project, QUERY)) {
        const lift = { lift: one.lift, lift_band: 'neutral', p_behavioral: Math.abs(one.lift), p_context: 0.5 } as const
        const lifts = page.calls.slice(0, 2).map(({ place }) => ({ place, lift }))
        await calls.writeLifts(project, { ...QUERY, parts: [] }, page, lifts)
      }
      return
    case 'mask': {
      const { last } = await calls.countTexts(project)
      const page = await calls.texts(project, undefined, last)
      const masked = page.slice(0, 3).map(found => ({
        ...found,
        json: JSON.stringify({ ...JSON.parse(found.json), interaction_driver: '[masked]' }),
      }))
      await calls.writeTexts(project, masked)
      return
    }
    case 'count':
      await store.counts.countDays(project, one.zone)
  }
}

const span = fc
  .tuple(fc.integer({ min: 0, max: 12_000 }), fc.integer({ min: 1, max: 12_000 }))
  .map(([from, length]) => {
    const start = Date.parse('2026-03-01T00:00Z') + from * 1_800_000
    return { from: new Date(start), before: new Date(start + length * 1_800_000) }
  })

export function countPromises(world: World<'calls' | 'counts' | 'run'>): void {
  describe('counts of days', () => {
    // In the midst of the days that calls are of: to those behind it calls still come.
    beforeEach(() => {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-03-29T12:00Z') })
      return () => vi.useRealTimers()
    })

    it('say to the last digit what the calls say, whatever was written meanwhile', async () => {
      const { store, beside } = world
      // Of a store of many processes each step is some messages.
      const numRuns = store === beside ? sized(2, 8) : sized(1, 3)
      let [served, runs] = [0, 0]
      await fc.assert(
        fc.asyncProperty(
          fc.array(step, { minLength: 3, maxLength: 14 }),
          fc.constantFrom(...ZONES),
          span,
          fc.constantFrom('all' as const, ['Ana'], ['Ana', 'Cleo'], []),
          fc.constantFrom(undefined, ['low']),
          async (steps, timeZone, middle, agents, doubted) => {
            const project = world.project()
            // oxlint-disable no-await-in-loop -- one after the other
            for (const [i, one] of steps.slice(0, -1).entries()) await take(i % 2 === 0 ? store : beside, project, one)
            // Some days are counted in the zone that is asked about, before the last step of all.
            served += await store.counts.countDays(project, timeZone)
            const within = scope(project, agents)
            const again = (by: CountsAsked['by'], spans: readonly TimeSpan[], whose = within): Asked => {
              return { by, spans, timeZone, within: whose, doubted, told: 'nothing' }
            }
            // What is found now may be given again after the last step: as it is then, and to nobody who hears less.
            const kept = (['agent', 'effect'] as const)
              .flatMap((by, row) =>
                [[{ before: middle.before }], [middle], [{ from: EARLY, before: middle.from }, middle]]
                  .filter((_, column) => isTried(row, column, 2))
                  .map(spans => [by, spans] as const),
              )
              .filter((_, row) => isTried(row, runs, numRuns))
            for (const [by, spans] of kept)
              for (const whose of [scope(project, 'all'), within]) await counted(beside, again(by, spans, whose), AGAIN)
            for (const one of steps.slice(-1)) await take(store, project, one)
            const givenAgain: (readonly string[])[] = []
            for (const [by, spans] of kept) givenAgain.push(await counted(beside, again(by, spans), AGAIN))
            const roster = ['Cleo', 'Ana'].map(name => ({ agent_id: 'b', agent_name: name }))
            const ahead = { from: new Date('2026-11-10T04:00Z'), before: new Date('2026-11-20T00:00Z') }
            const all = [ALL, [middle], [{ before: middle.from }, middle, { from: middle.before }], [ahead]].flatMap(
              (spans, of) => {
                const byTime =
                  spans.length === 1
                    ? (['agent', 'signal', 'score', SEVERAL, WITH_CALLS, ONE] as const)
                    : (['agent', ...countedValues, countedValues, ['agent', ...countedValues]] as const)
                const packed = spans.length === 1 ? (['guidance'] as const) : countedValues
                return [
                  ...byTime.flatMap((by, i) =>
                    (['days', 'months', 'nothing'] as const)
                      .filter((_, time) => isTried(of, i, 2) && isTried(of + i, time, 3))
                      .map(told => ({ by, spans, timeZone, within, doubted, told })),
                  ),
                  ...packed.map(by => {
                    return { by, packed: packedIn(spans), spans, timeZone, within, ...(by === 'driver' && { roster }) }
                  }),
                ]
              },
            )
            // Each run asks its part of it.
            const asked = all.filter((_, row) => isTried(row, runs, numRuns))
            runs += 1
            const byCounts = []
            for (const one of asked) byCounts.push(await counted(beside, one))
            // Counting a first day of another zone leaves those of this one to their calls.
            const stop = new AbortController()
            await store.counts.countDays(project, 'Pacific/Chatham', {
              signal: stop.signal,
              progress: () => stop.abort(),
            })
            for (const [i, [by, spans]] of kept.entries())
              expect([by, spans, givenAgain[i]]).toEqual([by, spans, await counted(store, again(by, spans))])
            for (const [i, one] of asked.entries())
              expect({ ...one, counts: byCounts[i] }).toEqual({ ...one, counts: await counted(store, one) })
            // oxlint-enable no-await-in-loop
          },
        ),
        { numRuns, endOnFailure: true },
      )
      expect(served).toBeGreaterThan(0)
    })

    it('of months say what their calls say when any of these was replaced, moved, evaluated, masked or erased', async () => {
      const { store, beside } = world
      const project = world.project()
      const at = (day: string) => new Date(`${day}T10:00Z`)
      const days = ['2026-02-01', '2026-02-16', '2026-02-28', '2026-03-01', '2026-03-30', '2026-03-31', '2026-04-02']
      const some = fc.sample(anyCall, { numRuns: 40, seed: 5 })
      const calls = some.map((one, i) => ({ ...one, id: `s${i}`, at: at(days[i % days.length]!) }))
      await store.calls.upsert(project, calls.map(prepared))
      const spans = [{ before: at('2026-02-20') }, { from: at('2026-02-20'), before: at('2026-06-01') }]
      const asked = [
        { spans: ALL, agents: 'all' as const },
        { spans, agents: ['Ana', 'Ben'] },
      ].flatMap(({ spans: of, agents }, column) => {
        const one = { spans: of, within: scope(project, agents), doubted: ['low'] }
        const kinds = ['agent', 'signal', 'driver', 'effect', 'score'] as const
        const told = ['months', 'nothing'] as const
        return [
          ...kinds.flatMap((by, row) =>
            told.filter((_, time) => isTried(row + column, time, 2)).map(time => ({ ...one, by, told: time })),
          ),
          { ...one, by: 'signal' as const, packed: packedIn(of) },
        ]
      })
      // Calls of ten in the morning are of the same day in both zones, one of which is counted.
      const say = async (timeZone: string, column: number) => {
        const found = []
        for (const one of asked.filter((_, row) => isTried(row, column, 6)))
          // oxlint-disable-next-line no-await-in-loop -- one question after the other
          found.push([one, await counted(beside, { ...one, timeZone })])
        return found
      }
      const moved = { ...calls[2]!, at: at('2026-03-17'), agent: 'Dora' }
      const changes: readonly Step[] = [
        { do: 'store', calls: [{ ...calls[1]!, score: 1, signals: ['sig.c'] }] },
        { do: 'store', calls: [moved] },
        { do: 'evaluate', score: 2 },
        { do: 'mask' },
        { do: 'erase', id: calls[0]!.id },
      ]
      // oxlint-disable no-await-in-loop -- one change after the other
      for (const [column, change] of [undefined, ...changes].entries()) {
        if (change !== undefined) await take(store, project, change)
        const expected = await say('UTC', column)
        expect(await say('Europe/Berlin', column)).toEqual(expected)
        expect(await store.counts.countDays(project, 'Europe/Berlin')).toBeGreaterThan(0)
        expect(await say('Europe/Berlin', column)).toEqual(expected)
      }
      // oxlint-enable no-await-in-loop
    })

    it('of several values at once, and of the calls themselves, are those of each', async () => {
      const { store, beside } = world
      const project = world.project()
      const some = ofMarch(90, 11)
      const documents = async (
        by: CountsAsked['by'],
        agents: 'all' | readonly string[],
        doubted: readonly string[],
      ) => {
        const asked = { by, spans: ALL, timeZone: 'UTC', doubted }
        const measured = countsShape(asked).has('score_n') ? ['score_n', 'score_sum', 'score_squares'] : []
        const keys = ['by', 'key', 'value', 'number'].filter(name => countsShape(asked).has(name))
        const group = {
          _id: Object.fromEntries(keys.map(name => [name, `$${name}`])),
          ...Object.fromEntries(['calls', ...measured].map(name => [name, { $sum: `$${name}` }])),
        }
        const parsed = parsePipeline([{ $group: group }], { shape: countsShape(asked), now: NOW })
        return (await beside.counts.run(narrowCounts(parsed, scope(project, agents), asked), RUN)).documents
      }
      const texts = (found: readonly Document[]) =>
        found.map(one => JSON.stringify(one, (_, value: unknown) => (typeof value === 'bigint' ? `${value}` : value)))
      let round = 0
      const same = async () => {
        const asked = [
          ['all', []],
          [['Ana', 'Cleo'], ['low']],
        ] as const
        // oxlint-disable no-await-in-loop -- one question after the other
        for (const [agents, doubted] of asked) {
          round += 1
          const together = await documents(['agent', ...countedValues], agents, doubted)
          expect(new Set(together.map(({ _id: id }) => (id as Document)['by'])).size).toBeGreaterThan(6)
          // Each of them by itself in two of the six rounds.
          const alone = (['agent', ...countedValues] as const).filter((_, row) => isTried(row, round, 3))
          for (const by of alone) {
            const own = together.filter(({ _id: id }) => (id as Document)['by'] === by)
            const asAlone = own.map(({ _id: id, ...sums }) => {
              const { by: _, ...key } = id as Document
              return {
                _id: key,
                ...Object.fromEntries(Object.entries(sums).filter(([name]) => countsShape({ by }).has(name))),
              }
            })
            const found = await documents(by, agents, doubted)
            expect([by, texts(asAlone).toSorted()]).toEqual([by, texts(found).toSorted()])
          }
        }
        // oxlint-enable no-await-in-loop
      }
      await store.calls.upsert(project, some.slice(0, 40))
      await same()
      expect(await store.counts.countDays(project, 'UTC')).toBeGreaterThan(3)
      await same()
      // Of days that are counted no more, and of one that goes on.
      await store.calls.upsert(project, some.slice(40))
      await same()
    })

    it('do not change which agents there are, by their latest name', async () => {
      const project = world.project()
      const { calls, counts } = world.store
      await calls.upsert(project, [
        call('s1', { agent_id: 'a1', agent_name: 'Ana', created_dt: '2026-03-02T00:00:00Z' }),
        call('s2', { agent_id: 'a1', agent_name: 'Anna', created_dt: '2026-03-01T00:00:00Z' }),
        call('s3', { agent_id: 'b1', agent_name: 'Bo', created_dt: '2026-03-02T00:00:00Z' }),
      ])
      await counts.countDays(project, 'UTC')
      const agents = async () => Object.fromEntries(await calls.agentIds(project))
      expect(await agents()).toEqual({ a1: 'Ana', b1: 'Bo' })
      await calls.upsert(project, [
        call('s4', { agent_id: 'b1', agent_name: 'Bob', created_dt: '2026-05-01T00:00:00Z' }),
      ])
      await calls.erase(project, 's1')
      expect(await agents()).toEqual({ a1: 'Anna', b1: 'Bob' })
      await counts.countDays(project, 'UTC')
      expect(await agents()).toEqual({ a1: 'Anna', b1: 'Bob' })
    })

    it('say of a field by itself what calls say, whatever else is not read', async () => {
      const { store } = world
      const project = world.project()
      await store.calls.upsert(project, ofMarch(60, 9))
      const asked = [
        ...(['signal', 'driver', 'effect'] as const).flatMap(by =>
          ['key', 'value', 'calls'].map(field => ({ by, field })),
        ),
        { by: 'score', field: 'number' } as const,
        ...['agent_name', 'day', 'score_sum'].map(field => ({ by: 'agent' as const, field })),
      ].flatMap((one, row) =>
        (['all', ['Ana', 'Ben']] as const)
          .filter((_, column) => isTried(row, column, 2))
          .map(agents => ({ ...one, agents })),
      )
      const say = () =>
        Promise.all(
          asked.map(async ({ by, field, agents }) => {
            const isSum = countsShape({ by }).get(field)?.kind === 'int'
            const group = isSum
              ? { _id: null, found: { $sum: `$${field}` } }
              : { _id: null, found: { $addToSet: `$${field}` } }
            const sorted = isSum ? [] : [{ $set: { found: { $sortArray: { input: '$found', sortBy: 1 } } } }]
            const parsed = parsePipeline([{ $group: group }, ...sorted], { shape: countsShape({ by }), now: NOW })
            const counts = narrowCounts(parsed, scope(project, agents), { by, spans: ALL, timeZone: 'UTC' })
            return [by, field, agents, (await store.counts.run(counts, RUN)).documents]
          }),
        )
      const before = await say()
      expect(await store.counts.countDays(project, 'UTC')).toBeGreaterThan(3)
      expect(await say()).toEqual(before)
    })

    it('say what a pipeline over calls says', async () => {
      // In the suite those of a few days: each has more than are counted at once, in several writes.
      const [from, before] = [new Date('2026-03-28T00:00Z'), new Date('2026-03-30T00:00Z')]
      const calls = fc
        .sample(anyCall, { numRuns: 300, seed: 7 })
        .filter(({ at }) => isWhole || (at >= from && at < before))
        .map((one, i) => prepared({ ...one, id: `s${i}` }))
      const { store } = world
      const project = world.project()
      // oxlint-disable-next-line no-await-in-loop -- one write after the other
      for (let n = 0; n < calls.length; n += 10) await store.calls.upsert(project, calls.slice(n, n + 10))
      expect(await store.counts.countDays(project, 'Europe/Berlin')).toBeGreaterThan(2)
      const within = scope(project, ['Ana', 'Ben'])
      const fields = { score: '$score', csat: '$predicted_csat', lift: '$outcome_lift.lift', duration: '$duration_s' }
      const each = (make: (name: string, field: string) => object): object =>
        Object.assign({}, ...Object.entries(fields).map(([name, field]) => make(name, field)))
      const byPipeline = parsePipeline(
        [
          {
            $group: {
              _id: '$agent_name',
              calls: { $sum: 1 },
              ...each((name, field) => ({
                [`${name}_n`]: { $sum: { $cond: [{ $gt: [field, null] }, 1, 0] } },
                [name]: { $avg: field },
              })),
            },
          },
          { $sort: { _id: 1 } },
        ],
        { shape: recordShape, now: NOW, derivedFields: true },
      )
      const expected = (await store.run(narrow(byPipeline, within, { before: NOW }), RUN)).documents
      const byCounts = parsePipeline(
        [
          {
            $group: {
              _id: '$agent_name',
              calls: { $sum: '$calls' },
              ...each(name => ({ [`${name}_n`]: { $sum: `$${name}_n` }, [`${name}_sum`]: { $sum: `$${name}_sum` } })),
            },
          },
          { $sort: { _id: 1 } },
        ],
        { shape: countsShape({ by: 'agent' }), now: NOW },
      )
      const asked = { by: 'agent', spans: ALL, timeZone: 'Europe/Berlin' } as const
      const found = (await store.counts.run(narrowCounts(byCounts, within, asked), RUN)).documents
      expect(found).toHaveLength(2)
      for (const [i, one] of found.entries()) {
        const other = expected[i]!
        for (const name of ['_id', 'calls', ...Object.keys(fields).map(field => `${field}_n`)])
          expect(one[name]).toEqual(other[name])
        for (const name of Object.keys(fields)) {
          const unit = name === 'duration' ? SECONDS_OF_ONE : SUMS_OF_ONE
          const mean = Number(one[`${name}_sum`]) / unit / Number(one[`${name}_n`])
          expect(mean).toBeCloseTo(Number(other[name]), name === 'duration' ? 6 : 9)
        }
      }
    })
  })
}
