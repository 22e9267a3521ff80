import { z } from 'zod'
import type { Asker } from './asker.js'
import { eachOf, isOf, type Kind, readBy } from './kinds.js'
import { readDocuments } from './read-document.js'

/** Values of a kind that examples are wanted of, and how many calls each is of. Each kind is wanted once. */
export interface Wanted {
  readonly kind: Kind
  readonly of: readonly { readonly id: unknown; readonly calls: number }[]
}

/** Sessions that show a value of a kind, newest first; undefined where none are asked for. */
export type Examples = (kind: Kind, id: unknown) => string[] | undefined

/**
 * Calls in which examples are looked for first. What is common has some among the newest calls, and those are its
 * newest; keeping the newest of every value of every call took ten times as long as counting them.
 */
const NEWEST_CALLS = 2_000

/** Values of a kind that are looked for one by one among all calls: 10 to 15 ms each where calls are 250,000. */
const FEW_VALUES = 6

/** Values of a kind that are named from the start: the others of as many are more to read than the names are to compare. */
const MANY_VALUES = 50

/** Most different values that are read. */
const MOST_VALUES = 100_000

const row = z.object({ _id: z.unknown(), examples: z.array(z.string()) })
const idRow = z.object({ _id: z.string() })

/** The newest of a group, so that they are likely still remembered. */
const newest = (n: number) => ({ $topN: { n, sortBy: { created_dt: -1, _id: 1 }, output: '$_id' } })

/** The stages that group calls by a kind, with examples. @param narrowed filters for some of its values */
function grouped(kind: Kind, most: number, narrowed: readonly object[]): readonly object[] {
  return [
    { $match: { $and: isOf(kind) } },
    { $project: { created_dt: 1, ...readBy(kind) } },
    // Before unwinding a list the same filter means any of its elements.
    ...narrowed,
    ...(kind.unwind === undefined ? [] : [...eachOf(kind), ...narrowed]),
    { $group: { _id: kind.by, examples: newest(most) } },
  ]
}

/**
 * Examples of values of several kinds, among the calls that meet the conditions: the newest calls are looked through for
 * all of them together, the rest for what is rarer than that.
 * @param most examples of each value, 0–3
 */
export async function newestExamples(
  asker: Asker,
  conditions: readonly object[],
  wanted: readonly Wanted[],
  most: number,
): Promise<Examples> {
  if (most === 0) return () => undefined
  const found = new Map<string, string[]>()
  const keyOf = ({ name }: Kind, id: unknown) => `${name} ${JSON.stringify(id)}`
  const find = async (kind: Kind, among: readonly object[], narrowed: readonly object[]) => {
    const stages = [{ $match: { $and: among } }, ...grouped(kind, most, narrowed)]
    const documents = await asker.ask(stages, { maxDocuments: MOST_VALUES })
    for (const { _id, examples } of readDocuments(row, documents)) found.set(keyOf(kind, _id), examples)
  }
  const findOne = async (kind: Kind, id: unknown) => {
    const documents = await asker.ask([
      { $match: { $and: [...conditions, ...isOf(kind), kind.having(id)] } },
      { $project: { created_dt: 1 } },
      { $sort: { created_dt: -1, _id: 1 } },
      { $limit: most },
    ])
    const ids = readDocuments(idRow, documents).map(({ _id }) => _id)
    found.set(keyOf(kind, id), ids)
  }
  const all = wanted.filter(({ of }) => of.length > 0)
  if (all.length === 0) return () => []
  const since = await newestSince(asker, conditions)
  await Promise.all(
    all.map(async ({ kind, of }) => {
      const named = of.length > MANY_VALUES ? [{ $match: kind.among(of.map(({ id }) => id)) }] : []
      await find(kind, [...conditions, { created_dt: { $gte: since } }], named)
      const ids = of
        .filter(({ id, calls }) => (found.get(keyOf(kind, id))?.length ?? 0) < Math.min(most, calls))
        .map(({ id }) => id)
      if (ids.length <= FEW_VALUES) await Promise.all(ids.map(id => findOne(kind, id)))
      else await find(kind, conditions, [{ $match: kind.among(ids) }])
    }),
  )
  return (kind, id) => found.get(keyOf(kind, id)) ?? []
}

/** When the first of the newest calls was. */
async function newestSince(asker: Asker, conditions: readonly object[]): Promise<Date> {
  const documents = await asker.ask([
    { $match: { $and: conditions } },
    { $project: { created_dt: 1 } },
    { $sort: { created_dt: -1 } },
    { $limit: NEWEST_CALLS },
    { $group: { _id: null, since: { $min: '$created_dt' } } },
  ])
  // Without a call now, one that came since may be found all the same.
  return readDocuments(z.object({ since: z.date() }), documents)[0]?.since ?? new Date(0)
}
