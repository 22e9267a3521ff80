import {
  compareValues,
  type CountedByAny,
  type Document,
  Double,
  double,
  type TimeSpan,
  type Value,
} from '../pipeline/index.js'
import type { Asker, CountOptions } from './asker.js'
import { settledApart } from './settled.js'

const plain = (value: Value | undefined) => (value instanceof Double ? value.value : Number(value))

/** Accumulators of which the whole follows from the parts. */
const ADDED = {
  $sum: (a, b) => {
    if (typeof a === 'number' && typeof b === 'number') return a + b
    if (a instanceof Double || b instanceof Double) return double(plain(a) + plain(b))
    return BigInt(a as number | bigint) + BigInt(b as number | bigint)
  },
  $min: (a, b) => (compareValues(a, b) <= 0 ? a! : b!),
  $max: (a, b) => (compareValues(a, b) >= 0 ? a! : b!),
} satisfies Record<string, (a: Value | undefined, b: Value | undefined) => Value>
export type Added = keyof typeof ADDED

const isAdded = (name: string): name is Added => Object.hasOwn(ADDED, name)

/** Two groups as one: the first, with all that is added up of both. */
export const addedTogether = (how: ReadonlyMap<string, Added>, a: Document, b: Document): Document => ({
  ...a,
  ...Object.fromEntries([...how].map(([name, added]): [string, Value] => [name, ADDED[added](a[name], b[name])])),
})

interface AddedUp {
  /** Up to the group. */
  readonly stages: readonly object[]
  /** How each field of a group is added up. */
  readonly fields: ReadonlyMap<string, Added>
  readonly sort: Readonly<Record<string, number>>
}

/** A pipeline that groups counts and at most puts the groups in order, whose groups can be added up of those of parts; undefined of any other. */
function addedUp(stages: readonly object[]): AddedUp | undefined {
  const named = stages.map(stage => Object.entries(stage)[0] as [string, Readonly<Record<string, object>>])
  const at = named.findIndex(([name]) => name === '$group')
  const rest = named.slice(at + 1)
  const [sort] = rest
  if (at < 0 || rest.length > 1 || (sort !== undefined && sort[0] !== '$sort')) return undefined
  if (named.slice(0, at).some(([name]) => name !== '$match')) return undefined
  const { _id: _, ...fields } = named[at]![1]
  const added = Object.entries(fields).flatMap(([name, of]): [string, Added][] => {
    const [how = ''] = Object.keys(of)
    return isAdded(how) ? [[name, how]] : []
  })
  if (added.length < Object.keys(fields).length) return undefined
  return {
    stages: stages.slice(0, at + 1),
    fields: new Map(added),
    sort: (sort?.[1] ?? {}) as unknown as Readonly<Record<string, number>>,
  }
}

const idOf = ({ _id }: Document) =>
  JSON.stringify(_id, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value))

const valueAt = (document: Document, path: string): Value | undefined =>
  path.split('.').reduce<Value | undefined>((value, name) => (value as Document | undefined)?.[name], document)

/**
 * Runs a pipeline over counts, what is over and what is not each by itself, where groups of both can be added up: what is over is
 * remembered for as long as its days stay as they are. The answer is the same.
 */
export async function countedTogether(
  asker: Asker,
  by: CountedByAny,
  stages: readonly object[],
  { spans = [{}], ...options }: CountOptions & { readonly spans?: readonly TimeSpan[] },
): Promise<readonly Document[]> {
  const added = addedUp(stages)
  const parts = settledApart(asker, spans)
  if (added === undefined || parts.length < 2 || options.future === true || spans.length > 1)
    return await asker.count(by, stages, { ...options, spans })
  const found = await Promise.all(
    parts.map(async part => await asker.count(by, added.stages, { ...options, spans: part.spans })),
  )
  const groups = new Map<string, Document>()
  for (const document of found.flat()) {
    const id = idOf(document)
    const before = groups.get(id)
    groups.set(id, before === undefined ? document : addedTogether(added.fields, before, document))
  }
  const keys = Object.entries(added.sort)
  return [...groups.values()].toSorted((a, b) => {
    for (const [path, order] of keys) {
      const compared = compareValues(valueAt(a, path), valueAt(b, path)) * order
      if (compared !== 0) return compared
    }
    return 0
  })
}
