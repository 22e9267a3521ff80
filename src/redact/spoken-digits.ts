const UNITS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine']
const TEENS = [
  'ten',
  'eleven',
  'twelve',
  'thirteen',
  'fourteen',
  'fifteen',
  'sixteen',
  'seventeen',
  'eighteen',
  'nineteen',
]
const TENS = ['twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety']

const SAID = new Map<string, string>([
  ...UNITS.map((word, digit) => [word, String(digit)] as const),
  ...TEENS.map((word, index) => [word, String(10 + index)] as const),
  ['oh', '0'],
  ['o', '0'],
  ['nought', '0'],
  ['hundred', '00'],
  ['thousand', '000'],
])
/** First digit of twenty, thirty and so on. */
const TENTHS = new Map(TENS.map((word, index) => [word, String(2 + index)]))
const UNIT = new Set(UNITS.slice(1))
const TIMES = new Map([
  ['double', 2],
  ['triple', 3],
])

/** Hears English number words one after the other, as people dictate numbers. */
interface SpokenDigits {
  /**
   * The digits a word says; empty for a word that announces them; undefined for any other word. Both in lower case.
   *
   * @param next the word after it: "twenty three" is 23
   */
  hear(word: string, next: string | undefined): string | undefined
  /** The word heard last was announced by the one before ("double five"). */
  readonly announced: boolean
}

/**
 * English number words as digits: "four", "oh", "double five", "twenty three" , "eight hundred" (8 and 00).
 */
export function spokenDigits(): SpokenDigits {
  let times = 1
  let announced = false
  return {
    hear(word, next) {
      const repeat = TIMES.get(word)
      if (repeat !== undefined) {
        times = repeat
        return ''
      }
      const tenth = TENTHS.get(word)
      const tens = next !== undefined && UNIT.has(next) ? tenth : tenth && `${tenth}0`
      const digits = SAID.get(word) ?? tens
      announced = digits !== undefined && times > 1
      const said = digits?.repeat(times)
      times = 1
      return said
    },
    get announced() {
      return announced
    },
  }
}
