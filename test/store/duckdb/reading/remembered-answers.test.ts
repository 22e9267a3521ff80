import { describe, expect, it, vi } from 'vitest'
import { narrow, narrowToFuture, narrowToPresent, parsePipeline } from '../../../../src/pipeline/index.js'
import { type Scope, scope } from '../../../../src/pipeline/scope.js'
import type { DuckDbStore } from '../../../../src/store/duckdb/duckdb-store.js'
import { type Measured, RememberedAnswers } from '../../../../src/store/duckdb/reading/remembered-answers.js'
import type { RunResult } from '../../../../src/store/store.js'
import { call, openStore } from '../support.js'

const EVERYONE = scope('p', 'all')
const BY_AGENT = [{ $group: { _id: '$agent_name', calls: { $sum: 1 } } }, { $sort: { _id: 1 } }]
const options = { lane: 'light', deadlineMs: 60_000, maxDocuments: 10 } as const

async function ask(store: DuckDbStore, pipeline: readonly unknown[] = BY_AGENT, asked: Scope = EVERYONE) {
  return (await store.run(narrow(parsePipeline(pipeline), asked), options)).documents
}

async function openWithCalls(): Promise<DuckDbStore> {
  const store = await openStore({ rememberBytes: 1024 * 1024, threads: 2 })
  await store.calls.upsert('p', [call('s1'), call('s2'), call('s3', { agent_id: 'bo', agent_name: 'Bo' })])
  return store
}

describe('a store that remembers', () => {
  it('gives the same result to who asks the same again', async () => {
    const store = await openWithCalls()
    const first = await ask(store)
    expect(await ask(store)).toEqual(first)
    expect(store.load().remembered).toMatchObject({ found: 1, given: 1 })
  })

  it('asks anew for other values, another scope and another number of documents', async () => {
    const store = await openWithCalls()
    const of = (agent: string) => [{ $match: { agent_name: agent } }, ...BY_AGENT]
    expect(await ask(store, of('Ana'))).toEqual([{ _id: 'Ana', calls: 2 }])
    expect(await ask(store, of('Nobody'))).toEqual([])
    expect(await ask(store, BY_AGENT, scope('p', ['Bo']))).toEqual([{ _id: 'Bo', calls: 1 }])
    expect(await ask(store, BY_AGENT, scope('other', 'all'))).toEqual([])
    expect(await ask(store)).toHaveLength(2)
    const one = await store.run(narrow(parsePipeline(BY_AGENT), EVERYONE), { ...options, maxDocuments: 1 })
    expect(one).toMatchObject({ truncated: true })
    expect(store.load().remembered).toMatchObject({ found: 6, given: 0 })
  })

  it('tells apart what is asked of the engine in the same words', async () => {
    const store = await openWithCalls()
    expect(await ask(store, [{ $count: 'calls' }])).toEqual([{ calls: 3 }])
    expect(await ask(store, [{ $count: 'n' }])).toEqual([{ n: 3 }])
    const sorted = [{ $count: 'n' }, { $sort: { n: 1 } }]
    const { plan } = await store.run(narrow(parsePipeline(sorted), EVERYONE), options)
    expect(plan.engine_stages).toBe(2)
  })

  it.each<readonly [string, (store: DuckDbStore) => Promise<unknown>, number]>([
    ['a call is added', store => store.calls.upsert('p', [call('s4')]), 4],
    ['a call is erased', store => store.calls.erase('p', 's1'), 2],
  ])('counts anew when %s', async (_, change, calls) => {
    const store = await openWithCalls()
    const count = [{ $count: 'calls' }]
    expect(await ask(store, count)).toEqual([{ calls: 3 }])
    await change(store)
    expect(await ask(store, count)).toEqual([{ calls }])
    expect(store.load().remembered).toMatchObject({ found: 2, given: 0 })
  })

  it('remembers what it found of one project while another changes', async () => {
    const store = await openWithCalls()
    await ask(store)
    await store.calls.upsert('other', [call('s4')])
    await ask(store)
    expect(store.load().remembered).toMatchObject({ found: 1, given: 1 })
  })

  it('keeps nothing of transcripts that are erased', async () => {
    const store = await openWithCalls()
    await store.calls.upsert('p', [call('s5', { transcript: [{ turn: 0, actor: 'agent', text: 'Secret words' }] })])
    const spoken = [{ $match: { session_id: 's5' } }, { $project: { transcript: 1 } }]
    expect(JSON.stringify(await ask(store, spoken))).toContain('Secret words')
    await store.calls.eraseTranscripts('p', ['s5'])
    expect(store.load().remembered.bytes).toBe(0)
    expect(JSON.stringify(await ask(store, spoken))).not.toContain('Secret words')
  })

  it('draws anew each time', async () => {
    const store = await openWithCalls()
    await ask(store, [{ $sample: { size: 1 } }])
    await ask(store, [{ $sample: { size: 1 } }])
    await ask(store, [{ $project: { drawn: { $rand: {} } } }])
    expect(store.load().remembered).toMatchObject({ given: 0, bytes: 0 })
  })

  it('gives what nobody can change', async () => {
    const store = await openWithCalls()
    const [first] = await ask(store, [{ $project: { pair: ['$agent_name', '$agent_id'] } }])
    expect(() => Object.assign(first!, { pair: 'other' })).toThrow(TypeError)
    expect(() => (first!['pair'] as unknown[]).push('more')).toThrow(TypeError)
  })

  it('says that it is closed, whatever it remembers', async () => {
    const store = await openWithCalls()
    await ask(store)
    await store.close()
    await expect(ask(store)).rejects.toMatchObject({ code: 'store_unavailable' })
  })

  it('remembers nothing without room', async () => {
    const store = await openStore()
    await store.calls.upsert('p', [call('s1')])
    expect(await ask(store)).toEqual(await ask(store))
    expect(store.load().remembered).toMatchObject({ given: 0, bytes: 0 })
  })
})

