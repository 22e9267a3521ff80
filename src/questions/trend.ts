import { Temporal } from 'temporal-polyfill'
import { z } from 'zod'
import type { Document } from '../pipeline/index.js'
import type { Asker } from './asker.js'
import { defined } from './defined.js'
import { byMonth } from './by-month.js'
import { askAgents, type CallsOf, meanIn, momentsOf, total } from './counted.js'
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

const row = z.object({ _id: z.date(), calls: z.int(), score_n: z.int(), csat_n: z.int() })

/** The step that a local day is in. */
const stepOf = (unit: string) => ({ $dateTrunc: { date: '$day', unit, startOfWeek: 'monday' } })

const bySteps = (asker: Asker, calls: CallsOf, interval: 'day' | 'week') =>
  askAgents(
    asker,
    calls,
    [
      { $group: { _id: stepOf(interval), calls: total('calls'), ...momentsOf('score'), ...momentsOf('csat') } },
      { $sort: { _id: 1 } },
    ],
    { maxDocuments: 100_000 },
  )

/**
 * Volume and averages step by step; steps without calls are left out.
 * @param agents whose calls, as filters on agents; absent = everyone's in scope
 * @param months the months of these calls, where they are asked for anyway
 */
export async function trendOf(
  asker: Asker,
  { filter }: Window,
  interval: 'day' | 'week' | 'month',
  { agents = [], months }: { readonly agents?: readonly object[]; readonly months?: Promise<readonly Document[]> } = {},
) {
  const calls = { filter, agents }
  const documents = await (interval === 'month' ? (months ?? byMonth(asker, calls)) : bySteps(asker, calls, interval))
  const rows = readDocuments(row, documents)
  const means = documents.map(one => ({ score: meanIn(one, 'score'), csat: meanIn(one, 'csat') }))
  return {
    trend: rows
      .map((one, i) =>
        defined({
          period: localPeriod(one._id, interval, 'UTC'),
          calls: one.calls,
          average_score: means[i]!.score ?? undefined,
          scored_calls: one.score_n,
          average_predicted_csat: means[i]!.csat ?? undefined,
          csat_calls: one.csat_n,
        }),
      )
      .slice(-MOST_STEPS),
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
  score_n: z.int(),
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
  const { last } = await callsOf(asker, { filter })
  if (last === undefined || agents.length === 0) return new Map()
  const timezone = asker.project.timezone
  const since = new Date(firstStep(last, interval, timezone))
  const from = filter.created_dt?.$gte
  const documents = await askAgents(
    asker,
    {
      filter: {
        ...filter,
        created_dt: { ...filter.created_dt, $gte: from !== undefined && from > since ? from : since },
      },
      agents: [{ agent_name: { $in: agents.map(agent => agent.agent_name) } }],
    },
    [
      {
        $group: {
          _id: { agent_id: '$agent_id', agent_name: '$agent_name', at: stepOf(interval) },
          calls: total('calls'),
          ...momentsOf('score'),
        },
      },
      { $sort: { '_id.at': 1, '_id.agent_name': 1, '_id.agent_id': 1 } },
    ],
    { maxDocuments: 100_000, ...(interval === 'month' && { months: true }) },
  )
  const trends = new Map<string, AgentTrend>()
  for (const document of documents) {
    const { _id: agent, calls, score_n: scored } = readDocuments(agentStep, [document])[0]!
    const name = nameOf(agent)
    const period = localPeriod(agent.at, interval, 'UTC')
    const steps = trends.get(name) ?? []
    const average = meanIn(document, 'score') ?? undefined
    trends.set(name, [...steps, defined({ period, average_score: average, calls, scored_calls: scored })])
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
