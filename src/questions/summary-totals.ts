import { z } from 'zod'
import type { Asker, LiftBasis } from './asker.js'
import { defined } from './defined.js'
import { meanInterval, shareInterval } from '../statistics/mean-interval.js'
import type { Document } from '../pipeline/index.js'
import { sumOfMonths } from './by-month.js'
import { deviationIn, meanIn } from './counted.js'
import { mean } from './measures.js'
import { readDocuments } from './read-document.js'
import { liftInterval, SCALE } from './agent-rows.js'
import { liftNote, liftVariances } from './lift-certainty.js'
import type { SpreadPools } from './spread-pools.js'
import type { Window } from './window.js'

const row = z.object({
  calls: z.int(),
  evaluated: z.int(),
  average_score: mean,
  deviation: mean,
  scored_calls: z.int(),
  positive: z.int(),
  average_predicted_csat: mean,
  csat_deviation: mean,
  csat_calls: z.int(),
  csat_positive: z.int(),
  average_lift: mean,
  lift_deviation: mean,
  lift_calls: z.int(),
})

const totalsIn = (found: Document): Document => ({
  calls: found['calls'] ?? 0,
  evaluated: found['evaluated'] ?? 0,
  average_score: meanIn(found, 'score'),
  deviation: deviationIn(found, 'score'),
  scored_calls: found['score_n'] ?? 0,
  positive: found['positive'] ?? 0,
  average_predicted_csat: meanIn(found, 'csat'),
  csat_deviation: deviationIn(found, 'csat'),
  csat_calls: found['csat_n'] ?? 0,
  csat_positive: found['csat_positive'] ?? 0,
  average_lift: meanIn(found, 'lift'),
  lift_deviation: deviationIn(found, 'lift'),
  lift_calls: found['lift_n'] ?? 0,
})

const share = (part: number, whole: number) => (whole > 0 ? part / whole : undefined)

/** What the numbers of a period are made of. */
interface TotalsOf {
  readonly months: Promise<readonly Document[]>
  readonly pooling: Promise<SpreadPools>
  readonly basis: LiftBasis
}

/** The numbers of a period that need no list. */
export async function summaryTotals(asker: Asker, window: Window, { months, pooling, basis }: TotalsOf) {
  const [documents, pools] = await Promise.all([months, pooling])
  const sum = sumOfMonths(documents)
  const [found] = readDocuments(row, sum === undefined ? [] : [totalsIn(sum)])
  const none = { calls: 0, evaluated: 0, scored_calls: 0, csat_calls: 0, lift_calls: 0, lift_outcome: basis.outcome }
  if (found === undefined) return none
  const variances = await liftVariances(asker, basis, { filter: window.filter }, [{ lifts: found.lift_calls }])
  const liftBetween = liftInterval(
    { count: found.lift_calls, mean: found.average_lift, deviation: found.lift_deviation },
    pools.lift,
    variances(),
  )
  const { positive, csat_positive, deviation: _, csat_deviation: _c, lift_deviation: _l, ...totals } = found
  return defined({
    ...totals,
    ...intervalsOf(found, pools),
    lift_interval_95: liftBetween,
    lift_note: liftNote(basis, found.lift_calls, liftBetween !== undefined),
    lift_outcome: basis.outcome,
    average_score: totals.average_score ?? undefined,
    average_predicted_csat: totals.average_predicted_csat ?? undefined,
    average_lift: totals.average_lift ?? undefined,
    positive_share: share(positive, totals.scored_calls),
    csat_positive_share: share(csat_positive, totals.csat_calls),
  })
}

/** Beside each figure what it may be, over many such calls. */
function intervalsOf(found: z.infer<typeof row>, pools: SpreadPools) {
  const { scored_calls: scored, csat_calls: rated } = found
  const of = (count: number, average: number | null, deviation: number | null) => ({
    count,
    mean: average ?? 0,
    deviation: deviation ?? 0,
  })
  return {
    score_interval_95: meanInterval(of(scored, found.average_score, found.deviation), pools.score, SCALE),
    positive_share_interval_95: shareInterval(found.positive, scored, pools.positive.designEffect),
    csat_interval_95: meanInterval(of(rated, found.average_predicted_csat, found.csat_deviation), pools.csat, SCALE),
    csat_positive_share_interval_95: shareInterval(found.csat_positive, rated, pools.csat_positive.designEffect),
  }
}
