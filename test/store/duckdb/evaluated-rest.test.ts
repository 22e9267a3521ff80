import { describe, expect, it, vi } from 'vitest'
import { defaultLimits, narrow, parsePipeline } from '../../../src/pipeline/index.js'
import { scope } from '../../../src/pipeline/scope.js'
import type { DuckDbStore } from '../../../src/store/duckdb/duckdb-store.js'
import { RestPool } from '../../../src/store/rest-pool.js'
import type { RunOptions } from '../../../src/store/store.js'
import { recordShape } from '../../support/call-engine.js'
import { call, openedOnce, openStore } from './support.js'

// What the engine can't run exactly is run after it, in a thread of its own and within bounds.

/** Never exact in the engine, and without effect on these calls. */
const APART = { $redact: '$$DESCEND' }

/** Long enough that it is never the deadline that ends a rest, whose thread stands back behind all other work. */
const PATIENCE_MS = 120_000

const options: RunOptions = { lane: 'light', deadlineMs: PATIENCE_MS, maxDocuments: 100 }

const run = (store: DuckDbStore, pipeline: readonly object[], more: Partial<RunOptions> = {}) =>
  store.run(narrow(parsePipeline(pipeline, { shape: recordShape }), scope('p', 'all')), { ...options, ...more })

/** Doubles its array at each step, of which only the deadline knows an end. */
const ENDLESS = {
  $project: {
    x: {
      $map: {
        input: { $range: [0, 1_000_000] },
        in: { $reduce: { input: { $range: [0, 1_000] }, initialValue: 0, in: { $add: ['$$value', '$$this'] } } },
      },
    },
  },
}

/** Resolves when a rest has gone to its thread; made before it is asked for. */
async function restBegins(): Promise<void> {
  const begun = vi.spyOn(RestPool.prototype, 'run')
  await expect.poll(() => begun.mock.calls.length).toBe(1)
}

async function fill(store: DuckDbStore, calls: number): Promise<void> {
  await store.calls.upsert(
    'p',
    Array.from({ length: calls }, (_, i) => call(`s${i}`, { score: 1 + (i % 5), talk_patterns: { hold_count: i } })),
  )
  await store.calls.upsert('other', [call('theirs', { title: 'not yours' })])
}

/** With ten calls, which nothing changes. */
const kept = openedOnce(store => fill(store, 10))

async function filled(more: Parameters<typeof openStore>[0] = {}, calls = 3): Promise<DuckDbStore> {
  const store = await openStore(more)
  await fill(store, calls)
  return store
}

describe('the rest of a pipeline', () => {
  it('gives what it gives in the engine, types included, over the calls in scope', async () => {
    const store = kept()
    const pipeline = [
      { $sort: { _id: 1 } },
      {
        $project: {
          score: 1,
          created_dt: 1,
          type: { $type: '$score' },
          long: { $toLong: 7 },
          big: { $toLong: '9007199254740993' },
          nothing: null,
          absent: '$nowhere',
        },
      },
    ]
    const apart = await run(store, [APART, ...pipeline])
    expect(apart.plan).toEqual({ engine_stages: 0, evaluated_stages: 3 })
    expect(apart.documents).toHaveLength(10)
    expect(apart.documents).toEqual((await run(store, pipeline)).documents)
    expect(apart.documents[0]).toMatchObject({ type: 'double', big: 9_007_199_254_740_993n, nothing: null })
  })

  it('loses nothing of lists and documents on the way', async () => {
    const store = await openStore()
    const text = 'quote " back \\ slash \u0000 \u001f \u2028 é 😀 \ud83d\ude00 \n\t'
    await store.calls.upsert('p', [
      call('odd', {
        transcript: [
          { turn: 0, actor: 'agent', text, start_s: 0.1 + 0.2, end_s: 5e-324 },
          { turn: 2_147_483_647, actor: 'customer', text: '' },
        ],
        scores: [
          { key: 'k', value: 1e300, range: [-0, 4.35] },
          { key: 'whole', value: 3, range: [] },
        ],
        dimensions: [],
        talk_patterns: { hold_count: 0, silence_ratio: 1 / 3 },
        evaluation: { evaluator: 'rules', evaluated_at: '2026-03-01T00:00:00.123Z' },
        session_metadata: { nested: { list: [1, 2.5, null, 'x'] } },
      }),
      call('bare'),
    ])
    const inEngine = await run(store, [{ $sort: { _id: 1 } }])
    const apart = await run(store, [{ $sort: { _id: 1 } }, APART])
    expect(inEngine.plan.evaluated_stages).toBe(0)
    expect(apart.plan.evaluated_stages).toBeGreaterThan(0)
    expect(apart.documents).toEqual(inEngine.documents)
  })

  it('sees the request’s one instant', async () => {
    const store = kept()
    const now = new Date('2026-03-15T12:00:00Z')
    const pipeline = parsePipeline([APART, { $project: { now: '$$NOW' } }], { now, shape: recordShape })
    const { documents } = await store.run(narrow(pipeline, scope('p', 'all')), options)
    expect(documents[0]).toMatchObject({ now })
  })

  it('says what an expression raises in the words of the engine', async () => {
    const store = kept()
    const divide = { $project: { x: { $divide: ['$score', 0] } } }
    const inEngine = await run(store, [divide]).catch((error: unknown) => error)
    await expect(run(store, [APART, divide])).rejects.toMatchObject({
      code: 'invalid_pipeline',
      message: (inEngine as Error).message,
    })
  })

  it('says that there is more than may come back', async () => {
    const store = kept()
    const few = await run(store, [APART], { maxDocuments: 4 })
    expect(few).toMatchObject({ truncated: true })
    expect(few.documents).toHaveLength(4)
    expect(await run(store, [APART], { maxDocuments: 10 })).toMatchObject({ truncated: false })
  })

  it('stops at so many bytes, and refuses a document that is larger alone', async () => {
    const store = kept()
    const text = {
      $set: { text: { $reduce: { input: { $range: [0, 100] }, initialValue: '', in: { $concat: ['$$value', 'x'] } } } },
    }
    for (const pipeline of [[APART, text], [text]]) {
      // oxlint-disable-next-line no-await-in-loop -- one store
      const cut = await run(store, pipeline, { maxBytes: 700 })
      expect(cut.truncated).toBe(true)
      expect(cut.documents.length).toBeGreaterThan(0)
      expect(cut.documents.length).toBeLessThan(7)
      // oxlint-disable-next-line no-await-in-loop -- one store
      await expect(run(store, pipeline, { maxBytes: 90 })).rejects.toMatchObject({
        code: 'too_large',
        message: expect.stringContaining('larger than 90 bytes') as string,
      })
    }
  })
})