describe('RememberedAnswers', () => {
  const asking = (...params: number[]) => ({
    query: { sql: 'select 1', params, decode: () => ({}) },
    rows: { columns: [], checked: false },
    engineStages: 1,
    repeatable: true,
  })
  const plan = { engine_stages: 1, evaluated_stages: 0 }
  const result = (n: number): RunResult => ({ documents: [{ n }], truncated: false, plan })
  const measured = (n: number): Measured => ({ result: result(n), bytes: 10 })
  const asked = { maxDocuments: 10 }

  it('keeps nothing that was found while calls changed, also when the change fails', async () => {
    const answers = new RememberedAnswers(10_000)
    let found: (measured: Measured) => void = () => undefined
    const old = answers.find('p', asking(), asked, () => new Promise(resolve => (found = resolve)))
    await expect(answers.changing('p', () => Promise.reject(new Error('disk full')))).rejects.toThrow('disk full')
    found(measured(1))
    expect(await old).toEqual(result(1))
    expect(await answers.find('p', asking(), asked, () => Promise.resolve(measured(2)))).toEqual(result(2))
  })

  it('gives nothing while calls change', async () => {
    const answers = new RememberedAnswers(10_000)
    await answers.find('p', asking(), asked, () => Promise.resolve(measured(1)))
    await answers.changing('p', async () => {
      expect(await answers.find('p', asking(), asked, () => Promise.resolve(measured(2)))).toEqual(result(2))
    })
    expect(await answers.find('p', asking(), asked, () => Promise.resolve(measured(3)))).toEqual(result(3))
  })

  it('lets go what was asked longest ago, and never takes what would fill it alone', async () => {
    const answers = new RememberedAnswers(8 * 1024)
    for (let n = 0; n < 20; n += 1) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await answers.find('p', asking(n), asked, () => Promise.resolve({ result: result(n), bytes: 300 }))
    }
    expect(answers.load.bytes).toBeLessThanOrEqual(8 * 1024)
    await answers.find('p', asking(19), asked, () => Promise.reject(new Error('is remembered')))
    await expect(answers.find('p', asking(0), asked, () => Promise.reject(new Error('is gone')))).rejects.toThrow(
      'is gone',
    )
    const large = () => Promise.resolve({ result: result(99), bytes: 4 * 1024 })
    await answers.find('p', asking(99), asked, large)
    expect(answers.load.found).toBe(22)
    await answers.find('p', asking(99), asked, large)
    expect(answers.load.found).toBe(23)
  })
})

