import { z } from 'zod'
import type { CallRecord } from '../calls/call-record.js'
import { cappedBy } from '../evaluation/capped-by.js'
import { type Scoring, scoringBy } from '../evaluation/rubric/scoring.js'
import { defined } from './defined.js'
import { figure } from './figure.js'

/** What cost a call most of its score: what capped it, or the quality dimension. */
export const whyScoreSchema = z
  .strictObject({
    cap: z.string().optional(),
    reason: z.string().optional(),
    dimension: z.string().optional(),
    value: figure.optional(),
  })
  .meta({ description: 'What cost most of the score: the cap and its reason, or the quality dimension and its value' })

type WhyScore = z.infer<typeof whyScoreSchema>
type Rated = Pick<CallRecord, 'conditions' | 'scores' | 'evaluation'>

/** What cost a call most of its score; undefined where its dimensions are all at their best. */
export function whyScore(call: Rated, scoring: Scoring): WhyScore | undefined {
  return capOf(call) ?? costliestOf(call, weightsOf(scoring, call))
}

/** Of the rubric that scored it; of one that is the project's no more, those of what is. */
function weightsOf(scoring: Scoring, { evaluation: by }: Rated): ReadonlyMap<string, number> {
  const { dimensions } = scoringBy(scoring, by?.rubric) ?? scoring
  return new Map(dimensions.map(({ key, weight }) => [key, weight]))
}

function capOf(call: Rated): WhyScore | undefined {
  const by = cappedBy(call.conditions)
  return by && defined({ cap: by.key, reason: by.reason })
}

/** The dimension that is furthest below its best, by its weight; one that the project's rubric does not know weighs 1. */
function costliestOf(call: Rated, weights: ReadonlyMap<string, number>): WhyScore | undefined {
  const costs = (call.scores ?? []).map(({ key, value, range: [low = 1, high = 5] = [] }) => ({
    key,
    value,
    cost: ((weights.get(key) ?? 1) * (high - value)) / (high - low || 1),
  }))
  const [first] = costs.toSorted((a, b) => b.cost - a.cost || (a.key < b.key ? -1 : 1))
  return first === undefined || first.cost <= 0 ? undefined : { dimension: first.key, value: first.value }
}
