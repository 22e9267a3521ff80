import { FormTable } from '../form-table.js'
import { skeletonOf } from '../skeleton.js'
import { type Language, never, valuesOf, wordsIn } from './language.js'
import type { NumberWord, NumberWords } from './number-words.js'

/** As people write them with and without a key for them, and in Switzerland. */
const FOLDED: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss' }
const FILLERS = wordsIn('aeh aehm oeh oehm ehm hm hmm hmmm mm mmm')
/** What is said for another word, in one place or in a hurry. */
const WRITTEN_OUT: Readonly<Record<string, readonly string[]>> = {
  ok: ['okay'],
  hab: ['habe'],
  waer: ['waere'],
  haett: ['haette'],
  koennt: ['koennte'],
  moecht: ['moechte'],
  wuerd: ['wuerde'],
  braeucht: ['braeuchte'],
  wollt: ['wollte'],
  werd: ['werde'],
  komm: ['komme'],
  krieg: ['kriege'],
  schick: ['schicke'],
  ruf: ['rufe'],
  mach: ['mache'],
  schau: ['schaue'],
  seh: ['sehe'],
  geb: ['gebe'],
  find: ['finde'],
  glaub: ['glaube'],
  brauch: ['brauche'],
  sag: ['sage'],
  heut: ['heute'],
  gern: ['gerne'],
  is: ['ist'],
  isch: ['ist'],
  bissl: ['bisschen'],
  nix: ['nichts'],
  ned: ['nicht'],
  net: ['nicht'],
  nich: ['nicht'],
  nee: ['nein'],
  noe: ['nein'],
  i: ['ich'],
  grad: ['gerade'],
  nen: ['einen'],
  nem: ['einem'],
  ner: ['einer'],
  nochmal: ['noch', 'mal'],
  nochmals: ['noch', 'mal'],
  wieviel: ['wie', 'viel'],
  dankschoen: ['danke', 'schoen'],
  dankeschoen: ['danke', 'schoen'],
  dank: ['danke'],
  jaenner: ['januar'],
  feber: ['februar'],
  zwo: ['zwei'],
  samstags: ['samstag'],
  sonnabend: ['samstag'],
}
/** After these it is short for "es": "geht's", "gibt's", "wär's". */
const ES_AFTER_LETTERS = 2

/** The words that a word in lower case stands for. */
function formsOf(word: string): readonly string[] {
  const folded = word.replaceAll(/[äöüß]/gu, letter => FOLDED[letter]!)
  const [stem = '', rest] = folded.split("'")
  if (rest === 's' && stem.length >= ES_AFTER_LETTERS) return [...plain(stem), 'es']
  if (rest === 'n' && stem.length >= ES_AFTER_LETTERS) return [...plain(stem), 'ein']
  return plain(folded.replaceAll("'", ''))
}

function plain(word: string): readonly string[] {
  if (FILLERS.has(word)) return []
  return (Object.hasOwn(WRITTEN_OUT, word) ? WRITTEN_OUT[word] : undefined) ?? [word]
}

const DIGITS = 'ein zwei drei vier fuenf sechs sieben acht neun'.split(' ')
const BELOW_TWENTY = valuesOf(
  'null eins zwei drei vier fuenf sechs sieben acht neun zehn elf zwoelf dreizehn vierzehn fuenfzehn sechzehn siebzehn achtzehn neunzehn',
  0,
)
const TENS = valuesOf('zwanzig dreissig vierzig fuenfzig sechzig siebzig achtzig neunzig', 20, 10)
const ORDINAL_STEMS =
  'erst zweit dritt viert fuenft sechst siebt acht neunt zehnt elft zwoelft dreizehnt vierzehnt fuenfzehnt sechzehnt siebzehnt achtzehnt neunzehnt'.split(
    ' ',
  )
const SCALES: ReadonlyMap<string, number> = new Map([
  ['hundert', 100],
  ['tausend', 1_000],
  ['million', 1_000_000],
  ['millionen', 1_000_000],
])
const MONTHS = wordsIn('januar februar maerz april mai juni juli august september oktober november dezember')

/** "dreiundzwanzig" is written as one word, and so is "zweihundertdreiundzwanzig". */
const BELOW_HUNDRED: ReadonlyMap<string, number> = new Map([
  ...BELOW_TWENTY,
  ...TENS,
  ...[...TENS].flatMap(([tens, value]) => DIGITS.map((digit, at) => [`${digit}und${tens}`, value + at + 1] as const)),
])
const UNITS: ReadonlyMap<string, number> = new Map([
  ...BELOW_HUNDRED,
  ...['', ...DIGITS].flatMap((digit, at) =>
    [...BELOW_HUNDRED]
      .filter(([, value]) => value > 0)
      .map(([word, value]) => [`${digit}hundert${word}`, Math.max(1, at) * 100 + value] as const),
  ),
])
const ORDINALS: ReadonlyMap<string, number> = new Map(
  [
    ...ORDINAL_STEMS.map((stem, at) => [stem, at + 1] as const),
    ...[...BELOW_HUNDRED]
      .filter(([, value]) => value >= 20 && value <= 31)
      .map(([word, value]) => [`${word}st`, value] as const),
  ].flatMap(([stem, value]) => ['e', 'en', 'er', 'es'].map(ending => [stem + ending, value] as const)),
)

/** Which one something is, unless it is a day: "am dritten Mai", "bis zum neunten". */
function isDay(words: readonly NumberWord[], at: number): boolean {
  const next = words[at + 1]
  if (next !== undefined && MONTHS.has(next.text)) return true
  const last = next === undefined || (next.before ?? 'none') !== 'none'
  return last && /^(?:am|vom|zum|bis|den)$/.test(words[at - 1]?.text ?? '') && (ORDINALS.get(words[at]!.text) ?? 0) > 2
}

const NUMBERS: NumberWords = {
  units: UNITS,
  tens: new Map(),
  hundreds: new Map(DIGITS.map((digit, at) => [`${digit}hundert`, (at + 1) * 100] as const)),
  scales: SCALES,
  ordinals: ORDINALS,
  words: new Set(
    [...UNITS.keys(), ...DIGITS.map(digit => `${digit}hundert`), ...SCALES.keys(), ...ORDINALS.keys()].filter(
      word => !/^(?:ein|erst|zweit)/.test(word) || UNITS.has(word),
    ),
  ),
  digits: /^\d+(?:er|te|ten|ter)?$/,
  noughts: new Set(),
  and: { word: 'und', afterTens: false },
  article: undefined,
  isOrdinal: (words, at, first) => !first || isDay(words, at),
  begins: (words, at) => ORDINALS.has(words[at]!.text) && isDay(words, at),
  isLone: (words, at) => words[at]!.text === 'eins',
}

export const german: Language = {
  code: 'de',
  forms: new FormTable(written => formsOf(skeletonOf(written).toLowerCase().replaceAll('’', "'")), NUMBERS),
  faltered: wordsIn(
    'ich sie er es wir ihr du der die das den dem ein eine einen und oder aber in im am an auf zu mit von bei fuer ist bin hat habe kann koennen will wenn dass nicht mein meine was wie wo also ja nein',
  ),
  isVerbBefore: never,
  common: wordsIn(
    'der die das und ich sie ist nicht ein eine es zu in den mit ja nein auf fuer mir mich bitte danke haben habe hat wir ihnen ihr ihre von dem im noch da so wie was aber auch dann kann koennen kein keine guten tag schon bei um an am wenn oder wird mal gerne hier einen einem meine mein du dir dich werden war moechte',
  ),
  numbers: NUMBERS,
}
