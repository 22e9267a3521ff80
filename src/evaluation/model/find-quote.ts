import { UNHEARD } from '../rules/words.js'
import type { HeardTurn } from '../rules/heard-call.js'

/** A part of a turn's text, UTF-16 units. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** Longest quote that is looked for; the model is asked for at most 200 characters. */
const LONGEST = 1_000
const LETTER = /[\p{L}\p{M}\p{N}]/u

/**
 * Where a quote stands in a turn, word for word; only white space may be another. Undefined where it does not, or where
 * it holds no word that was understood: half a word, or a comma, proves nothing.
 */
export function findQuote({ text, said }: HeardTurn, quote: string): Span | undefined {
  const wanted = quote.trim()
  if (wanted === '' || wanted.length > LONGEST) return undefined
  const found = spanOf(text, wanted) ?? spanAcrossSpaces(text, wanted)
  if (found === undefined) return undefined
  const holdsWord = said.words.some(word => word.text !== UNHEARD && word.start >= found.start && word.end <= found.end)
  return holdsWord ? found : undefined
}

function spanOf(text: string, wanted: string): Span | undefined {
  for (let start = text.indexOf(wanted); start >= 0; start = text.indexOf(wanted, start + 1)) {
    const end = start + wanted.length
    if (!cutsWord(text, start) && !cutsWord(text, end)) return { start, end }
  }
  return undefined
}

function spanAcrossSpaces(text: string, wanted: string): Span | undefined {
  const [plain, places] = withSingleSpaces(text)
  const found = spanOf(plain, withSingleSpaces(wanted)[0])
  if (found === undefined) return undefined
  return { start: places[found.start]!, end: places[found.end - 1]! + 1 }
}

/** A text with every run of white space as one space, and where each of its units stood. */
function withSingleSpaces(text: string): [string, readonly number[]] {
  let plain = ''
  const places: number[] = []
  for (let at = 0; at < text.length; at += 1) {
    const space = /\s/.test(text[at]!)
    if (space && plain.endsWith(' ')) continue
    plain += space ? ' ' : text[at]!
    places.push(at)
  }
  return [plain, places]
}

/** Whether a place lies within a word. */
function cutsWord(text: string, at: number): boolean {
  return LETTER.test(text[at - 1] ?? '') && LETTER.test(text[at] ?? '')
}
