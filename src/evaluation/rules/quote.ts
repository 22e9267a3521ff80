import type { Spot } from './finding.js'

/** Longest quote, UTF-16 units. */
const LONGEST_QUOTE = 200

/** The turn a spot stands in, quoted verbatim: the whole of it, or of a long one the part around what decides. */
export function quote({ turn, from, to }: Spot): { readonly turn: number; readonly quote: string } {
  return { turn: turn.turn, quote: part(turn.text, turn.said.words, from ?? 0, to ?? from ?? 0) }
}

function part(text: string, words: Spot['turn']['said']['words'], from: number, to: number): string {
  const trimmed = text.trim()
  if (trimmed.length <= LONGEST_QUOTE) return trimmed
  let first = Math.min(from, words.length - 1)
  let last = Math.max(first, Math.min(to, words.length) - 1)
  const length = () => words[last]!.end - words[first]!.start
  // Grows word by word to both sides.
  for (let grown = true; grown;) {
    grown = false
    if (last + 1 < words.length && words[last + 1]!.end - words[first]!.start <= LONGEST_QUOTE) {
      last += 1
      grown = true
    }
    if (first > 0 && words[last]!.end - words[first - 1]!.start <= LONGEST_QUOTE) {
      first -= 1
      grown = true
    }
  }
  const said = text.slice(words[first]!.start, words[last]!.end)
  return length() <= LONGEST_QUOTE ? said : Array.from(said.slice(0, LONGEST_QUOTE)).slice(0, -1).join('')
}
