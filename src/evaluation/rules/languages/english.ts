import { FormTable } from '../form-table.js'
import { skeletonOf } from '../skeleton.js'
import { type Language, OPEN_S, valuesOf, wordsIn } from './language.js'
import type { NumberWord, NumberWords } from './number-words.js'

const CONTRACTIONS: Readonly<Record<string, readonly string[]>> = {
  "can't": ['can', 'not'],
  cant: ['can', 'not'],
  cannot: ['can', 'not'],
  "won't": ['will', 'not'],
  wont: ['will', 'not'],
  "shan't": ['shall', 'not'],
  "ain't": ['is', 'not'],
  im: ['i', 'am'],
  ive: ['i', 'have'],
  dont: ['do', 'not'],
  doesnt: ['does', 'not'],
  didnt: ['did', 'not'],
  isnt: ['is', 'not'],
  wasnt: ['was', 'not'],
  couldnt: ['could', 'not'],
  wouldnt: ['would', 'not'],
  youre: ['you', 'are'],
  youve: ['you', 'have'],
  theyre: ['they', 'are'],
  thats: ['that', 'is'],
  whats: ['what', 'is'],
  "let's": ['let', 'us'],
  lets: ['let', 'us'],
  gonna: ['going', 'to'],
  wanna: ['want', 'to'],
  gotta: ['got', 'to'],
  ok: ['okay'],
  thankyou: ['thank', 'you'],
  "ma'am": ['madam'],
  "o'clock": ['oclock'],
  "y'all": ['you', 'all'],
  yall: ['you', 'all'],
  "g'day": ['gday'],
  lemme: ['let', 'me'],
  gimme: ['give', 'me'],
  dunno: ['do', 'not', 'know'],
  outta: ['out', 'of'],
  its: ['it', 'is'],
  hes: ['he', 'is'],
  shes: ['she', 'is'],
  theres: ['there', 'is'],
  heres: ['here', 'is'],
  wheres: ['where', 'is'],
  hows: ['how', 'is'],
  havent: ['have', 'not'],
  hasnt: ['has', 'not'],
  hadnt: ['had', 'not'],
  arent: ['are', 'not'],
  werent: ['were', 'not'],
  shouldnt: ['should', 'not'],
  weve: ['we', 'have'],
  theyve: ['they', 'have'],
  youll: ['you', 'will'],
  theyll: ['they', 'will'],
  itll: ['it', 'will'],
  thatll: ['that', 'will'],
  musta: ['must', 'have'],
  shoulda: ['should', 'have'],
  coulda: ['could', 'have'],
  // As people write in chats.
  u: ['you'],
  ur: ['your'],
  ya: ['you'],
  ye: ['you'],
  yous: ['you'],
  youse: ['you'],
  thx: ['thanks'],
  thanx: ['thanks'],
  tnx: ['thanks'],
  ty: ['thank', 'you'],
  pls: ['please'],
  plz: ['please'],
  cos: ['because'],
  cuz: ['because'],
  coz: ['because'],
  tmrw: ['tomorrow'],
  acct: ['account'],
  appt: ['appointment'],
  til: ['till'],
  aint: ['is', 'not'],
  cmon: ['come', 'on'],
  whos: ['who', 'is'],
  wouldve: ['would', 'have'],
  shouldve: ['should', 'have'],
  couldve: ['could', 'have'],
  mustve: ['must', 'have'],
  // As people talk in different places.
  tryna: ['trying', 'to'],
  finna: ['going', 'to'],
  imma: ['i', 'am', 'going', 'to'],
  oughta: ['ought', 'to'],
  hafta: ['have', 'to'],
  gotcha: ['got', 'you'],
  gotchu: ['got', 'you'],
  kinda: ['kind', 'of'],
  sorta: ['sort', 'of'],
  bout: ['about'],
  em: ['them'],
  preciate: ['appreciate'],
  lil: ['little'],
  nowt: ['nothing'],
  owt: ['anything'],
  summat: ['something'],
  aye: ['yes'],
  nae: ['no'],
  naw: ['no'],
  nah: ['no'],
  nope: ['no'],
  dae: ['do'],
  telt: ['told'],
  cannae: ['can', 'not'],
  dinnae: ['do', 'not'],
  didnae: ['did', 'not'],
  doesnae: ['does', 'not'],
  isnae: ['is', 'not'],
  wasnae: ['was', 'not'],
  havenae: ['have', 'not'],
  hasnae: ['has', 'not'],
  couldnae: ['could', 'not'],
  wouldnae: ['would', 'not'],
  // Where an accent drops the last sound: "callin'".
  ...Object.fromEntries(
    (
      'morning evening nothing something anything everything calling ringing phoning talking speaking telling asking ' +
      'saying having doing going getting looking trying waiting working coming making taking giving putting sending ' +
      'paying charging billing holding hanging bearing helping fixing rolling running moving leaving switching ' +
      'closing stopping losing thinking keeping messing playing cutting dropping sitting standing staying being ' +
      'knowing feeling kidding joking driving living booking using showing sorting turning worrying freezing breaking ' +
      'leaking blowing happening'
    )
      .split(' ')
      .map(word => [word.slice(0, -1), [word]] as const),
  ),
}
const SUFFIXES: readonly (readonly [string, string])[] = [
  ["n't", 'not'],
  ["'m", 'am'],
  ["'re", 'are'],
  ["'ll", 'will'],
  ["'ve", 'have'],
  ["'d", 'would'],
]
/** What a speaker says while looking for the next word; it stands between the words of no phrase. */
const FILLERS: ReadonlySet<string> = new Set('uh uhh um umm uhm er erm mm hmm'.split(' '))
/** Words that somebody who falters says twice: "the the bill", "it's it's". */
const FALTERED: ReadonlySet<string> = new Set(
  'i a an the to of in on at for with and but or so if when as my your our his her it you we he she they is are was have has had do did can could would will what how that this just not let me be'.split(
    ' ',
  ),
)
/** After these `'s` is short for "is"; after others the next word tells, and where it says whose something is, it is left out. */
const IS_AFTER: ReadonlySet<string> = new Set(
  'it that what name here there he she who where how when this everything nothing something everyone everybody someone somebody nobody one'.split(
    ' ',
  ),
)
/** Before these it is short for "is" or "has" after any word: "the refund's on its way", "the card's blocked". */
const IS_BEFORE: ReadonlySet<string> = new Set(
  'a the on in at not now just already been being gone going coming got up down out off back done sent paid ready still never always only so too very really all no here there with due stuck broken dead frozen lost stolen shut taken given set put cut'.split(
    ' ',
  ),
)

