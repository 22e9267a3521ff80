import { z } from 'zod'
import type { Document } from '../pipeline/index.js'
import { dateFrom, dateTo, exactName } from './arguments.js'
import type { Asker } from './asker.js'
import { defined } from './defined.js'
import { askAgents, askCounts, meanIn, momentsOf, total } from './counted.js'
import { countWhere } from './measures.js'
import { namedConditions } from './named-values.js'
import { question } from './question.js'
import { readDocuments } from './read-document.js'
import { countedTrust, minTrust } from './trusted.js'
import { resolveWindow, type Window, windowSchema } from './window.js'
import { whyEmpty, whyEmptySchema } from './why-empty.js'
import { figure } from './figure.js'

const LOWEST_SCORE = 1
const HIGHEST_SCORE = 5
const MOST_BANDS = 100

const output = z.strictObject({
  window: windowSchema,
  calls: z.int(),
  why_empty: whyEmptySchema.optional(),
  scored_calls: z.int(),
  average_score: figure.optional(),
  median_score: figure.optional(),
  distribution: z
    .array(
      z.strictObject({
        from: z.number(),
        to: z.number(),
        calls: z.int(),
        share: figure.optional().meta({ description: 'Of scored calls' }),
      }),
    )
    .meta({ description: 'Bands of equal width, lowest first; from is included, to is not but for the highest score' }),
})

interface Band {
  readonly from: number
  readonly to: number
}

/** Bands of equal width over the scale of scores; each ends exactly where the next begins. */
function bandsOf(count: number): readonly Band[] {
  const edge = (i: number) => LOWEST_SCORE + (i * (HIGHEST_SCORE - LOWEST_SCORE)) / count
  return Array.from({ length: count }, (_, i) => ({ from: edge(i), to: edge(i + 1) }))
}

const isWithin = ({ from, to }: Band, score: number) => score >= from && (score < to || to === HIGHEST_SCORE)

const within = ({ from, to }: Band) => ({
  $and: [{ $gte: ['$score', from] }, to === HIGHEST_SCORE ? { $lte: ['$score', to] } : { $lt: ['$score', to] }],
})

const totalsRow = z.object({ calls: z.int(), score_n: z.int() })
const scoreRow = z.object({ _id: z.object({ score: z.number() }), calls: z.int() })

/** How many calls are in each band, and the middle value or the mean of the two in the middle. */
interface Spread {
  readonly counts: readonly number[]
  readonly median: number | undefined
}

/** The calls of a period altogether, and how their scores spread. */
interface Scored {
  /** Absent without any call. */
  readonly totals: Document | undefined
  readonly spread: Spread
}

/** What a group adds up for the totals. */
const TOTALS = { calls: total('calls'), ...momentsOf('score') }

/** Most different scores that are read one by one; a rubric of ours gives some hundred. */
const MOST_SCORES = 5_000

/** Of all agents: how many calls have each score, and all of them, in one question, since each passes over all that is counted. */
async function scoredOf(asker: Asker, window: Window, bands: readonly Band[]): Promise<Scored> {
  const stages = [
    { $group: { _id: { by: '$by', score: '$number' }, ...TOTALS } },
    { $sort: { '_id.by': 1, '_id.score': 1 } },
  ]
  const found = await askCounts(asker, ['agent', 'score'], window.filter, stages, { maxDocuments: MOST_SCORES + 2 })
  const [totals, ...scores] = found
  const areFew = scores.length <= MOST_SCORES
  return {
    totals,
    spread: areFew ? spreadOfScores(scores, bands) : await spreadOfCalls(asker, [window.filter], bands),
  }
}

/** The same of an agent. */
async function scoredOfAgent(asker: Asker, window: Window, bands: readonly Band[], agentId: string): Promise<Scored> {
  const agents = namedConditions({ agent_id: agentId })
  const [[totals], spread] = await Promise.all([
    askAgents(asker, { filter: window.filter, agents }, [{ $group: { _id: null, ...TOTALS } }]),
    spreadOfCalls(asker, [window.filter, ...agents], bands),
  ])
  return { totals, spread }
}

