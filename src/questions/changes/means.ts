import { z } from 'zod'
import type { Asker } from '../asker.js'
import { eachOf, havingKind, isOf, type Kind, ratingKind, readBy, scoredAgentKind } from '../kinds.js'
import { mean } from '../measures.js'
import { readDocuments } from '../read-document.js'
import { compareMeans } from '../statistics/compare-means.js'
import type { Category, Periods, Tested } from './change.js'
import { eitherPeriod, inBaseline, inPeriod } from './in-period.js'

/** Most agents and rubric dimensions that are read. */
const MOST = 100_000

const row = z.object({
  _id: z.unknown(),
  now_mean: mean,
  now_deviation: mean,
  now_count: z.int(),
  before_mean: mean,
  before_deviation: mean,
  before_count: z.int(),
})

/** A value of calls whose mean may have moved, by a key. */
interface MeanOf {
  readonly category: Category
  readonly kind: Kind
  readonly value: string
  keyOf(id: unknown): string
}

const named = z.object({ agent_name: z.string() })
const key = (id: unknown) => z.string().parse(id)

const MEANS: readonly MeanOf[] = [
  ...['score', 'predicted_csat'].map((field): MeanOf => ({
    category: 'scores',
    kind: havingKind(field),
    value: `$${field}`,
    keyOf: () => field,
  })),
  { category: 'scores', kind: ratingKind, value: '$scores.value', keyOf: key },
  { category: 'agents', kind: scoredAgentKind, value: '$score', keyOf: id => named.parse(id).agent_name },
]

async function meansOf(asker: Asker, periods: Periods, measure: MeanOf, least: number): Promise<readonly Tested[]> {
  const { kind } = measure
  const now = { $cond: ['$now', measure.value, null] }
  const before = { $cond: ['$before', measure.value, null] }
  const counted = (when: string) => ({ $sum: { $cond: [when, 1, 0] } })
  const documents = await asker.ask(
    [
      eitherPeriod(periods),
      { $match: { $and: isOf(kind) } },
      {
        $project: {
          ...readBy(kind),
          now: inPeriod(periods),
          before: inBaseline(periods),
        },
      },
      ...eachOf(kind),
      {
        $group: {
          _id: kind.by,
          now_mean: { $avg: now },
          now_deviation: { $stdDevSamp: now },
          now_count: counted('$now'),
          before_mean: { $avg: before },
          before_deviation: { $stdDevSamp: before },
          before_count: counted('$before'),
        },
      },
      { $match: { $or: [{ now_count: { $gte: least } }, { before_count: { $gte: least } }] } },
    ],
    { maxDocuments: MOST },
  )
  return readDocuments(row, documents).flatMap((found): readonly Tested[] => {
    const p = compareMeans(
      { count: found.now_count, mean: found.now_mean ?? 0, deviation: found.now_deviation ?? 0 },
      { count: found.before_count, mean: found.before_mean ?? 0, deviation: found.before_deviation ?? 0 },
    )
    // A mean of too few values on a side is not tested at all.
    if (p === undefined) return []
    return [
      {
        category: measure.category,
        key: measure.keyOf(found._id),
        value: found.now_mean ?? undefined,
        baselineValue: found.before_mean ?? undefined,
        occurrences: found.now_count,
        baselineOccurrences: found.before_count,
        p,
        isShare: false,
        kind,
        id: found._id,
      },
    ]
  })
}

/** Every mean of the wanted categories that has enough values in both periods. */
export async function testedMeans(
  asker: Asker,
  periods: Periods,
  wanted: ReadonlySet<Category>,
  least: number,
): Promise<readonly Tested[]> {
  const means = MEANS.filter(measure => wanted.has(measure.category))
  const tested = await Promise.all(means.map(measure => meansOf(asker, periods, measure, least)))
  return tested.flat()
}
