import { digitRuns } from './digit-runs.js'
import { type MaskContext, type MaskedText, maskedSlice, maskText } from './mask-text.js'
import type { Span } from './mask.js'
import { LEAST_PART, type MaskedNumbers } from './masked-numbers.js'

/**
 * A quote as its masked turn says it. One that cuts a number is widened to the whole mask: "my card is 4111 11" becomes
 * "my card is [card]", which the masked turn says too.
 *
 * @param turn the turn it quotes, masked, if there is one
 * @param numbers those masked in the call's turns: a quote that isn't verbatim may still say a part of them
 */
export function maskedQuote(
  quote: string,
  turn: MaskedText | undefined,
  numbers: MaskedNumbers,
  context: MaskContext,
): MaskedText {
  const at = turn?.source.indexOf(quote) ?? -1
  if (turn !== undefined && at !== -1) return widened(quote, turn, at)
  const alone = maskText(quote, context)
  const parts = partsOf(alone, numbers)
  if (parts.length === 0) return alone
  const spans = [...alone.spans, ...parts].toSorted((a, b) => a.start - b.start)
  return { source: quote, spans, text: maskedSlice(quote, spans, 0, quote.length) }
}

function widened(quote: string, turn: MaskedText, at: number): MaskedText {
  const touched = turn.spans.filter(span => span.start < at + quote.length && span.end > at)
  const start = Math.min(at, touched[0]?.start ?? at)
  const end = Math.max(at + quote.length, touched.at(-1)?.end ?? 0)
  return { source: quote, spans: touched, text: maskedSlice(turn.source, touched, start, end) }
}

/** Places in a quote that say a part of a number which was masked in a turn. */
function partsOf({ source, spans }: MaskedText, numbers: MaskedNumbers): readonly Span[] {
  return digitRuns(source, LEAST_PART).flatMap(({ digits, places }) => {
    const kind = numbers.kindOf(digits)
    const start = places[0]?.start ?? 0
    const end = places.at(-1)?.end ?? 0
    const isFree = spans.every(span => end <= span.start || start >= span.end)
    return kind === undefined || !isFree ? [] : [{ start, end, kind }]
  })
}
