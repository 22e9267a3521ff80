import { z } from 'zod'
import type { Asker } from './asker.js'
import { defined } from './defined.js'
import { POSITIVE_CSAT, POSITIVE_SCORE, countWhere, isThere, mean } from './measures.js'
import { readDocuments } from './read-document.js'
import type { Window } from './window.js'

const row = z.object({
  calls: z.int(),
  evaluated: z.int(),
  average_score: mean,
  scored_calls: z.int(),
  positive: z.int(),
  average_predicted_csat: mean,
  csat_calls: z.int(),
  csat_positive: z.int(),
  average_lift: mean,
  lift_calls: z.int(),
})

const share = (part: number, whole: number) => (whole > 0 ? part / whole : undefined)

/** The numbers of a period that need no list. */
export async function summaryTotals(asker: Asker, window: Window) {
  const documents = await asker.ask([
    { $match: window.filter },
    {
      $group: {
        _id: null,
        calls: { $sum: 1 },
        evaluated: countWhere(isThere('$evaluation')),
        average_score: { $avg: '$score' },
        scored_calls: countWhere(isThere('$score')),
        positive: countWhere({ $gte: ['$score', POSITIVE_SCORE] }),
        average_predicted_csat: { $avg: '$predicted_csat' },
        csat_calls: countWhere(isThere('$predicted_csat')),
        csat_positive: countWhere({ $gte: ['$predicted_csat', POSITIVE_CSAT] }),
        average_lift: { $avg: '$outcome_lift.lift' },
        lift_calls: countWhere(isThere('$outcome_lift.lift')),
      },
    },
  ])
  const [found] = readDocuments(row, documents)
  if (found === undefined) return { calls: 0, evaluated: 0, scored_calls: 0, csat_calls: 0, lift_calls: 0 }
  const { positive, csat_positive, ...totals } = found
  return defined({
    ...totals,
    average_score: totals.average_score ?? undefined,
    average_predicted_csat: totals.average_predicted_csat ?? undefined,
    average_lift: totals.average_lift ?? undefined,
    positive_share: share(positive, totals.scored_calls),
    csat_positive_share: share(csat_positive, totals.csat_calls),
  })
}
