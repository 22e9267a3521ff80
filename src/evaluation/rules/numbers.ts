const UNITS: ReadonlyMap<string, number> = new Map(
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'
    .split(' ')
    .map((word, value) => [word, value] as const),
)
const TENS: ReadonlyMap<string, number> = new Map(
  'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ').map((word, at) => [word, (at + 2) * 10] as const),
)
const ORDINALS: ReadonlyMap<string, number> = new Map(
  'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth'
    .split(' ')
    .map((word, at) => [word, at + 1] as const),
)
const SCALES: ReadonlyMap<string, number> = new Map([
  ['hundred', 100],
  ['thousand', 1_000],
  ['million', 1_000_000],
])
const DIGITS = /^\d+(?:st|nd|rd|th|am|pm)?$/

const NUMBER_WORDS: ReadonlySet<string> = new Set(
  [...UNITS.keys(), ...TENS.keys(), ...SCALES.keys(), ...ORDINALS.keys()].filter(word => word !== 'second'),
)

/** Whether a word is one of a number: digits, or a number word ("oh" and "double" among digits are too). */
export function isNumberWord(word: string): boolean {
  const first = word.charCodeAt(0)
  return first >= 0x30 && first <= 0x39 ? DIGITS.test(word) : NUMBER_WORDS.has(word)
}

const MONTHS: ReadonlySet<string> = new Set(
  'january february march april may june july august september october november december'.split(' '),
)

/** Whether a word names a month; where it does, "second of" it is a day and no part of a minute. */
export function isMonth(word: string | undefined): boolean {
  return word !== undefined && MONTHS.has(word)
}

/** A word of a text, with what stands before it where that is known. */
interface NumberWord {
  readonly text: string
  readonly before?: 'none' | 'pause' | 'stop'
}

/** Ordinals that begin a number are days, "third of May", "on the ninth."; elsewhere they say which one. */
function isDay(words: readonly NumberWord[], at: number): boolean {
  const [of, what] = [words[at + 1]?.text, words[at + 2]?.text]
  const last = words[at + 1] === undefined || (words[at + 1]?.before ?? 'none') !== 'none'
  if (last && words[at - 1]?.text === 'the' && (ORDINALS.get(words[at]!.text) ?? 0) > 2) return true
  return of === 'of' && what !== undefined && !['all', 'my', 'your', 'our', 'these', 'those'].includes(what)
}

/**
 * Reads the number that begins at a word: an amount ("one hundred and thirty five" is 135) or digits said one by one
 * ("four oh two" is 402).
 *
 * @returns its digits as text and the place after it; undefined where no number begins
 */
export function readNumber(words: readonly NumberWord[], from: number): { digits: string; next: number } | undefined {
  let at = from
  let text = ''
  let part: number | undefined
  let sum = 0
  let amount = false
  /** What the last word may still be followed by: tens by a unit. */
  let room = 0
  const flush = (): void => {
    if (part !== undefined || amount) text += String(sum + (part ?? 0))
    part = undefined
    sum = 0
    amount = false
    room = 0
  }
  for (; at < words.length; at += 1) {
    const word = words[at]!.text
    const unit =
      UNITS.get(word) ??
      ((at === from && !isDay(words, at)) || (word === 'second' && !isMonth(words[at + 2]?.text))
        ? undefined
        : ORDINALS.get(word))
    const tens = TENS.get(word)
    const scale = SCALES.get(word)
    if (DIGITS.test(word)) {
      flush()
      text += word.replaceAll(/\D/g, '')
    } else if (scale !== undefined && (part !== undefined || amount)) {
      if (scale === 100) part = (part ?? 1) * 100
      else {
        sum = (sum + (part ?? 0)) * scale
        part = undefined
      }
      amount = true
      room = scale
    } else if (tens !== undefined) {
      if (part !== undefined && room < 100) flush()
      part = (part ?? 0) + tens
      room = 10
    } else if (unit !== undefined) {
      if ((part !== undefined || amount) && (room <= unit || room === 0)) flush()
      part = (part ?? 0) + unit
      room = 0
    } else if (
      (word === 'oh' || word === 'o') &&
      (text !== '' || part !== undefined) &&
      isNumberWord(words[at + 1]?.text ?? '')
    ) {
      flush()
      text += '0'
    } else if (word === 'and' && amount && isNumberWord(words[at + 1]?.text ?? '')) {
      continue
    } else if (word === 'a' && at === from && words[at + 1]?.text === 'hundred') {
      part = 1
      room = 0
    } else break
  }
  flush()
  return text === '' ? undefined : { digits: text, next: at }
}
