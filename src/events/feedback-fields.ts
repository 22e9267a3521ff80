import { z } from 'zod'
import { isUnprintable, visibleText } from '../base/text.js'
import { callRecord } from '../calls/call-record.js'

const MOST_TEXT = 4_000
/** A mask may be longer than what it hides: an address of six characters becomes `[email]`. */
const MOST_KEPT_TEXT = 5_000

/** What somebody says about a call. */
export const newFeedback = z.strictObject({
  rating: z.int().min(1).max(5),
  text: z
    .string()
    .max(MOST_TEXT)
    .transform(text => visibleText(text).text.trim())
    .optional()
    .meta({ description: 'Stays in the service: events carry the rating only' }),
})

/** Feedback as it was given once, with all that is kept of it: how it goes out of a project and into another. */
export const keptFeedback = z.strictObject({
  session_id: callRecord.shape.session_id,
  feedback_id: z.string().regex(/^fb_[0-9a-f]{24}$/, 'must be "fb_" and 24 hexadecimal digits'),
  rating: newFeedback.shape.rating,
  text: z
    .string()
    .max(MOST_KEPT_TEXT)
    .refine(text => visibleText(text).removed === 0, 'must hold no characters that nobody can see')
    .exactOptional(),
  created_at: z.iso.datetime({ precision: 3 }),
  created_by: z
    .string()
    .min(1)
    .max(1_000)
    .refine(name => !isUnprintable(name), 'must hold no control characters or lone surrogates'),
})
