import { z } from 'zod'
import { listInTurns } from '../base/in-turns.js'
import type { Asker, LiftBasis } from './asker.js'
import { defined } from './defined.js'
import { liftVariances } from './lift-certainty.js'
import type { Document } from '../pipeline/index.js'
import { askAgents, type CallsOf, deviationIn, meanIn, momentsOf, squaresOf, total } from './counted.js'
import { POSITIVE_SCORE, mean } from './measures.js'
import { readDocument, readDocuments } from './read-document.js'
import {
  type IntervalOptions,
  meanInterval,
  type Range,
  shareInterval,
  type SpreadPool,
} from '../statistics/mean-interval.js'
import { jointLevel, type Limits, rankIntervals } from '../statistics/rank-intervals.js'
import { figure } from './figure.js'
import type { SpreadPools } from './spread-pools.js'

/** What a set of calls is compared by with the calls before. */
const SCORES = { calls: total('calls'), ...momentsOf('score') }

/** What is measured of a set of calls: the same for one agent and for all calls in scope. */
const MEASURES = {
  calls: total('calls'),
  evaluated: total('evaluated'),
  positive: total('positive'),
  ...squaresOf('score'),
  ...squaresOf('csat'),
  ...squaresOf('lift'),
  ...momentsOf('duration'),
}

const scores = z.object({ calls: z.int(), scored_calls: z.int(), average_score: mean })

