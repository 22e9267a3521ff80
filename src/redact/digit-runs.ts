import { spokenDigits } from './spoken-digits.js'

/** One digit of a run and the place in the text that says it: several digits may share a spoken word. */
interface PlacedDigit {
  readonly start: number
  readonly end: number
}

/** Digits that belong together: groups of figures or spoken words, with nothing but separators between them. */
export interface DigitRun {
  /** The digits, ASCII. */
  readonly digits: string
  /** Where each digit stands. */
  readonly places: readonly PlacedDigit[]
  /** Indexes of the digits at which a group begins; the first is 0. */
  readonly groups: readonly number[]
  /** A plus sign stands before the first digit. */
  readonly plus: boolean
  /** Some of it is spoken: single words are groups. */
  readonly spoken: boolean
}

const DIGIT = /\p{Nd}/u
/** A run goes on over so many separators: `) ` and ` - ` are such, and commas as people dictate. */
const MOST_SEPARATORS = 4
const SEPARATOR = /[\s.,\-()/\u00a0\u00ad\u200b-\u200d\u2010-\u2015\u2060\u2212]/

/** A figure or spoken number. The words come first: hyphens join them ("forty-one"). */
const TOKEN = /\p{Nd}+|[A-Za-z]+/gu
/** Days and times of day are no part of a number: `2026-03-01 12:30`, `01.03.2026`, `3/1/26`. */
const DATE =
  /(?<![\p{Nd}./-])(?:\d{4}([-/.])(?:0?[1-9]|1[0-2])\1(?:0?[1-9]|[12]\d|3[01])|(?:0?[1-9]|[12]\d|3[01])([-/.])(?:0?[1-9]|[12]\d|3[01])\2(?:\d{4}|\d{2}))(?:[T ]\d{1,2}:\d\d(?::\d\d(?:[.,]\d+)?)?)?(?![\p{Nd}]|[-/.]\p{Nd})/gu
/** What people say between digits. */
const FILLERS = new Set(['dash', 'hyphen', 'space', 'uh', 'um', 'er', 'okay', 'then'])

/** Figures as ASCII: other scripts' digits run from their zero upwards in tens. */
function asciiDigits(figures: string): string {
  if (/^\d+$/.test(figures)) return figures
  return Array.from(figures, figure => {
    let zero = figure.codePointAt(0) ?? 0
    const code = zero
    while (code - zero < 9 && DIGIT.test(String.fromCodePoint(zero - 1))) zero -= 1
    return String((code - zero) % 10)
  }).join('')
}

class RunBuilder {
  digits = ''
  readonly places: PlacedDigit[] = []
  readonly groups: number[] = []
  plus = false
  spoken = false
  end = 0

  add(digits: string, start: number, end: number, spoken: boolean): void {
    this.groups.push(this.digits.length)
    const single = !spoken && end - start === digits.length
    for (let index = 0; index < digits.length; index += 1) {
      this.places.push(single ? { start: start + index, end: start + index + 1 } : { start, end })
    }
    this.digits += digits
    this.spoken ||= spoken
    this.end = end
  }
}

/** Whether nothing but separators, and what people say between digits, stands from `from` to `to`. */
function joins(text: string, from: number, to: number, fillers: boolean): boolean {
  if (to === from) return true
  const between = text.slice(from, to)
  if (!fillers) return between.length <= MOST_SEPARATORS && isSeparators(between)
  const words = between.split(/[^A-Za-z]+/).filter(word => word !== '')
  return words.length <= 3 && isSeparators(between.replaceAll(/[A-Za-z]+/g, ''))
}

function isSeparators(text: string): boolean {
  for (const character of text) if (!SEPARATOR.test(character)) return false
  // "1,234" is one amount, "4111, 1111" are two groups; what comes after a decimal point is no group either way.
  return !text.startsWith(',') || text.length > 1
}

/** The runs of digits in a text, of so many digits at least. Linear in the text. */
export function digitRuns(text: string, least: number): readonly DigitRun[] {
  const runs: DigitRun[] = []
  const dates = Array.from(text.matchAll(DATE), ({ index, 0: { length } }) => ({ start: index, end: index + length }))
  let date = 0
  let run: RunBuilder | undefined
  let filler = false
  const finish = () => {
    if (run !== undefined && run.digits.length >= least) runs.push(run)
    run = undefined
    filler = false
  }
  const words = spokenDigits()
  const tokens = Array.from(text.matchAll(TOKEN))
  for (const [index, { 0: token, index: start }] of tokens.entries()) {
    const end = start + token.length
    while ((dates[date]?.end ?? Infinity) <= start) date += 1
    const isDated = start >= (dates[date]?.start ?? Infinity)
    const figures = DIGIT.test(token)
    const said = figures ? asciiDigits(token) : words.hear(token.toLowerCase(), tokens[index + 1]?.[0].toLowerCase())
    if (isDated || said === undefined) {
      if (!isDated && run !== undefined && FILLERS.has(token.toLowerCase())) filler = true
      else finish()
      continue
    }
    // A word that only announces the next one ("double") says nothing by itself.
    if (said === '') continue
    if (run !== undefined && !joins(text, run.end, start, filler || words.announced)) finish()
    if (run === undefined) {
      run = new RunBuilder()
      run.plus = text[start - 1] === '+' || (text[start - 1] === '(' && text[start - 2] === '+')
    }
    filler = false
    run.add(said, start, end, !figures)
  }
  finish()
  return runs
}
