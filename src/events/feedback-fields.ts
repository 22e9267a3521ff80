import { z } from 'zod'
import { isUnprintable, visibleText } from '../base/text.js'
import { callRecord } from '../calls/call-record.js'
import { feedback } from '../store/records/feedback.js'

const MOST_TEXT = 4_000
const FEEDBACK_ID_TEXT = 'must be "fb_" and 24 hexadecimal digits'
/** A mask may be longer than what it hides: an address of six characters becomes `[email]`. */
const MOST_KEPT_TEXT = 5_000

const { about, verdict, signal_key, state, score, turn, answers } = feedback.view.shape

const FEEDBACK_ID = /^fb_[0-9a-f]{24}$/

const anA = (about: string) =>
  about === 'call' || about === 'score' ? `the ${about}` : `a ${about}`.replace('a feedback', 'feedback')

/** What each subject takes: what it needs, and what it may have besides. Text it may always have. */
const TAKES = {
  call: { needs: ['rating'], may: [] },
  score: { needs: ['verdict'], may: ['rating'] },
  signal: { needs: ['signal_key', 'verdict'], may: [] },
  turn: { needs: ['turn', 'text'], may: [] },
  feedback: { needs: ['answers', 'text'], may: ['verdict'] },
} as const

/** What somebody says about a call. */
export const newFeedback = z
  .strictObject({
    about: about.default('call').meta({
      description:
        'What of the call: `call` (with rating), `score` or a `signal` (with verdict; of a signal with signal_key), a `turn` (with text), or `feedback` that was given, which a supervisor answers (with answers and text, and a verdict on it)',
    }),
    rating: z.int().min(1).max(5).optional(),
    verdict: verdict.unwrap().optional(),
    signal_key: signal_key.unwrap().max(200).optional(),
    turn: turn.unwrap().min(0).max(1_000_000).optional(),
    answers: answers.unwrap().regex(FEEDBACK_ID, FEEDBACK_ID_TEXT).optional(),
    text: z
      .string()
      .max(MOST_TEXT)
      .transform(text => visibleText(text).text.trim())
      .optional()
      .meta({ description: 'Stays in the service: events carry the rest only' }),
  })
  .superRefine((given, context) => {
    const { needs, may } = TAKES[given.about]
    const takes = new Set<string>([...needs, ...may, 'about', 'text'])
    for (const field of needs) {
      if (given[field] === undefined || given[field] === '') {
        context.addIssue({ code: 'custom', path: [field], message: `is needed about ${anA(given.about)}` })
      }
    }
    for (const [field, value] of Object.entries(given)) {
      if (value !== undefined && !takes.has(field)) {
        context.addIssue({
          code: 'custom',
          path: [field],
          message: `is not taken about ${anA(given.about)}: leave it out`,
        })
      }
    }
  })

/** Feedback as it was given once, with all that is kept of it: how it goes out of a project and into another. */
export const keptFeedback = z.strictObject({
  session_id: callRecord.shape.session_id,
  feedback_id: z.string().regex(FEEDBACK_ID, FEEDBACK_ID_TEXT),
  // An export of an older version knows feedback on calls only.
  about: about.default('call'),
  rating: z.int().min(1).max(5).exactOptional(),
  verdict,
  signal_key,
  state,
  score,
  turn,
  answers,
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