const measured = scores.extend({
  evaluated: z.int(),
  deviation: mean,
  positive: z.int(),
  average_predicted_csat: mean,
  csat_deviation: mean,
  csat_calls: z.int(),
  average_lift: mean,
  lift_deviation: mean,
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

const scoresIn = ({ _id = null, calls = 0, score_n = 0, ...found }: Document): Document => ({
  _id,
  calls,
  scored_calls: score_n,
  average_score: meanIn({ ...found, score_n }, 'score'),
})

const measuredIn = (found: Document): Document => ({
  ...scoresIn(found),
  evaluated: found['evaluated'] ?? 0,
  deviation: deviationIn(found, 'score'),
  positive: found['positive'] ?? 0,
  average_predicted_csat: meanIn(found, 'csat'),
  csat_deviation: deviationIn(found, 'csat'),
  csat_calls: found['csat_n'] ?? 0,
  average_lift: meanIn(found, 'lift'),
  lift_deviation: deviationIn(found, 'lift'),
  lift_calls: found['lift_n'] ?? 0,
  average_duration_s: meanIn(found, 'duration'),
  duration_calls: found['duration_n'] ?? 0,
})

const BY_AGENT = { agent_id: '$agent_id', agent_name: '$agent_name' }

async function grouped(asker: Asker, of: CallsOf, _id: object | null, measures: object): Promise<readonly Document[]> {
  return await askAgents(asker, of, [{ $group: { _id, ...measures } }], { maxDocuments: MOST_AGENTS })
}

/** Every agent with such calls; agents are told apart by id and name together. */
export async function agentRows(asker: Asker, of: CallsOf): Promise<readonly AgentRow[]> {
  const found = await grouped(asker, of, BY_AGENT, MEASURES)
  return await listInTurns(found, one => readDocument(agentRow, measuredIn(one)))
}

/** The scores alone of every agent with such calls. */
export async function agentScoresOf(asker: Asker, of: CallsOf) {
  const found = await grouped(asker, of, BY_AGENT, SCORES)
  return await listInTurns(found, one => readDocument(agentScores, scoresIn(one)))
}

export const intervalSchema = (of: string) =>
  z
    .array(figure)
    .length(2)
    .optional()
    .meta({ description: `95 % confidence interval of ${of}` })

export const agentSummarySchema = z.strictObject({
  agent_id: z.string(),
  agent_name: z.string(),
  calls: z.int(),
  evaluated: z.int().meta({ description: 'Calls with an evaluation; shares of signals and guidance are of these' }),
  scored_calls: z.int(),
  average_score: figure.optional(),
  score_interval_95: intervalSchema('the average score'),
  positive_share: figure.optional().meta({ description: `Share of scored calls of ${POSITIVE_SCORE} and more` }),
  positive_share_interval_95: intervalSchema('positive_share'),
  average_predicted_csat: figure.optional(),
  csat_interval_95: intervalSchema('the average predicted_csat'),
  csat_calls: z.int(),
  average_lift: figure.optional(),
  lift_interval_95: intervalSchema('the average lift'),
  lift_calls: z.int(),
  average_duration_s: figure.optional(),
  duration_calls: z.int(),
})

export const rankIntervalSchema = z.array(z.int()).length(2).optional().meta({
  description:
    'Best and worst place among all ranked, 95 % for all of them together: agents whose places overlap can not be told apart',
})

type Summary = Omit<z.infer<typeof agentSummarySchema>, 'agent_id' | 'agent_name'>

/** Scores and satisfaction; lift. */
export const SCALE: Range = { low: 1, high: 5, prior: 0.8 }
export const LIFTS: Range = { low: -1, high: 1, prior: 0.15 }

interface Means {
  readonly count: number
  readonly mean: number | null
  readonly deviation: number | null
}

function intervalOf({ count, mean, deviation }: Means, pool: SpreadPool, range: Range, options?: IntervalOptions) {
  return meanInterval({ count, mean: mean ?? 0, deviation: deviation ?? 0 }, pool, range, options)
}

type Measured = z.infer<typeof measured>

/** What agents are ranked by. */
const RANKED = {
  score: {
    range: SCALE,
    of: ({ scored_calls: count, average_score: mean, deviation }: Scored) => ({ count, mean, deviation }),
  },
  csat: {
    range: SCALE,
    of: (row: Measured) => ({ count: row.csat_calls, mean: row.average_predicted_csat, deviation: row.csat_deviation }),
  },
  lift: {
    range: LIFTS,
    of: (row: Measured) => ({ count: row.lift_calls, mean: row.average_lift, deviation: row.lift_deviation }),
  },
}

type Scored = Pick<Measured, 'scored_calls' | 'average_score' | 'deviation'>

/** The interval of an average score, see meanInterval. */
export const scoreInterval = (row: Scored, pools: SpreadPools) => intervalOf(RANKED.score.of(row), pools.score, SCALE)

/** The places that agents may have by their average score, the highest first; see rankIntervals. */
export const scoreRanks = (rows: readonly Scored[], pools: SpreadPools) =>
  ranksOf(rows.map(RANKED.score.of), pools.score, SCALE)

/** The same by the average of something. */
export function placesOf(
  rows: readonly AgentRow[],
  by: 'score' | 'csat' | 'lift',
  pools: SpreadPools,
  variances: LiftVariances,
) {
  const { range, of } = RANKED[by]
  return ranksOf(rows.map(of), pools[by], range, by === 'lift' ? rows.map(row => variances(row._id)) : undefined)
}

/** @param shared what the values of each share; one where it is not known has no place */
function ranksOf(
  means: readonly Means[],
  pool: SpreadPool,
  range: Range,
  shared?: readonly (number | undefined)[],
): readonly (Limits | undefined)[] {
  const level = jointLevel(means.filter(({ count }) => count > 0).length)
  return rankIntervals(
    means.map((one, i) =>
      shared !== undefined && shared[i] === undefined
        ? undefined
        : intervalOf(one, pool, range, { level, shared: shared?.[i] }),
    ),
  )
}

type LiftVariances = Awaited<ReturnType<typeof liftVariances>>

/** The interval of an average lift, where it is known how well its effects are. */
export function liftInterval(means: Means, pool: SpreadPool, shared: number | undefined) {
  return shared === undefined ? undefined : intervalOf(means, pool, LIFTS, { shared })
}

function summary(row: Measured, pools: SpreadPools, shared: number | undefined): Summary {
  const { scored_calls: scored, positive } = row
  const csat = RANKED.csat.of(row)
  const lift = RANKED.lift.of(row)
  return defined({
    calls: row.calls,
    evaluated: row.evaluated,
    scored_calls: scored,
    average_score: row.average_score ?? undefined,
    score_interval_95: scoreInterval(row, pools),
    positive_share: scored > 0 ? positive / scored : undefined,
    positive_share_interval_95: shareInterval(positive, scored, pools.positive.designEffect),
    average_predicted_csat: csat.mean ?? undefined,
    csat_interval_95: intervalOf(csat, pools.csat, SCALE),
    csat_calls: row.csat_calls,
    average_lift: lift.mean ?? undefined,
    lift_interval_95: liftInterval(lift, pools.lift, shared),
    lift_calls: row.lift_calls,
    average_duration_s: row.average_duration_s ?? undefined,
    duration_calls: row.duration_calls,
  })
}

export const agentSummary = (row: AgentRow, pools: SpreadPools, variances: LiftVariances) => ({
  ...row._id,
  ...summary(row, pools, variances(row._id)),
})

/** The same measures over all such calls. */
export async function averageOf(
  asker: Asker,
  of: CallsOf,
  pools: Promise<SpreadPools>,
  basis: LiftBasis,
): Promise<Summary> {
  const [documents, pool] = await Promise.all([grouped(asker, of, null, MEASURES), pools])
  const [row] = readDocuments(measured, documents.map(measuredIn))
  if (row === undefined) {
    return { calls: 0, evaluated: 0, scored_calls: 0, csat_calls: 0, lift_calls: 0, duration_calls: 0 }
  }
  const variances = await liftVariances(asker, basis, of, [{ lifts: row.lift_calls }])
  return summary(row, pool, variances())
}

/** The scores alone of all such calls. */
export async function scoresOf(asker: Asker, of: CallsOf) {
  const [row] = readDocuments(scores, (await grouped(asker, of, null, SCORES)).map(scoresIn))
  return row ?? { calls: 0, scored_calls: 0, average_score: null }
}