/** Whether an open `'s` before a word is a verb. */
function isVerbBefore(word: string): boolean {
  return IS_BEFORE.has(word) || word.endsWith('ed') || word.endsWith('ing')
}

/** The words that a word in lower case stands for. */
function formsOf(word: string): readonly string[] {
  if (FILLERS.has(word)) return []
  const whole = Object.hasOwn(CONTRACTIONS, word) ? CONTRACTIONS[word] : undefined
  if (whole !== undefined) return whole
  if (!word.includes("'")) return [word]
  for (const [suffix, written] of SUFFIXES) {
    if (word.endsWith(suffix) && word.length > suffix.length) {
      return [word.slice(0, -suffix.length).replaceAll("'", ''), written]
    }
  }
  if (word.endsWith("'s")) {
    const stem = word.slice(0, -2)
    return IS_AFTER.has(stem) ? [stem, 'is'] : [stem.replaceAll("'", ''), OPEN_S]
  }
  return [word.replaceAll("'", '')]
}

const UNITS = valuesOf(
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen',
  0,
)
const TENS = valuesOf('twenty thirty forty fifty sixty seventy eighty ninety', 20, 10)
const SCALES: ReadonlyMap<string, number> = new Map([
  ['hundred', 100],
  ['thousand', 1_000],
  ['million', 1_000_000],
])
const ORDINALS = valuesOf(
  'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth',
  1,
)
const MONTHS = wordsIn('january february march april may june july august september october november december')
/** What stands after "of" where the ordinal before it is no day. */
const NO_MONTH = wordsIn('all my your our these those')

/** Whether a word names a month; where it does, "second of" it is a day and no part of a minute. */
const isMonth = (word: string | undefined): boolean => word !== undefined && MONTHS.has(word)

/** Ordinals that begin a number are days, "third of May", "on the ninth."; elsewhere they say which one. */
function isDay(words: readonly NumberWord[], at: number): boolean {
  const [of, what] = [words[at + 1]?.text, words[at + 2]?.text]
  const last = words[at + 1] === undefined || (words[at + 1]?.before ?? 'none') !== 'none'
  if (last && words[at - 1]?.text === 'the' && (ORDINALS.get(words[at]!.text) ?? 0) > 2) return true
  return of === 'of' && what !== undefined && !NO_MONTH.has(what)
}

const NUMBERS: NumberWords = {
  units: UNITS,
  tens: TENS,
  hundreds: new Map(),
  scales: SCALES,
  ordinals: ORDINALS,
  words: new Set(
    [...UNITS.keys(), ...TENS.keys(), ...SCALES.keys(), ...ORDINALS.keys()].filter(word => word !== 'second'),
  ),
  digits: /^\d+(?:st|nd|rd|th|am|pm)?$/,
  noughts: wordsIn('oh o'),
  and: { word: 'and', afterTens: false },
  article: 'a',
  isOrdinal: (words, at, first) =>
    !(first && !isDay(words, at)) && (words[at]!.text !== 'second' || isMonth(words[at + 2]?.text)),
  begins(words, at) {
    const [word, next] = [words[at]!.text, words[at + 1]?.text]
    return (word === 'second' && next === 'of' && isMonth(words[at + 2]?.text)) || (word === 'a' && next === 'hundred')
  },
  // "first of May" is a day, "first of all" is none.
  isLone(words, at) {
    const word = words[at]!.text
    const day = word === 'first' && words[at + 1]?.text === 'of' && words[at + 2]?.text !== 'all'
    return !day && (word === 'one' || word === 'first')
  },
}

export const english: Language = {
  code: 'en',
  forms: new FormTable(written => formsOf(skeletonOf(written).toLowerCase().replaceAll('’', "'")), NUMBERS),
  faltered: FALTERED,
  isVerbBefore,
  // About half of what is said on the telephone.
  common: wordsIn(
    'the a an i you to and of is it in that my me for on this have be are do can we what not with at so was but your if will how would just no yes okay am get got from or there them has had our us please thank thanks hello hi help need want',
  ),
  greeted: {
    greeting: wordsIn('good morning afternoon evening day hello hi hiya hey gday there'),
    none: wordsIn(
      'speaking here this my name how what who when where which why can could may would is are it am thank thanks welcome yes yeah yep no right okay sorry well so sure please just now one moment hold bear you your sir madam oh ah mhm hmm hm uh um er',
    ),
    department: wordsIn(
      'reservations reception claims billing accounts sales bookings returns complaints payments collections enquiries orders dispatch switchboard support housekeeping operator concierge customer service services department baggage box business front head helpdesk help home parts tech technical',
    ),
  },
  numbers: NUMBERS,
}
