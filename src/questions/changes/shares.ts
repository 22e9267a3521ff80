import { z } from 'zod'
import type { Asker } from '../asker.js'
import { countWhere } from '../measures.js'
import { readDocuments } from '../read-document.js'
import { compareShares } from '../statistics/compare-shares.js'
import type { Category, Periods, PeriodTotals, Tested } from './change.js'
import { eitherPeriod, inBaseline, inPeriod } from './in-period.js'

/** Most different values of a category that are read. */
const MOST = 100_000

/** Something calls have or have not: how often, as a share of calls. */
interface ShareOf {
  readonly category: Category
  /** The fields it reads, beside the start of the call. */
  readonly fields: readonly string[]
  readonly unwind?: string
  readonly by: unknown
  keyOf(id: unknown): string
  witness(id: unknown): readonly object[]
  /** What it is a share of: evaluated calls, or all. */
  readonly of: 'calls' | 'evaluated'
}

const text = z.string()
const pair = z.object({ key: z.string(), value: z.string() })

const SHARES: readonly ShareOf[] = [
  {
    category: 'signals',
    fields: ['present_signals'],
    unwind: '$present_signals',
    by: '$present_signals',
    keyOf: id => text.parse(id),
    witness: id => [{ present_signals: { $eq: id } }],
    of: 'evaluated',
  },
  {
    category: 'guidance',
    fields: ['guidance_keys'],
    unwind: '$guidance_keys',
    by: '$guidance_keys',
    keyOf: id => text.parse(id),
    witness: id => [{ guidance_keys: { $eq: id } }],
    of: 'evaluated',
  },
  {
    category: 'drivers',
    fields: ['interaction_driver'],
    by: '$interaction_driver',
    keyOf: id => text.parse(id),
    witness: id => [{ interaction_driver: { $eq: id } }],
    of: 'calls',
  },
  {
    category: 'dimensions',
    fields: ['dimensions'],
    unwind: '$dimensions',
    by: { key: '$dimensions.key', value: '$dimensions.value' },
    keyOf: id => {
      const { key, value } = pair.parse(id)
      return `${key}=${value}`
    },
    witness: id => {
      const { key, value } = pair.parse(id)
      return [{ dimensions: { $elemMatch: { key: { $eq: key }, value: { $eq: value } } } }]
    },
    of: 'evaluated',
  },
]

const row = z.object({ _id: z.unknown(), now: z.int(), before: z.int() })

/** The shares of one category in both periods, tested; those rarer than `least` in both are left out. */
async function sharesOf(asker: Asker, periods: Periods, totals: PeriodTotals, share: ShareOf, least: number) {
  const documents = await asker.ask(
    [
      eitherPeriod(periods),
      { $match: { $and: share.fields.map(field => ({ [field]: { $ne: null } })) } },
      // Only calls that were evaluated count where the share is of those.
      ...(share.of === 'evaluated' ? [{ $match: { evaluation: { $ne: null } } }] : []),
      {
        $project: {
          now: { $cond: [inPeriod(periods), 1, 0] },
          before: { $cond: [inBaseline(periods), 1, 0] },
          ...Object.fromEntries(share.fields.map(field => [field, 1])),
        },
      },
      ...(share.unwind === undefined ? [] : [{ $unwind: share.unwind }]),
      { $group: { _id: share.by, now: { $sum: '$now' }, before: { $sum: '$before' } } },
      { $match: { $or: [{ now: { $gte: least } }, { before: { $gte: least } }] } },
      { $sort: { _id: 1 } },
    ],
    { maxDocuments: MOST },
  )
  const of = share.of === 'calls' ? totals.calls : totals.evaluated
  const baselineOf = share.of === 'calls' ? totals.baselineCalls : totals.baselineEvaluated
  return readDocuments(row, documents).map(({ _id, now, before }): Tested => ({
    category: share.category,
    key: share.keyOf(_id),
    value: of > 0 ? now / of : undefined,
    baselineValue: baselineOf > 0 ? before / baselineOf : undefined,
    occurrences: now,
    baselineOccurrences: before,
    p: compareShares({ hits: now, of }, { hits: before, of: baselineOf }),
    isShare: true,
    witness: [...share.witness(_id), ...(share.of === 'evaluated' ? [{ evaluation: { $ne: null } }] : [])],
  }))
}

/** Calls and evaluated calls of both periods. */
export async function periodTotals(asker: Asker, periods: Periods): Promise<PeriodTotals> {
  const evaluated = { $gt: ['$evaluation', null] }
  const [found] = await asker.ask([
    eitherPeriod(periods),
    {
      $group: {
        _id: null,
        calls: countWhere(inPeriod(periods)),
        evaluated: countWhere({ $and: [inPeriod(periods), evaluated] }),
        baselineCalls: countWhere(inBaseline(periods)),
        baselineEvaluated: countWhere({ $and: [inBaseline(periods), evaluated] }),
      },
    },
  ])
  const count = z.int().default(0)
  return z.object({ calls: count, evaluated: count, baselineCalls: count, baselineEvaluated: count }).parse(found ?? {})
}

/** Every share of the wanted categories. */
export async function testedShares(
  asker: Asker,
  periods: Periods,
  totals: PeriodTotals,
  wanted: ReadonlySet<Category>,
  least: number,
): Promise<readonly Tested[]> {
  const shares = SHARES.filter(share => wanted.has(share.category))
  const tested = await Promise.all(shares.map(share => sharesOf(asker, periods, totals, share, least)))
  return tested.flat()
}
