import type { HeldCall } from './held-call.js'

/** Longest quote of a whole turn, characters. */
const QUOTE_LENGTH = 48

export type Evidence = readonly { readonly turn: number; readonly quote: string }[]

/** What shows a signal; undefined where no turn does. */
export function evidenceOf({ observations, conversation }: HeldCall, signal: string): Evidence | undefined {
  const seen = observations.get(signal)
  if (seen?.turn === undefined) return undefined
  return [{ turn: seen.turn, quote: seen.quote ?? quoteOf(conversation.turns[seen.turn]?.text ?? '') }]
}

/** The beginning of what was said, up to the end of a word. */
function quoteOf(text: string): string {
  return text.length <= QUOTE_LENGTH ? text : text.slice(0, text.lastIndexOf(' ', QUOTE_LENGTH))
}
