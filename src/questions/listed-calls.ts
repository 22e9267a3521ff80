import { z } from 'zod'
import { callRecord } from '../calls/call-record.js'
import type { Asker } from './asker.js'
import { callSummary, REASON_HEARD } from './call-summary.js'
import { defined } from './defined.js'
import { readDocuments } from './read-document.js'
import { whyScore, type whyScoreSchema } from './why-score.js'

/** What a list tells of a call beside what it is found and put in order by. */
interface Listed {
  readonly summary?: string | undefined
  readonly why?: z.infer<typeof whyScoreSchema> | undefined
}

const { title, interaction_driver, coaching_summary, conditions, scores, signals } = callRecord.shape
const row = z.object({
  _id: z.string(),
  title,
  interaction_driver,
  coaching_summary,
  conditions,
  scores,
  signals,
  evaluation: z.object({ rubric: z.string().optional() }).optional(),
})

const PROJECTION = {
  title: 1,
  interaction_driver: 1,
  coaching_summary: 1,
  conditions: 1,
  scores: 1,
  'evaluation.rubric': 1,
  signals: {
    $filter: { input: { $ifNull: ['$signals', []] }, as: 'one', cond: { $eq: ['$$one.key', REASON_HEARD] } },
  },
}

/** What a list tells of the calls of a page, by session id: read of these alone, since the columns of texts are large. */
export async function listedCalls(
  asker: Asker,
  calls: readonly { readonly _id: string; readonly created_dt: Date; readonly score?: number | undefined }[],
): Promise<ReadonlyMap<string, Listed>> {
  if (calls.length === 0) return new Map()
  const times = calls.map(({ created_dt: at }) => at.getTime())
  // The time says in which blocks of the store to look.
  const match = {
    created_dt: { $gte: new Date(Math.min(...times)), $lte: new Date(Math.max(...times)) },
    _id: { $in: calls.map(({ _id: id }) => id) },
  }
  const documents = await asker.show([{ $match: match }], { $project: PROJECTION })
  const scoring = await asker.scoring()
  const isScored = new Set(calls.flatMap(({ _id: id, score }) => (score === undefined ? [] : [id])))
  return new Map(
    readDocuments(row, documents).map(({ _id: id, ...call }) => [
      id,
      defined({ summary: callSummary(call), why: isScored.has(id) ? whyScore(call, scoring) : undefined }),
    ]),
  )
}
