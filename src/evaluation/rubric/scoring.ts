import { z } from 'zod'
import type { KindRubric, Rubric } from './rubric.js'
import { signalsIn } from './signals-in.js'

const ofRubric = z.strictObject({
  rubric: z.string(),
  version: z.string(),
  dimensions: z
    .array(z.strictObject({ key: z.string(), name: z.string(), weight: z.number() }))
    .meta({ description: 'The score is their weighted mean, of those that apply' }),
  signals: z
    .array(
      z.strictObject({
        key: z.string(),
        name: z.string(),
        dimension: z.string(),
        weight: z.number(),
        counts: z.enum(['for', 'against']).meta({ description: 'What it does when it is present' }),
      }),
    )
    .meta({ description: 'A dimension is 1 + 4 x the good share of the weights that apply; unclear counts half' }),
  caps: z
    .array(z.strictObject({ key: z.string(), most: z.number(), reason: z.string(), signals: z.array(z.string()) }))
    .meta({ description: 'The score is at most this where it holds, whatever the dimensions say' }),
  csat: z
    .strictObject({
      start: z.number(),
      parts: z.array(
        z.strictObject({
          key: z.string(),
          add: z.number(),
          reason: z.string(),
          side: z.enum(['agent', 'customer']),
        }),
      ),
    })
    .optional()
    .meta({ description: 'Predicted CSAT: the start and all parts that hold, within 1 to 5' }),
})

/** How a rubric makes scores of what a call shows, without the wordings that show it. */
export const scoringSchema = ofRubric.extend({
  kinds: z
    .array(ofRubric.extend({ key: z.string() }))
    .optional()
    .meta({ description: 'Calls of these kinds are scored by a rubric of their own, which their evaluation names' }),
})

export type Scoring = z.infer<typeof scoringSchema>

/** The scoring that made an evaluation: of the project, or of a kind of its calls. */
export function scoringBy(scoring: Scoring, rubric: string | undefined): z.infer<typeof ofRubric> | undefined {
  return [scoring, ...(scoring.kinds ?? [])].find(one => one.rubric === rubric)
}

/** @param verticals the project's lines of business, whose signals count */
export function scoringOf(
  { rubric, version }: { readonly rubric: Rubric; readonly version: string },
  verticals: readonly string[],
): Scoring {
  const kinds = rubric.kinds?.map(({ key, rubric: its }) => ({ key, ...oneScoring(its, version, verticals) }))
  return { ...oneScoring(rubric, version, verticals), ...(kinds !== undefined && { kinds }) }
}

function oneScoring(rubric: KindRubric, version: string, verticals: readonly string[]): z.infer<typeof ofRubric> {
  const wanted = new Set(verticals.map(vertical => vertical.toLowerCase()))
  const counted = rubric.signals.filter(
    ({ active, weight, verticals: own }) =>
      active &&
      weight > 0 &&
      (wanted.size === 0 || own.length === 0 || own.some(vertical => wanted.has(vertical.toLowerCase()))),
  )
  return {
    rubric: rubric.name,
    version,
    dimensions: rubric.dimensions,
    signals: counted.map(({ key, name, category, weight, negative }) => ({
      key,
      name,
      dimension: category,
      weight,
      counts: negative ? 'against' : 'for',
    })),
    caps: rubric.caps
      .filter(({ active }) => active)
      .map(({ key, most, reason, when }) => ({ key, most, reason, signals: [...signalsIn(when)] })),
    ...(rubric.csat && {
      csat: {
        start: rubric.csat.start,
        parts: rubric.csat.parts
          .filter(({ active }) => active)
          .map(({ key, add, reason, side }) => ({ key, add, reason, side })),
      },
    }),
  }
}
