import { z } from 'zod'
import type { Asker } from '../asker.js'
import { dimensionKind, driverKind, eachOf, guidanceKind, isOf, type Kind, readBy, signalKind } from '../kinds.js'
import { countWhere } from '../measures.js'
import { readDocuments } from '../read-document.js'
import { compareShares } from '../statistics/compare-shares.js'
import type { Category, Periods, PeriodTotals, Tested } from './change.js'
import { eitherPeriod, inBaseline, inPeriod } from './in-period.js'

/** Most different values of a category that are read. */
const MOST = 100_000

/** Something calls have or have not: how often, as a share of evaluated calls where the kind is of those, else of all. */
interface ShareOf {
  readonly category: Category
  readonly kind: Kind
  keyOf(id: unknown): string
}

const text = (id: unknown) => z.string().parse(id)
const pair = z.object({ key: z.string(), value: z.string() })

const SHARES: readonly ShareOf[] = [
  { category: 'signals', kind: { ...signalKind, evaluatedOnly: true }, keyOf: text },
  { category: 'guidance', kind: { ...guidanceKind, evaluatedOnly: true }, keyOf: text },
  { category: 'drivers', kind: driverKind, keyOf: text },
  {
    category: 'dimensions',
    kind: { ...dimensionKind, evaluatedOnly: true },
    keyOf: id => {
      const { key, value } = pair.parse(id)
      return `${key}=${value}`
    },
  },
]

const row = z.object({ _id: z.unknown(), now: z.int(), before: z.int() })

/** The shares of one category in both periods, tested; those rarer than `least` in both are left out. */
async function sharesOf(asker: Asker, periods: Periods, counted: Promise<PeriodTotals>, share: ShareOf, least: number) {
  const { kind } = share
  const ofEvaluated = kind.evaluatedOnly === true
  const documents = await asker.ask(
    [
      eitherPeriod(periods),
      { $match: { $and: isOf(kind) } },
      {
        $project: {
          now: { $cond: [inPeriod(periods), 1, 0] },
          before: { $cond: [inBaseline(periods), 1, 0] },
          ...readBy(kind),
        },
      },
      ...eachOf(kind),
      { $group: { _id: kind.by, now: { $sum: '$now' }, before: { $sum: '$before' } } },
      { $match: { $or: [{ now: { $gte: least } }, { before: { $gte: least } }] } },
    ],
    { maxDocuments: MOST },
  )
  const totals = await counted
  const of = ofEvaluated ? totals.evaluated : totals.calls
  const baselineOf = ofEvaluated ? totals.baselineEvaluated : totals.baselineCalls
  return readDocuments(row, documents).map(({ _id, now, before }): Tested => ({
    category: share.category,
    key: share.keyOf(_id),
    value: of > 0 ? now / of : undefined,
    baselineValue: baselineOf > 0 ? before / baselineOf : undefined,
    occurrences: now,
    baselineOccurrences: before,
    p: compareShares({ hits: now, of }, { hits: before, of: baselineOf }),
    isShare: true,
    kind,
    id: _id,
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

/** Every share of the wanted categories. @param totals is counted meanwhile */
export async function testedShares(
  asker: Asker,
  periods: Periods,
  totals: Promise<PeriodTotals>,
  wanted: ReadonlySet<Category>,
  least: number,
): Promise<readonly Tested[]> {
  const shares = SHARES.filter(share => wanted.has(share.category))
  const tested = await Promise.all(shares.map(share => sharesOf(asker, periods, totals, share, least)))
  return tested.flat()
}
