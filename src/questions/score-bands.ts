import { z } from 'zod'
import type { Asker } from './asker.js'
import { EXAMPLES, exampleIds } from './measures.js'
import { readDocuments } from './read-document.js'
import type { Window } from './window.js'

/** A band of scores: from is included, to is not, but for 5.0 in the highest. */
export const scoreBandSchema = z.strictObject({
  from: z.number(),
  to: z.number(),
  calls: z.int(),
  share: z.number().optional().meta({ description: 'Of scored calls' }),
  example_session_ids: exampleIds,
})

type ScoreBand = z.infer<typeof scoreBandSchema>

const LOWEST = 1
const HIGHEST = 5
/** Half-point bands. */
const BANDS = 8

const width = (HIGHEST - LOWEST) / BANDS

/** The lower bound of the band a score falls into: nested conditions, the highest band first. */
const bandOf = Array.from({ length: BANDS - 1 }, (_, i) => LOWEST + (i + 1) * width).reduce<unknown>(
  (below, from) => ({ $cond: [{ $gte: ['$score', from] }, from, below] }),
  LOWEST,
)

const row = z.object({ _id: z.number(), calls: z.int(), examples: z.array(z.string()) })

/** How scored calls spread over half-point bands, lowest first; empty bands too. */
export async function scoreBands(asker: Asker, window: Window, scored: number): Promise<readonly ScoreBand[]> {
  const documents = await asker.ask([
    { $match: { ...window.filter, score: { $ne: null } } },
    { $project: { created_dt: 1, score: 1 } },
    { $group: { _id: bandOf, calls: { $sum: 1 }, examples: EXAMPLES } },
  ])
  const found = new Map(readDocuments(row, documents).map(one => [one._id, one]))
  return Array.from({ length: BANDS }, (_, i) => {
    const from = LOWEST + i * width
    const band = found.get(from)
    const calls = band?.calls ?? 0
    return {
      from,
      to: from + width,
      calls,
      ...(scored > 0 ? { share: calls / scored } : {}),
      example_session_ids: band?.examples ?? [],
    }
  })
}
