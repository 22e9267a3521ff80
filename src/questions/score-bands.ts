import { z } from 'zod'
import type { Asker } from './asker.js'
import type { Kind } from './kinds.js'
import { exampleIds } from './measures.js'
import type { Examples } from './newest-examples.js'
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

function inBand(id: unknown): object {
  const from = z.number().parse(id)
  return { score: from + width < HIGHEST ? { $gte: from, $lt: from + width } : { $gte: from } }
}

/** Scored calls by the lower bound of their band. */
export const scoreBandKind: Kind = {
  name: 'score_bands',
  fields: ['score'],
  by: bandOf,
  among: ids => ({ $or: ids.map(inBand) }),
  having: inBand,
}

const row = z.object({ _id: z.number(), calls: z.int() })

/** Calls of each band that has any, by its lower bound. */
export async function countedBands(asker: Asker, window: Window): Promise<ReadonlyMap<number, number>> {
  const documents = await asker.ask([
    { $match: { ...window.filter, score: { $ne: null } } },
    { $group: { _id: bandOf, calls: { $sum: 1 } } },
  ])
  return new Map(readDocuments(row, documents).map(({ _id: from, calls }) => [from, calls]))
}

/** How scored calls spread over half-point bands, lowest first; empty bands too. */
export function scoreBands(
  counted: ReadonlyMap<number, number>,
  scored: number,
  examples: Examples,
): readonly ScoreBand[] {
  return Array.from({ length: BANDS }, (_, i) => {
    const from = LOWEST + i * width
    const calls = counted.get(from) ?? 0
    return {
      from,
      to: from + width,
      calls,
      ...(scored > 0 ? { share: calls / scored } : {}),
      example_session_ids: [...examples(scoreBandKind, from)],
    }
  })
}
