import type { CallRecord } from '../calls/call-record.js'

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' })

/** Longest summary of a call in a list, UTF-16 units. */
const LONGEST_SUMMARY = 200
/** The signal whose evidence is why the customer called, in their words. */
export const REASON_HEARD = 'sig.reason_captured'

type Told = Pick<CallRecord, 'title' | 'interaction_driver' | 'signals' | 'coaching_summary'>

/**
 * A call in one line: its title, or why the customer called with what they said, or the first sentence of its coaching summary, which of
 * calls that rules evaluated begins alike. Of who sees no texts only the reason is left.
 */
export function callSummary(call: Told): string | undefined {
  const text = call.title ?? reasonSaid(call) ?? firstSentence(call.coaching_summary) ?? call.interaction_driver
  if (text === undefined || text.length <= LONGEST_SUMMARY) return text
  return `${text.slice(0, LONGEST_SUMMARY - 1).toWellFormed()}…`
}

/** Undefined where nobody said it, or it may not be seen. */
function reasonSaid({ interaction_driver: driver, signals = [] }: Told): string | undefined {
  const said = signals.find(({ key }) => key === REASON_HEARD)?.evidence?.[0]?.quote
  if (driver === undefined || said === undefined) return undefined
  return `${driver}: “${cutAtWord(said, LONGEST_SUMMARY - `${driver}: “”`.length)}”`
}

/** @param most UTF-16 units, the sign for what was cut included */
function cutAtWord(text: string, most: number): string {
  if (text.length <= most) return text
  const cut = text.slice(0, Math.max(0, most - 1))
  // A word that is longer than all there is room for, and what is written without spaces, is cut anywhere.
  const whole = /^.*\S(?=\s)/su.exec(cut)?.[0] ?? cut.toWellFormed()
  return `${whole}…`
}

function firstSentence(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  // A sentence longer than a summary is cut anyway; don't segment a page of text for it.
  const [first] = sentences.segment(text.trimStart().slice(0, LONGEST_SUMMARY * 4))
  const sentence = first?.segment.trim()
  return sentence === '' ? undefined : sentence
}
