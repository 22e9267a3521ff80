import type { FeedbackRecord } from '../store/records/feedback.js'
import type { Asker } from './asker.js'

/** Verdicts that are looked at, the newest. */
const MOST_VERDICTS = 5_000

/** What people say of a signal of a call: whether it is there. */
export interface PeopleLabel {
  readonly session_id: string
  readonly signal_key: string
  readonly present: boolean
}

/** A verdict, and whether a supervisor answered it, and how. */
export interface AnsweredVerdict extends FeedbackRecord {
  readonly answered: boolean
  /** A supervisor said that it is wrong: it counts no more. */
  readonly rejected: boolean
}

/** The newest verdicts on scores and signals of the calls in scope, oldest first. */
export async function verdictsOf(asker: Asker): Promise<readonly AnsweredVerdict[]> {
  const said = await asker.verdicts(MOST_VERDICTS)
  const answers = new Map<string, FeedbackRecord>()
  for (const one of said) if (one.answers !== undefined) answers.set(one.answers, one)
  return said.flatMap(one => {
    if (one.about !== 'signal' && one.about !== 'score') return []
    const answer = answers.get(one.feedback_id)
    return [{ ...one, answered: answer !== undefined, rejected: answer?.verdict === 'dispute' }]
  })
}

/**
 * What people say of signals: each verdict says that the signal is there or that it is not, the more say so, and where as many
 * say either, nobody does. Of a signal that was unclear a verdict says neither.
 */
export function labelsOf(verdicts: readonly AnsweredVerdict[]): readonly PeopleLabel[] {
  const sums = new Map<string, { readonly of: FeedbackRecord; present: number }>()
  for (const one of verdicts) {
    const { about, state, verdict, rejected, session_id, signal_key } = one
    if (about !== 'signal' || rejected || state === 'unclear') continue
    const key = JSON.stringify([session_id, signal_key])
    const sum = sums.get(key) ?? { of: one, present: 0 }
    sum.present += (state === 'present') === (verdict === 'agree') ? 1 : -1
    sums.set(key, sum)
  }
  return [...sums.values()].flatMap(({ of: { session_id, signal_key = '' }, present }) =>
    present === 0 ? [] : [{ session_id, signal_key, present: present > 0 }],
  )
}
