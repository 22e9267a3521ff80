// By itself, as in find-cards.ts.
import iban from 'validator/lib/isIBAN.js'
import type { Span } from './mask.js'

/** Shortest and longest IBAN there is (Norway; the format's bound). */
const SHORTEST_IBAN = 15
const LONGEST_IBAN = 34

const START = /(?<![\p{L}\p{N}])[A-Z]{2}[ -]?\d{2}(?=[ -]?[A-Z0-9])/giu
const LETTER_OR_DIGIT = /[A-Z0-9]/i
const SEPARATOR = /[ -]/

/** International bank account numbers, written together or in groups: those whose check digits are right. */
export function findIbans(text: string): readonly Span[] {
  const spans: Span[] = []
  for (const { index: start } of text.matchAll(START)) {
    if (start < (spans.at(-1)?.end ?? 0)) continue
    const end = endOf(text, start)
    if (end !== undefined) spans.push({ start, end, kind: 'iban' })
  }
  return spans
}

/** Where the IBAN that begins here ends: the longest part that is one, since words may follow. */
function endOf(text: string, start: number): number | undefined {
  const ends: number[] = []
  let number = ''
  for (let at = start; at < text.length && number.length < LONGEST_IBAN; at += 1) {
    const character = text[at] ?? ''
    if (LETTER_OR_DIGIT.test(character)) {
      number += character
      ends.push(at + 1)
    } else if (!SEPARATOR.test(character) || SEPARATOR.test(text[at - 1] ?? '')) break
  }
  for (let length = number.length; length >= SHORTEST_IBAN; length -= 1) {
    if (iban.default(number.slice(0, length))) return ends[length - 1]
  }
  return undefined
}
