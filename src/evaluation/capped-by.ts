import type { CallRecord } from '../calls/call-record.js'

/** Conditions that say which cap the score of a call hangs on, and what was said in the turn that decided it. */
export const CAPPED_BY = 'capped_by.'
export const CAPPED_QUOTE = 'capped_quote'

export interface CappedBy {
  readonly key: string
  readonly reason?: string
  readonly turn?: number
  readonly quote?: string
}

/** The cap that made a call's score lower than its dimensions come to; undefined where none did, or nobody knows. */
export function cappedBy(conditions: CallRecord['conditions'] = []): CappedBy | undefined {
  const by = conditions.find(({ key }) => key.startsWith(CAPPED_BY))
  if (by === undefined) return undefined
  const quote = conditions.find(({ key }) => key === CAPPED_QUOTE)?.text
  return {
    key: by.key.slice(CAPPED_BY.length),
    ...(by.text !== undefined && { reason: by.text }),
    ...(by.turn !== undefined && { turn: by.turn }),
    ...(quote !== undefined && { quote }),
  }
}
