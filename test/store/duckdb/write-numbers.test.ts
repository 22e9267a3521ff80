import { join } from 'node:path'
import { expect, it } from 'vitest'
import { compile, narrow, parsePipeline } from '../../../src/pipeline/index.js'
import { scope } from '../../../src/pipeline/scope.js'
import { callSource } from '../../../src/store/duckdb/reading/call-source.js'
import type { DuckDbStore } from '../../../src/store/duckdb/duckdb-store.js'
import { migrate } from '../../../src/store/duckdb/files/migrate.js'
import { migrations } from '../../../src/store/duckdb/migrations/migrations.js'
import { connectTo, openEngine } from '../../../src/store/duckdb/files/open-engine.js'
import { BATCH_CALLS } from '../../../src/store/store.js'
import { call, openStore, rows, tempDir } from './support.js'

const lookUp = (id: string, agents: 'all' | readonly string[] = 'all') =>
  narrow(
    parsePipeline([{ $match: { session_id: id } }, { $project: { title: 1, signals: 1 } }], { now: new Date() }),
    scope('p', agents),
  )

const light = { lane: 'light', deadlineMs: 60_000, maxDocuments: 9 } as const

interface Operator {
  readonly operator_name: string
  readonly operator_rows_scanned: number
  readonly children: readonly Operator[]
}

const scansOf = ({ operator_name: name, operator_rows_scanned: scanned, children }: Operator): readonly number[] =>
  name === 'SEQ_SCAN' ? [scanned] : children.flatMap(scansOf)

/** Rows that each scan of a lookup went through: those of the record, then, without a place, those of the keys. */
async function scanned(store: DuckDbStore, id: string, at?: bigint): Promise<readonly number[]> {
  const { query } = compile(lookUp(id), callSource, Infinity, at === undefined ? undefined : [at])
  const explained = await store.query(
    { ...query, sql: `explain (analyze, format json) ${query.sql}`, decode: row => ({ plan: row[1] as string }) },
    { lane: 'light', deadlineMs: 60_000, maxRows: 9 },
  )
  return scansOf(JSON.parse(explained.documents[0]!['plan'] as string) as Operator)
}

const numbers = async (store: DuckDbStore) =>
  Object.fromEntries((await rows(store, 'select session_id, write_number from calls')) as [string, bigint][])

const batch = (prefix: string) =>
  Array.from({ length: BATCH_CALLS }, (_, n) => call(`${prefix}${n}`, { title: `call ${prefix}${n}` }))

it('a lookup reads the block its call is in, and nothing but keys of the others', async () => {
  const store = await openStore()
  for (const prefix of ['a', 'b', 'c']) await store.calls.upsert('p', batch(prefix))
  const found = await store.run(lookUp('b7'), light)
  expect(found.documents).toEqual([{ _id: 'b7', title: 'call b7' }])
  expect(await scanned(store, 'b7')).toEqual([BATCH_CALLS, 3 * BATCH_CALLS])
  const [[place] = []] = (await rows(store, "select write_number from calls where session_id = 'b7'")) as [bigint][]
  expect(place).toBeTypeOf('bigint')
  expect(await scanned(store, 'b7', place)).toEqual([BATCH_CALLS])
  // Where no key is found nothing else is read.
  expect(await scanned(store, 'nobody')).toEqual([3 * BATCH_CALLS])
})

it('finds a call out of scope no more than one that is not there', async () => {
  const store = await openStore()
  await store.calls.upsert('p', [call('a', { title: 'ours' })])
  await store.calls.upsert('q', [call('b')])
  expect((await store.run(lookUp('a', ['Ana']), light)).documents).toEqual([{ _id: 'a', title: 'ours' }])
  expect((await store.run(lookUp('a', ['Ben']), light)).documents).toEqual([])
  expect((await store.run(lookUp('b'), light)).documents).toEqual([])
})

it('each write that puts a call anew gives it a higher number, and it is found', async () => {
  const store = await openStore()
  await store.calls.upsert(
    'p',
    ['a', 'b', 'c', 'd'].map(id => call(id, { title: id, transcript: [] })),
  )
  const first = await numbers(store)
  expect(new Set(Object.values(first)).size).toBe(1)
  await store.calls.upsert('p', [call('a', { title: 'a2' })])
  const said = [{ turn: 0, actor: 'agent', text: 'Hi' }]
  await store.calls.upsert('p', [call('b', { title: 'b2', transcript: said })])
  await store.calls.eraseTranscripts('p', ['b'])
  const choice = { which: 'pending', rubric: 'r', rubricVersion: '1', before: Date.now() } as const
  const chosen = await store.calls.chooseToEvaluate('p', choice)
  const { calls } = await store.calls.toEvaluate('p', chosen, chosen.first)
  const json = JSON.stringify({ score: 3 })
  const evaluated = calls.filter(({ session_id }) => session_id === 'c').map(one => ({ ...one, json }))
  expect(await store.calls.writeEvaluations('p', evaluated)).toBe(1)
  const then = await numbers(store)
  expect(then['d']).toBe(first['d'])
  expect(then['a']).toBeGreaterThan(first['a']!)
  expect(then['b']).toBeGreaterThan(then['a']!)
  expect(then['c']).toBeGreaterThan(then['b']!)
  const titles = await Promise.all(['a', 'b', 'c', 'd'].map(id => store.run(lookUp(id), light)))
  expect(titles.map(({ documents }) => documents[0]?.['title'])).toEqual(['a2', 'b2', 'c', 'd'])
})

it('a store of an older program gets numbers by block, also where it ends right after', async () => {
  const dataDir = tempDir()
  const file = join(dataDir, 'earshot.duckdb')
  const options = { dataDir, memoryLimit: '256MB', threads: 2 }
  const older = migrations.slice(0, 9)
  const rowsOfOld = 2 * BATCH_CALLS + 9
  const first = await openEngine(file, options)
  const made = await connectTo(first)
  await migrate(made, older, dataDir)
  await made.run(
    `insert into calls (project_id, session_key, session_id, agent_name, created_dt, title, search_text)
     select 'p', md5_number_lower('s' || n), 's' || n, 'Ana', timestamp '2026-03-01', 'call ' || n, ''
     from range(${rowsOfOld}) t(n)`,
  )
  await made.run('checkpoint')
  // What follows is in the log alone: the engine is closed without folding it in.
  expect(await migrate(made, migrations, dataDir)).toBe(9)
  made.closeSync()
  first.closeSync()
  const store = await openStore({ dataDir })
  expect(await rows(store, 'select write_number, count(*) from calls group by 1 order by 1')).toEqual([
    [0n, BigInt(BATCH_CALLS)],
    [1n, BigInt(BATCH_CALLS)],
    [2n, 9n],
  ])
  expect((await store.run(lookUp('s3000'), light)).documents).toEqual([{ _id: 's3000', title: 'call 3000' }])
  expect(await scanned(store, 's3000')).toEqual([BATCH_CALLS, rowsOfOld])
  await store.calls.upsert('p', [call('s3000', { title: 'anew' })])
  expect((await store.run(lookUp('s3000'), light)).documents).toEqual([{ _id: 's3000', title: 'anew' }])
})
