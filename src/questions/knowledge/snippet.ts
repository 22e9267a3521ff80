import { termOf, wordsOf } from './words.js'

/** Most text of a snippet, UTF-16 units. */
const MOST_CHARACTERS = 320
/** Text before the first match. */
const LEAD_CHARACTERS = 60

/** The part of a text that holds most of the terms found in it, cut between words. */
export function snippet(text: string, found: ReadonlySet<string>): string {
  const words = wordsOf(text)
  const matches = words.flatMap(word => {
    const term = termOf(word.text)
    return found.has(term) ? [{ term, at: word.at }] : []
  })
  const start = bestStart(matches)
  // From the beginning where it is near, else from the first word after some lead.
  const from = start <= LEAD_CHARACTERS ? 0 : (words.find(word => word.at >= start - LEAD_CHARACTERS)?.at ?? 0)
  const last = words.findLast(word => word.at + word.text.length <= from + MOST_CHARACTERS)
  const until =
    text.length <= from + MOST_CHARACTERS
      ? text.length
      : last === undefined
        ? from + MOST_CHARACTERS
        : last.at + last.text.length
  const cut = text.slice(from, until).replace(/\s+/g, ' ').trim().toWellFormed()
  return `${from > 0 ? '…' : ''}${cut}${until < text.length ? '…' : ''}`
}

/** Where the stretch begins that holds most different terms. */
function bestStart(matches: readonly { readonly term: string; readonly at: number }[]): number {
  let best = { at: 0, terms: 0 }
  for (const [index, { at }] of matches.entries()) {
    const terms = new Set<string>()
    for (let next = index; next < matches.length; next += 1) {
      const match = matches[next]
      if (match === undefined || match.at > at + MOST_CHARACTERS - LEAD_CHARACTERS) break
      terms.add(match.term)
    }
    if (terms.size > best.terms) best = { at, terms: terms.size }
  }
  return best.at
}