describe('the bounds', () => {
  it('refuse more documents than may reach the rest, and say where', async () => {
    const store = await filled({ rest: { documents: 5 } }, 6)
    await expect(run(store, [{ $match: { score: { $gt: 0 } } }, APART])).rejects.toMatchObject({
      code: 'too_large',
      message: expect.stringMatching(/^More than 5 documents reach \$redact, .* narrow them with \$match/) as string,
    })
    expect((await run(store, [{ $limit: 5 }, APART])).documents).toHaveLength(5)
  })

  it('refuse more bytes', async () => {
    const store = await openStore({ rest: { bytes: 1024 * 1024 } })
    const calls = Array.from({ length: 30 }, (_, i) => call(`s${i}`, { coaching_summary: 'x'.repeat(50_000) }))
    await store.calls.upsert('p', calls)
    await expect(run(store, [APART])).rejects.toThrow('More than 1 MiB reach $redact')
  })

  it('end a rest that takes too much memory, and only that', async () => {
    const store = await filled({ rest: { heapMib: 48 } })
    const greedy = [
      APART,
      { $project: { x: { $range: [0, 900_000] } } },
      { $unwind: '$x' },
      { $set: { y: { a: '$x', b: ['$x', '$x'], c: { d: '$x' } } } },
    ]
    await expect(run(store, greedy)).rejects.toMatchObject({
      code: 'too_large',
      message: expect.stringContaining('more than 48 MiB of memory') as string,
    })
    expect((await run(store, [APART])).documents).toHaveLength(3)
  })

  it('end a rest at the deadline', async () => {
    const store = kept()
    await expect(run(store, [APART, ENDLESS], { deadlineMs: 500 })).rejects.toMatchObject({
      code: 'deadline_exceeded',
    })
    expect((await run(store, [APART])).documents).toHaveLength(10)
  })

  it('end a rest whose asker goes away', async () => {
    const store = kept()
    const asker = new AbortController()
    const begins = restBegins()
    const running = run(store, [APART, ENDLESS], { signal: asker.signal }).catch((error: unknown) => error)
    await begins
    asker.abort()
    expect(await running).toMatchObject({ code: 'cancelled' })
  })

  it('leave this thread free, and count the rest as heavy', async () => {
    const store = await filled({ maxHeavy: 1 })
    const asker = new AbortController()
    const begins = restBegins()
    const running = run(store, [APART, ENDLESS], { signal: asker.signal }).catch((error: unknown) => error)
    await begins
    expect(store.load().lanes).toMatchObject({ heavy: { running: 1 }, light: { running: 0 } })
    expect((await run(store, [{ $count: 'n' }])).documents).toEqual([{ n: 3 }])
    // Were this thread not free, nobody could be asked beside it, nor go away: it would go on for minutes.
    asker.abort()
    expect(await running).toMatchObject({ code: 'cancelled' })
  })

  it('hold for a store that closes', async () => {
    const store = await filled()
    const begins = restBegins()
    const running = run(store, [APART, ENDLESS]).catch((error: unknown) => error)
    await begins
    await store.close()
    expect(await running).toMatchObject({ code: 'store_unavailable', message: 'The store is closing' })
  })

  it('hold for a store that closes just before a rest goes to its thread', async () => {
    const store = await filled()
    const begin = Reflect.get(RestPool.prototype, 'run')
    let closed: Promise<void> | undefined
    vi.spyOn(RestPool.prototype, 'run').mockImplementationOnce(function (this: RestPool, ...asked) {
      closed = store.close()
      return begin.apply(this, asked)
    })
    await expect(run(store, [APART, ENDLESS])).rejects.toMatchObject({ code: 'store_unavailable' })
    await closed
  })
})

it('a plan says where stages would run, and runs none', () => {
  const store = kept()
  const parsed = parsePipeline([{ $match: { score: 1 } }, APART, { $limit: 1 }], { limits: defaultLimits })
  expect(store.plan(narrow(parsed, scope('p', 'all')))).toEqual({ engine_stages: 1, evaluated_stages: 2 })
})