describe('a store that is asked for calls up to now', () => {
  const count = [{ $count: 'calls' }]
  const at = (id: string, created_dt: string) => call(id, { created_dt })
  const until = async (store: DuckDbStore, now: string) => {
    const parsed = parsePipeline(count, { now: new Date(now) })
    const { documents } = await store.run(narrowToPresent(parsed, EVERYONE), options)
    return documents[0]?.['calls']
  }
  const open = async () => {
    const store = await openStore({ rememberBytes: 1024 * 1024 })
    await store.calls.upsert('p', [
      at('a', '2026-03-01T00:00:00.000Z'),
      at('b', '2026-03-10T00:00:00.000Z'),
      at('c', '2026-03-20T00:00:00.000Z'),
    ])
    return store
  }

  it('gives the same result at another instant, until a call that was dated ahead begins', async () => {
    const store = await open()
    expect(await until(store, '2026-03-05T00:00:00.000Z')).toBe(1)
    expect(await until(store, '2026-03-10T00:00:00.000Z')).toBe(1)
    expect(store.load().remembered).toMatchObject({ found: 1, given: 1 })
    expect(await until(store, '2026-03-10T00:00:00.001Z')).toBe(2)
    expect(await until(store, '2026-03-19T00:00:00.000Z')).toBe(2)
    expect(await until(store, '2026-03-20T00:00:00.001Z')).toBe(3)
    expect(await until(store, '2026-03-21T00:00:00.000Z')).toBe(3)
    expect(store.load().remembered).toMatchObject({ found: 3, given: 3 })
    // A clock that was put back.
    expect(await until(store, '2026-03-05T00:00:00.000Z')).toBe(1)
  })

  it('asks as of all calls where none is dated ahead', async () => {
    const store = await open()
    expect(await ask(store, count)).toEqual([{ calls: 3 }])
    expect(await until(store, '2026-03-21T00:00:00.000Z')).toBe(3)
    expect(store.load().remembered).toMatchObject({ found: 1, given: 1 })
  })

  it('hears of a call that comes dated ahead', async () => {
    const store = await open()
    expect(await until(store, '2026-03-21T00:00:00.000Z')).toBe(3)
    await store.calls.upsert('p', [at('d', '2026-03-22T00:00:00.000Z'), at('e', '2026-03-20T01:00:00.000Z')])
    expect(await until(store, '2026-03-21T00:00:00.000Z')).toBe(4)
    await store.calls.erase('p', 'd')
    expect(await until(store, '2026-03-23T00:00:00.000Z')).toBe(4)
  })

  it('counts those dated ahead, and asks the engine no more once it is known that there are none', async () => {
    const store = await open()
    const after = async (now: string) => {
      const parsed = parsePipeline(count, { now: new Date(now) })
      return (await store.run(narrowToFuture(parsed, EVERYONE), options)).documents[0]?.['calls']
    }
    expect(await after('2026-03-05T00:00:00.000Z')).toBe(2)
    expect(await after('2026-03-20T00:00:00.001Z')).toBeUndefined()
    expect(await after('2026-03-21T00:00:00.000Z')).toBeUndefined()
    expect(store.load().remembered).toMatchObject({ found: 1, given: 0 })
  })

  it('what several questions at once would have looked for is looked for once, and anew after a failure', async () => {
    const remembered = new RememberedAnswers(1_000)
    const looked: (() => void)[] = []
    const first = vi.fn(async (_instant: number) => {
      await new Promise<void>(resolve => looked.push(resolve))
      return undefined
    })
    const ask = () => remembered.steady('p', { before: new Date('2026-03-05T00:00:00Z') }, first)
    const asked = [ask(), ask(), ask()]
    looked[0]!()
    expect(await Promise.all(asked)).toEqual([{}, {}, {}])
    expect(await ask()).toEqual({})
    expect(first).toHaveBeenCalledOnce()

    await remembered.changing('p', () => Promise.resolve())
    first.mockRejectedValueOnce(new Error('The store is gone'))
    await expect(ask()).rejects.toThrow('The store is gone')
    const again = ask()
    looked[1]!()
    expect(await again).toEqual({})
  })

  it('is right while calls are being written', async () => {
    const store = await open()
    const writing = Promise.all(
      Array.from({ length: 8 }, (_, i) => store.calls.upsert('p', [at(`f${i}`, '2026-04-01T00:00:00.000Z')])),
    )
    const counts = await Promise.all(Array.from({ length: 40 }, () => until(store, '2026-03-21T00:00:00.000Z')))
    await writing
    expect(new Set(counts)).toEqual(new Set([3]))
    expect(await until(store, '2026-04-01T00:00:00.001Z')).toBe(11)
  })
})