/** From how many calls have each score. */
function spreadOfScores(scores: readonly Document[], bands: readonly Band[]): Spread {
  const rows = readDocuments(scoreRow, scores).map(({ _id: { score }, calls }) => ({ score, calls }))
  const scored = rows.reduce((sum, { calls }) => sum + calls, 0)
  const at = (place: number) => {
    let before = 0
    return rows.find(({ calls }) => (before += calls) > place)?.score ?? 0
  }
  return {
    counts: bands.map(band => rows.reduce((sum, { score, calls }) => (isWithin(band, score) ? sum + calls : sum), 0)),
    median: scored === 0 ? undefined : (at(Math.floor((scored - 1) / 2)) + at(Math.floor(scored / 2))) / 2,
  }
}

/** The same from calls one by one. */
async function spreadOfCalls(asker: Asker, matching: readonly object[], bands: readonly Band[]): Promise<Spread> {
  const [found = {}] = await asker.ask([
    { $match: { $and: [...matching, { score: { $gte: LOWEST_SCORE } }] } },
    { $project: { score: 1 } },
    {
      $group: {
        _id: null,
        scored: { $sum: 1 },
        ...Object.fromEntries(bands.map((band, i) => [`band_${i}`, countWhere(within(band))])),
      },
    },
  ])
  const scored = z.int().parse(found['scored'] ?? 0)
  return {
    counts: bands.map((_, i) => z.int().parse(found[`band_${i}`] ?? 0)),
    median: await medianOf(asker, matching, scored),
  }
}

/** Read off the sorted scores. */
async function medianOf(asker: Asker, matching: readonly object[], scored: number): Promise<number | undefined> {
  if (scored === 0) return undefined
  const middle = await asker.ask([
    { $match: { $and: [...matching, { score: { $gte: LOWEST_SCORE } }] } },
    { $project: { _id: 0, score: 1 } },
    { $sort: { score: 1 } },
    { $skip: Math.floor((scored - 1) / 2) },
    { $limit: scored % 2 === 0 ? 2 : 1 },
  ])
  const scores = readDocuments(z.object({ score: z.number() }), middle).map(one => one.score)
  // An erasure between the two queries can leave nothing in the middle.
  return scores.length === 0 ? undefined : scores.reduce((sum, score) => sum + score, 0) / scores.length
}

/** How scores spread over a period. */
export const getScoreDistribution = question({
  name: 'get_score_distribution',
  title: 'Get the score distribution',
  description: 'How the scores of the calls in a period spread over bands of equal width, with average and median.',
  rest: { url: '/api/v1/scores/distribution', table: 'distribution', example: { bands: 4 } },
  input: z.strictObject({
    start_date: dateFrom,
    end_date: dateTo,
    agent_id: exactName('Calls of this agent only, by agent_id').optional(),
    min_trust: minTrust,
    bands: z
      .int()
      .min(1)
      .max(MOST_BANDS)
      .default(8)
      .meta({ description: `Number of bands, 1–${MOST_BANDS}; 8 are half a point each` }),
  }),
  output,
  answer: async (asker, args) => {
    const given = { date_from: args.start_date, date_to: args.end_date, min_trust: countedTrust(asker, args.min_trust) }
    const window = await resolveWindow(asker, given, ['start_date', 'end_date'])
    const { agent_id: agentId } = args
    const bands = bandsOf(args.bands)
    const { totals, spread } =
      agentId === undefined ? await scoredOf(asker, window, bands) : await scoredOfAgent(asker, window, bands, agentId)
    const [found] = readDocuments(totalsRow, totals === undefined ? [] : [totals])
    const scored = found?.score_n ?? 0
    return defined({
      window: window.echo,
      calls: found?.calls ?? 0,
      why_empty: found === undefined ? await whyEmpty(asker, window, { agent_id: agentId }) : undefined,
      scored_calls: scored,
      average_score: (totals && meanIn(totals, 'score')) ?? undefined,
      median_score: spread.median,
      distribution: bands.map((band, i) => {
        const calls = spread.counts[i] ?? 0
        return { ...band, calls, ...(scored > 0 ? { share: calls / scored } : {}) }
      }),
    })
  },
})
