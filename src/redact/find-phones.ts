import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/max'
import type { DigitRun } from './digit-runs.js'
import type { FoundSpans } from './found-spans.js'
import { type GroupWindow, groupWindows } from './group-windows.js'

/** Digits of a telephone number: a local one has seven, E.164 allows fifteen. */
export const PHONE_LENGTHS = { least: 7, most: 15 } as const

/** Numbers tried in one run: a text of nothing but digits must not take minutes. */
const MOST_TRIED = 500

/** Characters before a number that may say what it is. */
const CONTEXT_CHARACTERS = 48
const ANNOUNCED =
  /\b(?:phone|telephone|tel|cell|mobile|call|calling|callback|dial|ring|text|sms|whatsapp|fax|reach|number is|numbers? to|ani|caller|contact)\b[^.!?]*$/i
/** What other numbers are called, just before them. */
const OTHER =
  /(?:\b(?:order|ticket|reference|ref|invoice|case|tracking|confirmation|account|acct|policy|serial|claim|member|customer|routing|item|part|sku|id|isbn|amount|total|balance)(?: (?:number|no|id|code))?\b\W*(?:is|was|of)?\W*|[#$€£¥]\s?)$/i
const MONEY_AFTER = /^\s?(?:[$€£¥%]|,\d\d(?!\d)|(?:dollars|euros?|pounds|usd|eur|gbp|cents|percent)\b)/i
const LETTER = /\p{L}/u

interface Around {
  readonly text: string
  readonly found: FoundSpans
  /** Country of numbers without a country code. */
  readonly region: CountryCode
  /** The text just before a place. */
  readonly before: (at: number, length: number) => string
}

/** Telephone numbers: international ones, and those of the region where digits and words around them say so. */
export function findPhones(run: DigitRun, around: Around): void {
  const { found, text } = around
  let tried = 0
  for (const group of run.groups.keys()) {
    for (const window of groupWindows(run, group, PHONE_LENGTHS.least, PHONE_LENGTHS.most)) {
      const { start, end } = window
      if (tried >= MOST_TRIED) return
      if (!found.isFree(start, end)) continue
      tried += 1
      if (!isPhone(window, run, around)) continue
      const bracket = /[+(]/.test(text[start - 1] ?? '') ? 1 : 0
      found.take({ start: start - bracket, end, kind: 'phone' })
      break
    }
  }
}

function isPhone(window: GroupWindow, { plus, spoken }: DigitRun, { text, region, before }: Around): boolean {
  const { digits, start, end, first } = window
  if (LETTER.test(text[start - 1] ?? '')) return false
  const words = before(start, CONTEXT_CHARACTERS)
  const isOther = OTHER.test(words)
  if ((plus && first) || (digits.startsWith('00') && !isOther)) {
    return parsePhoneNumberFromString(`+${digits.replace(/^00/, '')}`)?.isPossible() ?? false
  }
  if (MONEY_AFTER.test(text.slice(end, end + 12))) return false
  const lengths = window.lengths.join(',')
  const isList = !spoken && text.slice(start, end).includes(', ')
  // (415) 555-0123, 1-800-555-0123, 415.555.0123: nothing else is written so.
  if (!spoken && !isList && (lengths === '3,3,4' || (lengths === '1,3,3,4' && digits.startsWith('1')))) return true
  const announced = ANNOUNCED.test(words)
  if (isOther || (isList && !announced)) return false
  // A number without its area.
  if (digits.length === 7 && region === 'US') return announced
  const number = parsePhoneNumberFromString(digits, region)
  if (number === undefined) return false
  if (announced) return number.isPossible()
  // Of countries that write a trunk 0 before their numbers, one without it is more likely something else.
  return number.isValid() && (number.countryCallingCode === '1' || digits.startsWith('0'))
}
