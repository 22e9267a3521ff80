import { expect, it } from 'vitest'
import { z } from 'zod'
import { compile, type CompiledQuery, narrow, parsePipeline } from '../../../src/pipeline/index.js'
import { scope } from '../../../src/pipeline/scope.js'
import { HELD_AMONG } from '../../../src/store/duckdb/duckdb-privacy.js'
import type { DuckDbStore } from '../../../src/store/duckdb/duckdb-store.js'
import { callSource } from '../../../src/store/duckdb/reading/call-source.js'
import { ANYWHERE, judgePlaced } from '../../../src/store/duckdb/writing/placed-calls.js'
import { recordShape } from '../../support/call-engine.js'
import { call, openStore } from './support.js'

interface Operator {
  readonly name: string
  readonly children: readonly Operator[]
}
const operator: z.ZodType<Operator> = z.lazy(() => z.object({ name: z.string(), children: z.array(operator) }))

/** What the engine would do for a statement, as the JSON it says. */
async function explained(store: DuckDbStore, sql: string, params: CompiledQuery['params']): Promise<string> {
  const { documents } = await store.query(
    { sql: `explain (format json) ${sql}`, params, unlimited: true, decode: ([, plan]) => ({ plan: plan as string }) },
    { lane: 'light', deadlineMs: 60_000, maxRows: 9 },
  )
  return z.string().parse(documents[0]?.['plan'])
}

const planOf = async (store: DuckDbStore, sql: string, params: CompiledQuery['params']): Promise<readonly Operator[]> =>
  z.array(operator).parse(JSON.parse(await explained(store, sql, params)))

const flat = (plan: readonly Operator[]): readonly Operator[] => plan.flatMap(one => [one, ...flat(one.children)])
const namesOf = (plan: readonly Operator[]) => flat(plan).map(({ name }) => name.trim())

it('files are looked for by their keys, not held against every call that is stored', async () => {
  const store = await openStore()
  await store.calls.upsert('p', [call('1'), call('2')])
  let names: readonly string[] = []
  const placed = { began: 0, words: undefined }
  const files = [
    { ...call('a/1'), placed: { ...placed, bare: '1' } },
    { ...call('b/2'), placed: { ...placed, bare: '2' } },
  ]
  await judgePlaced(
    async (sql, values) => {
      names = namesOf(await planOf(store, sql, values))
      return []
    },
    'p',
    files,
    ANYWHERE,
  )
  expect(names).toContain('HASH_JOIN')
  expect(names.filter(name => /NL_JOIN|LOOP_JOIN|CROSS_PRODUCT/.test(name))).toEqual([])
})

it('only calls that come in are held against holds, not all that are stored', async () => {
  const store = await openStore()
  await store.calls.upsert('p', [call('1'), call('2')])
  const plan = flat(await planOf(store, HELD_AMONG, ['p', '["1"]', 0n]))
  const compared = plan.filter(({ name }) => /DELIM_JOIN|NL_JOIN|LOOP_JOIN/.test(name))
  expect(compared).not.toEqual([])
  // Calls are found before, and kept: the comparing reads these.
  for (const { children } of compared) expect(namesOf(children.slice(0, 1))).toContain('CTE_SCAN')
})

it.each([
  { what: 'groups', stage: { $group: { _id: '$interaction_driver', calls: { $sum: 1 } } }, looksFor: false },
  { what: 'the newest calls', stage: { $sort: { created_dt: -1 } }, looksFor: true },
])('$what: the engine looks among the rows for the first ones: $looksFor', async ({ stage, looksFor }) => {
  const store = await openStore()
  await store.calls.upsert('p', [call('1', { interaction_driver: 'billing' }), call('2')])
  const pipeline = parsePipeline([stage], { shape: recordShape })
  const { sql, params } = compile(narrow(pipeline, scope('p', 'all')), callSource).query
  const plan = await explained(store, sql, params)
  expect(plan.includes('Dynamic Filter')).toBe(looksFor)
})
