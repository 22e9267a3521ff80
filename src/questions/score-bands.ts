import { z } from 'zod'
import type { Kind } from './kinds.js'
import { defined } from './defined.js'
import { exampleIds } from './measures.js'
import type { Examples } from './newest-examples.js'
import { figure } from './figure.js'

/** A band of scores: from is included, to is not, but for 5.0 in the highest. */
export const scoreBandSchema = z.strictObject({
  from: z.number(),
  to: z.number(),
  calls: z.int(),
  share: figure.optional().meta({ description: 'Of scored calls' }),
  example_session_ids: exampleIds,
})

type ScoreBand = z.infer<typeof scoreBandSchema>

const LOWEST_SCORE = 1
const HIGHEST_SCORE = 5
/** Half-point bands. */
const BANDS = 8

const width = (HIGHEST_SCORE - LOWEST_SCORE) / BANDS

/** The lower bound of a band; bands are numbered from 0, the lowest. */
const boundOf = (band: number) => LOWEST_SCORE + band * width

/** The band a score falls into: nested conditions, the highest band first. Whole numbers, which are quicker to group by. */
export const bandOf = (score: string) =>
  Array.from({ length: BANDS - 1 }, (_, i) => i + 1).reduce<unknown>(
    (below, band) => ({ $cond: [{ $gte: [score, boundOf(band)] }, band, below] }),
    0,
  )

function inBand(id: unknown, field = 'score'): object {
  const from = boundOf(z.int().parse(id))
  return { [field]: from + width < HIGHEST_SCORE ? { $gte: from, $lt: from + width } : { $gte: from } }
}

/** Scored calls by their band. */
export const scoreBandKind: Kind = {
  name: 'score_bands',
  fields: ['score'],
  by: bandOf('$score'),
  counts: {
    by: 'score',
    id: bandOf('$number'),
    among: ids => ({ $or: ids.map(id => inBand(id, 'number')) }),
  },
  among: ids => ({ $or: ids.map(id => inBand(id)) }),
  having: id => inBand(id),
}

/** How scored calls spread over half-point bands, lowest first; empty bands too. */
export function scoreBands(
  counted: ReadonlyMap<number, number>,
  scored: number,
  examples: Examples,
): readonly ScoreBand[] {
  return Array.from({ length: BANDS }, (_, band) => {
    const from = boundOf(band)
    const calls = counted.get(band) ?? 0
    return defined({
      from,
      to: from + width,
      calls,
      share: scored > 0 ? calls / scored : undefined,
      example_session_ids: examples(scoreBandKind, band),
    })
  })
}
