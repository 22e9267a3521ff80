import { Temporal } from 'temporal-polyfill'
import { z } from 'zod'
import type { Asker } from './asker.js'
import { defined } from './defined.js'
import { countWhere, isThere, mean } from './measures.js'
import { localPeriod } from './local-period.js'
import { readDocuments } from './read-document.js'
import { callsOf, type Window } from './window.js'
import { figure } from './figure.js'

/** Most steps of a trend in one answer, and of that of each of several agents. */
const MOST_STEPS = 400
const MOST_AGENT_STEPS = 12

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

type Interval = z.infer<typeof trendInterval>

export const agentTrendInterval = z
  .enum(['day', 'week', 'month'])
  .optional()
  .meta({
    description: `Gives each agent’s trend in steps of this length, the ${MOST_AGENT_STEPS} newest of the window`,
  })

export const agentTrendSchema = z
  .array(
    z.strictObject({ period: z.string(), calls: z.int(), average_score: figure.optional(), scored_calls: z.int() }),
  )
  .meta({ description: 'Oldest first; steps without calls are left out' })

type AgentTrend = z.infer<typeof agentTrendSchema>

const agentStep = z.object({
  _id: z.object({ agent_id: z.string(), agent_name: z.string(), at: z.date() }),
  calls: z.int(),
  average_score: mean,
  scored_calls: z.int(),
})

/**
 * The newest steps of each of some agents, by agent. The steps are those before the last call of anyone in scope, the same for all.
 * @param nameOf what the answer names an agent by
 */
export async function agentTrends(
  asker: Asker,
  { filter }: Window,
  interval: Exclude<Interval, undefined>,
  agents: readonly { readonly agent_name: string }[],
  nameOf: (agent: { readonly agent_id: string; readonly agent_name: string }) => string,
): Promise<ReadonlyMap<string, AgentTrend>> {
  const { last } = await callsOf(asker, [filter])
  if (last === undefined || agents.length === 0) return new Map()
  const timezone = asker.project.timezone
  const documents = await asker.ask(
    [
      {
        $match: {
          $and: [
            filter,
            { created_dt: { $gte: new Date(firstStep(last, interval, timezone)) } },
            { agent_name: { $in: agents.map(agent => agent.agent_name) } },
          ],
        },
      },
      {
        $group: {
          _id: {
            agent_id: '$agent_id',
            agent_name: '$agent_name',
            at: { $dateTrunc: { date: '$created_dt', unit: interval, timezone, startOfWeek: 'monday' } },
          },
          calls: { $sum: 1 },
          average_score: { $avg: '$score' },
          scored_calls: countWhere(isThere('$score')),
        },
      },
      { $sort: { '_id.at': 1, '_id.agent_name': 1, '_id.agent_id': 1 } },
    ],
    { maxDocuments: 100_000 },
  )
  const trends = new Map<string, AgentTrend>()
  for (const { _id: agent, average_score: average, ...step } of readDocuments(agentStep, documents)) {
    const name = nameOf(agent)
    const period = localPeriod(agent.at, interval, timezone)
    const steps = trends.get(name) ?? []
    trends.set(name, [...steps, defined({ period, average_score: average ?? undefined, ...step })])
  }
  return trends
}

/** Where the newest steps begin: the instant, milliseconds since 1970. */
function firstStep(last: number, interval: Interval, timeZone: string): number {
  const day = Temporal.Instant.fromEpochMilliseconds(last).toZonedDateTimeISO(timeZone).toPlainDate()
  const begin =
    interval === 'day' ? day : interval === 'week' ? day.subtract({ days: day.dayOfWeek - 1 }) : day.with({ day: 1 })
  const first = begin.subtract({ [`${interval}s`]: MOST_AGENT_STEPS - 1 })
  return first.toZonedDateTime({ timeZone }).epochMilliseconds
}
