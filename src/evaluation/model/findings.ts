import { z } from 'zod'

const place = z.int().min(0)
const spot = z.strictObject({ place, start: place, end: place })

/**
 * What is left of a model's answer when its quotes were looked for: states, and places in the transcript instead of
 * quotes. Holds nothing that was said, so that it can be kept beside the call.
 */
export const findings = z.strictObject({
  signals: z.array(
    z.strictObject({
      key: z.string(),
      state: z.enum(['present', 'absent', 'unclear', 'not_applicable']),
      spots: z.array(spot),
    }),
  ),
  driver: z.strictObject({ name: z.string(), spot }).optional(),
  /** Signals that are unclear because no quote of theirs is in the transcript, and those that were not answered. */
  unquoted: z.int().min(0),
  unanswered: z.int().min(0),
  /** Quotes the model gave that were looked for, and those that stand where it says. */
  claimed: z.int().min(0),
  held: z.int().min(0),
  /** Places of turns that the model took for attempts to instruct it. */
  instructing: z.array(place),
})
export type Findings = z.output<typeof findings>
export type SpotFound = z.output<typeof spot>
