import { z } from 'zod'
import type { CountedValue, Document } from '../pipeline/index.js'
import type { Asker } from './asker.js'
import { askCounts, type CallFilter, squaresOf, total } from './counted.js'
import { bandOf } from './score-bands.js'

/** Most different values that are read. */
const MOST_VALUES = 100_000

/** Whose values are told by a key and a value, together. */
const PAIRS: ReadonlySet<CountedValue> = new Set(['dimension'])

const valueOf = z.object({
  by: z.string(),
  key: z.string().optional(),
  value: z.string().optional(),
  band: z.int().optional(),
})

/**
 * How many calls have each value, commonest first, by what it is a value of: `_id`, `calls` and what is measured of their scores; of scores by
 * their band. Several are asked for at once, since each question passes over all that is counted.
 */
export async function callsByValue<By extends CountedValue>(
  asker: Asker,
  by: readonly By[],
  filter: CallFilter,
): Promise<Readonly<Record<By, readonly Document[]>>> {
  const band = by.some(one => one === 'score') ? { band: bandOf('$number') } : {}
  const found = await askCounts(
    asker,
    by,
    filter,
    [
      {
        $group: {
          _id: { by: '$by', key: '$key', value: '$value', ...band },
          calls: total('calls'),
          ...squaresOf('score'),
        },
      },
      { $sort: { calls: -1, '_id.key': 1, '_id.value': 1 } },
    ],
    { maxDocuments: MOST_VALUES },
  )
  const values = found.map(document => ({ document, of: valueOf.parse(document['_id']) }))
  const each = by.map(one => {
    const own = values.filter(({ of }) => of.by === one)
    return [
      one,
      own.map(({ document, of: { key = null, value = null, band: ofScore = null } }) => {
        return { ...document, _id: one === 'score' ? ofScore : PAIRS.has(one) ? { key, value } : key }
      }),
    ] as const
  })
  return Object.fromEntries(each) as unknown as Readonly<Record<By, readonly Document[]>>
}
