import { z } from 'zod'
import type { Asker } from './asker.js'
import { defined } from './defined.js'
import { countWhere, isThere, mean } from './measures.js'
import { localPeriod } from './local-period.js'
import { readDocuments } from './read-document.js'
import type { Window } from './window.js'
import { figure } from './figure.js'

/** Most steps of a trend in one answer. */
const MOST_STEPS = 400

export const trendInterval = z
  .enum(['day', 'week', 'month'])
  .default('month')
  .meta({ description: 'Length of the steps of the trend' })

export const trendSchema = z
  .array(
    z.strictObject({
      period: z.string(),
      calls: z.int(),
      average_score: figure.optional(),
      scored_calls: z.int(),
      average_predicted_csat: figure.optional(),
      csat_calls: z.int(),
    }),
  )
  .meta({
    description: `By day (2026-03-01), ISO week (2026-W10) or month (2026-03) of the project’s time zone, oldest first; the ${MOST_STEPS} newest`,
  })

const row = z.object({
  _id: z.date(),
  calls: z.int(),
  average_score: mean,
  scored_calls: z.int(),
  average_predicted_csat: mean,
  csat_calls: z.int(),
})

/**
 * Volume and averages step by step; steps without calls are left out.
 * @param conditions what the calls must meet besides the window
 */
export async function trendOf(
  asker: Asker,
  window: Window,
  interval: 'day' | 'week' | 'month',
  conditions: readonly object[] = [],
) {
  const timezone = asker.project.timezone
  const documents = await asker.ask(
    [
      { $match: { $and: [window.filter, ...conditions] } },
      {
        $group: {
          _id: { $dateTrunc: { date: '$created_dt', unit: interval, timezone, startOfWeek: 'monday' } },
          calls: { $sum: 1 },
          average_score: { $avg: '$score' },
          scored_calls: countWhere(isThere('$score')),
          average_predicted_csat: { $avg: '$predicted_csat' },
          csat_calls: countWhere(isThere('$predicted_csat')),
        },
      },
      { $sort: { _id: 1 } },
    ],
    { maxDocuments: 100_000 },
  )
  const rows = readDocuments(row, documents)
  return {
    trend: rows.slice(-MOST_STEPS).map(one =>
      defined({
        period: localPeriod(one._id, interval, timezone),
        calls: one.calls,
        average_score: one.average_score ?? undefined,
        scored_calls: one.scored_calls,
        average_predicted_csat: one.average_predicted_csat ?? undefined,
        csat_calls: one.csat_calls,
      }),
    ),
    trend_total: rows.length,
  }
}
