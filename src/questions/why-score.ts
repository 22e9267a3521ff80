import { z } from 'zod'
import { callRecord } from '../calls/call-record.js'
import { cappedBy } from '../evaluation/capped-by.js'
import { type Scoring, scoringBy } from '../evaluation/rubric/scoring.js'
import type { Asker } from './asker.js'
import { defined } from './defined.js'
import { figure } from './figure.js'
import { readDocuments } from './read-document.js'

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

const { conditions, scores } = callRecord.shape
const evaluation = z.object({ rubric: z.string().optional() }).optional()
const row = z.object({ _id: z.string(), conditions, scores, evaluation })

/** What cost each of some calls most of its score, by session id; calls whose dimensions are all at their best are not there. */
export async function whyScores(
  asker: Asker,
  calls: readonly { readonly _id: string; readonly created_dt: Date; readonly score?: number | undefined }[],
): Promise<ReadonlyMap<string, WhyScore>> {
  const scored = calls.filter(({ score }) => score !== undefined)
  if (scored.length === 0) return new Map()
  const times = scored.map(({ created_dt: at }) => at.getTime())
  // The time says in which blocks of the store to look.
  const match = {
    created_dt: { $gte: new Date(Math.min(...times)), $lte: new Date(Math.max(...times)) },
    _id: { $in: scored.map(({ _id: id }) => id) },
  }
  const documents = await asker.show([{ $match: match }], {
    $project: { conditions: 1, scores: 1, 'evaluation.rubric': 1 },
  })
  const scoring = await asker.scoring()
  return new Map(
    readDocuments(row, documents).flatMap(({ _id: id, ...call }) => {
      const why = capOf(call) ?? costliestOf(call, weightsOf(scoring, call))
      return why === undefined ? [] : [[id, why] as const]
    }),
  )
}

/** Of the rubric that scored it; of one that is the project's no more, those of what is. */
function weightsOf(scoring: Scoring, { evaluation: by }: Rated): ReadonlyMap<string, number> {
  const { dimensions } = scoringBy(scoring, by?.rubric) ?? scoring
  return new Map(dimensions.map(({ key, weight }) => [key, weight]))
}

type Rated = Omit<z.infer<typeof row>, '_id'>

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
