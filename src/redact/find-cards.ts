// By itself: all of the package would be a twentieth of what each command loads.
import luhn from 'validator/lib/isLuhnNumber.js'
import type { DigitRun } from './digit-runs.js'
import type { FoundSpans } from './found-spans.js'
import { groupWindows } from './group-windows.js'

/** Shortest and longest number of a payment card (ISO/IEC 7812). */
const FEWEST_DIGITS = 13
const MOST_DIGITS = 19

/** Numbers of the schemes there are, by their first digits and lengths. */
const SCHEMES =
  /^(?:4\d{12}(?:\d{3}){0,2}|5[1-5]\d{14}|2[2-7]\d{14}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|6(?:011|5\d\d|4[4-9]\d)\d{12}|35\d{14}|62\d{14,17}|5[06-8]\d{10,17}|6\d{11,18})$/
/** First digits of banking and travel; numbers of other kinds begin with others. */
const ISSUERS = /^[2-6]/

/** Card numbers: whole groups of digits that pass the Luhn check; those of known schemes are looked for first. */
export function findCards(run: DigitRun, found: FoundSpans): void {
  if (run.digits.length < FEWEST_DIGITS) return
  for (const form of [SCHEMES, ISSUERS]) {
    for (const group of run.groups.keys()) {
      const card = groupWindows(run, group, FEWEST_DIGITS, MOST_DIGITS).find(
        ({ digits, start, end }) => form.test(digits) && luhn.default(digits) && found.isFree(start, end),
      )
      if (card !== undefined) found.take({ start: card.start, end: card.end, kind: 'card' })
    }
  }
}
