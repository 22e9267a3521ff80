import { expect, it } from 'vitest'
import { z } from 'zod'
import { HELD_AMONG } from '../../../../src/store/duckdb/duckdb-privacy.js'
import type { DuckDbStore } from '../../../../src/store/duckdb/duckdb-store.js'
import { ANYWHERE, judgePlaced } from '../../../../src/store/duckdb/writing/placed-calls.js'
import { call, openStore } from '../support.js'

interface Operator {
  readonly name: string
  readonly children: readonly Operator[]
}
const operator: z.ZodType<Operator> = z.lazy(() => z.object({ name: z.string(), children: z.array(operator) }))

/** What the engine would do for a statement. */
async function planOf(store: DuckDbStore, sql: string, params: (string | bigint)[]): Promise<readonly Operator[]> {
  const { documents } = await store.query(
    { sql: `explain (format json) ${sql}`, params, unlimited: true, decode: ([, plan]) => ({ plan: plan as string }) },
    { lane: 'light', deadlineMs: 60_000, maxRows: 9 },
  )
  return z.array(operator).parse(JSON.parse(z.string().parse(documents[0]?.['plan'])))
}

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
