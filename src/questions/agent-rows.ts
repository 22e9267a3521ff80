import { z } from 'zod'
import type { Asker } from './asker.js'
import { defined } from './defined.js'
import { POSITIVE_SCORE, countWhere, isThere, mean } from './measures.js'
import { readDocuments } from './read-document.js'
import { meanInterval } from './statistics/mean-interval.js'
import { figure } from './figure.js'

/** What a set of calls is compared by with the calls before. */
const SCORES = {
  calls: { $sum: 1 },
  scored_calls: countWhere(isThere('$score')),
  average_score: { $avg: '$score' },
}

/** What is measured of a set of calls: the same for one agent and for all calls in scope. */
const MEASURES = {
  ...SCORES,
  evaluated: countWhere(isThere('$evaluation')),
  deviation: { $stdDevSamp: '$score' },
  positive: countWhere({ $gte: ['$score', POSITIVE_SCORE] }),
  average_predicted_csat: { $avg: '$predicted_csat' },
  csat_calls: countWhere(isThere('$predicted_csat')),
  average_lift: { $avg: '$outcome_lift.lift' },
  lift_calls: countWhere(isThere('$outcome_lift.lift')),
  average_duration_s: { $avg: '$duration_s' },
  duration_calls: countWhere(isThere('$duration_s')),
}

const scores = z.object({ calls: z.int(), scored_calls: z.int(), average_score: mean })

const measured = scores.extend({
  evaluated: z.int(),
  deviation: mean,
  positive: z.int(),
  average_predicted_csat: mean,
  csat_calls: z.int(),
  average_lift: mean,
  lift_calls: z.int(),
  average_duration_s: mean,
  duration_calls: z.int(),
})

const ofAgent = { _id: z.object({ agent_id: z.string(), agent_name: z.string() }) }
const agentRow = measured.extend(ofAgent)
export type AgentRow = z.infer<typeof agentRow>
const agentScores = scores.extend(ofAgent)

/** Most agents of a project that are read. */
const MOST_AGENTS = 100_000

/** Every agent with calls that meet the conditions; agents are told apart by id and name together. */
export async function agentRows(asker: Asker, conditions: readonly object[]): Promise<readonly AgentRow[]> {
  return readDocuments(agentRow, await byAgent(asker, conditions, MEASURES))
}

/** The scores alone of every agent with calls that meet the conditions. */
export async function agentScoresOf(asker: Asker, conditions: readonly object[]) {
  return readDocuments(agentScores, await byAgent(asker, conditions, SCORES))
}

async function byAgent(asker: Asker, conditions: readonly object[], measures: object) {
  const _id = { agent_id: '$agent_id', agent_name: '$agent_name' }
  return await asker.ask([{ $match: { $and: conditions } }, { $group: { _id, ...measures } }], {
    maxDocuments: MOST_AGENTS,
  })
}

const interval = z.array(figure).length(2)

export const agentSummarySchema = z.strictObject({
  agent_id: z.string(),
  agent_name: z.string(),
  calls: z.int(),
  evaluated: z.int().meta({ description: 'Calls with an evaluation; shares of signals and guidance are of these' }),
  scored_calls: z.int(),
  average_score: figure.optional(),
  score_interval_95: interval
    .optional()
    .meta({ description: '95 % confidence interval of the average score; from two scored calls' }),
  positive_share: figure.optional().meta({ description: `Share of scored calls of ${POSITIVE_SCORE} and more` }),
  average_predicted_csat: figure.optional(),
  csat_calls: z.int(),
  average_lift: figure.optional(),
  lift_calls: z.int(),
  average_duration_s: figure.optional(),
  duration_calls: z.int(),
})

type Summary = Omit<z.infer<typeof agentSummarySchema>, 'agent_id' | 'agent_name'>

/** A score's interval never leaves the scale of scores. */
const within = (value: number) => Math.min(5, Math.max(1, value))

function summary(row: z.infer<typeof measured>): Summary {
  const sample = { count: row.scored_calls, mean: row.average_score ?? 0, deviation: row.deviation ?? 0 }
  const score = meanInterval(sample)
  return defined({
    calls: row.calls,
    evaluated: row.evaluated,
    scored_calls: row.scored_calls,
    average_score: row.average_score ?? undefined,
    score_interval_95: score && [within(score[0]), within(score[1])],
    positive_share: row.scored_calls > 0 ? row.positive / row.scored_calls : undefined,
    average_predicted_csat: row.average_predicted_csat ?? undefined,
    csat_calls: row.csat_calls,
    average_lift: row.average_lift ?? undefined,
    lift_calls: row.lift_calls,
    average_duration_s: row.average_duration_s ?? undefined,
    duration_calls: row.duration_calls,
  })
}

export const agentSummary = (row: AgentRow) => ({ ...row._id, ...summary(row) })

/** The same measures over all calls that meet the conditions. */
export async function averageOf(asker: Asker, conditions: readonly object[]): Promise<Summary> {
  const documents = await asker.ask([{ $match: { $and: conditions } }, { $group: { _id: null, ...MEASURES } }])
  const [row] = readDocuments(measured, documents)
  return row === undefined
    ? { calls: 0, evaluated: 0, scored_calls: 0, csat_calls: 0, lift_calls: 0, duration_calls: 0 }
    : summary(row)
}
