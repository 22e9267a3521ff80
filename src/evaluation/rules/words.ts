import { FormTable, hashed } from './form-table.js'

/** A word of a text as phrases see it. */
export interface Word {
  /** In lower case, without apostrophes; contractions are written out ("I'm" is the words "i" and "am"). */
  readonly text: string
  /** Where it stands in the text, UTF-16 units. */
  readonly start: number
  readonly end: number
  /** What stands before it: nothing of note, a comma or the like, or the end of a sentence. */
  readonly before: Break
}

export type Break = 'none' | 'pause' | 'stop'

/** What was said in a text. */
export interface Words {
  readonly words: readonly Word[]
  /** How often the transcript says that speech was not understood. */
  readonly unheard: number
  /** Ends with a question mark. */
  readonly end: Break
}

/** A word nobody understood; it fits no phrase. */
export const UNHEARD = '\u0000'

// A marker: [noise], <unk>, (inaudible), *laughs*. Its content is short and has no sentence in it.
const MARKER =
  /\[[^\][]{0,40}\]|<[^<>]{0,40}>|\((?:inaudible|unintelligible|crosstalk|indistinct|unclear|\?+)[^()]{0,30}\)/giu
const NOT_HEARD = /unk|inaudible|unintelligible|indistinct|unclear|crosstalk|foreign|\?\?/i

const WORD = /[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}]|['’](?=\p{L}))*|\p{So}/gu
const STOP = /[.!?…。！？]/u
const PAUSE = /[,;:–—\n"“”]/u

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
  // And where an accent drops the last sound.
  mornin: ['morning'],
  evenin: ['evening'],
  nothin: ['nothing'],
  somethin: ['something'],
  anythin: ['anything'],
  goin: ['going'],
  doin: ['doing'],
  callin: ['calling'],
  gettin: ['getting'],
  lookin: ['looking'],
  tryin: ['trying'],
  waitin: ['waiting'],
  havin: ['having'],
  talkin: ['talking'],
  workin: ['working'],
}
const SUFFIXES: readonly (readonly [string, string])[] = [
  ["n't", 'not'],
  ["'m", 'am'],
  ["'re", 'are'],
  ["'ll", 'will'],
  ["'ve", 'have'],
  ["'d", 'would'],
]
/** After these `'s` is short for "is"; after others it says whose something is, and is left out. */
const IS_AFTER: ReadonlySet<string> = new Set(
  'it that what name here there he she who where how when this everything nothing something everyone one'.split(' '),
)

/** The words a written word stands for, in lower case. */
const normalForms = new FormTable(written => formsOf(written.normalize('NFC').toLowerCase().replaceAll('’', "'")))

function formsOf(word: string): readonly string[] {
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
    return IS_AFTER.has(stem) ? [stem, 'is'] : [stem.replaceAll("'", '')]
  }
  return [word.replaceAll("'", '')]
}

/** Cuts a text into words. Markers are no words; those that say that something was not understood are counted. */
export function wordsOf(text: string): Words {
  return plainWordsOf(text) ?? anyWordsOf(text)
}

/** What an ASCII character is to a text. */
const OTHER = 0
const LETTER = 1
const DIGIT = 2
const APOSTROPHE = 3
const PAUSES = 4
const STOPS = 5
/** It may begin a marker. */
const OPENS = 6
const KINDS = Uint8Array.from({ length: 0x80 }, (_, code) => {
  const character = String.fromCharCode(code)
  if (/[a-z]/i.test(character)) return LETTER
  if (/[0-9]/.test(character)) return DIGIT
  if (character === "'") return APOSTROPHE
  if (PAUSE.test(character)) return PAUSES
  if (STOP.test(character)) return STOPS
  return /[[<(]/.test(character) ? OPENS : OTHER
})

/**
 * The words of a text of plain ASCII without brackets, as `anyWordsOf` gives them, in one pass: most are that.
 * @returns undefined for another text
 */
export function plainWordsOf(text: string): Words | undefined {
  const words: Word[] = []
  const { length } = text
  let before: Break = 'none'
  /** Where the last word ended. */
  let last = 0
  for (let at = 0; at < length;) {
    const code = text.charCodeAt(at)
    if (code >= 0x80) return undefined
    const kind = KINDS[code]!
    if (kind !== LETTER && kind !== DIGIT) {
      if (kind === OPENS) return undefined
      if (kind === STOPS) before = 'stop'
      else if (kind === PAUSES && before === 'none') before = 'pause'
      at += 1
      continue
    }
    const start = at
    let hash = 0
    for (; at < length; at += 1) {
      const unit = text.charCodeAt(at)
      if (unit >= 0x80) return undefined
      const within = KINDS[unit]!
      if (within === LETTER || within === DIGIT || (within === APOSTROPHE && isLetter(text, at + 1))) {
        hash = hashed(hash, unit)
      } else break
    }
    if (before !== 'none' && start === last + 1 && isWithinNumber(text, last)) before = 'none'
    const forms = normalForms.at(text, start, at, hash)
    words.push({ text: forms[0]!, start, end: at, before })
    for (let more = 1; more < forms.length; more += 1) {
      words.push({ text: forms[more]!, start, end: at, before: 'none' })
    }
    before = 'none'
    last = at
  }
  return { words, unheard: 0, end: before }
}

function isLetter(text: string, at: number): boolean {
  return at < text.length && KINDS[text.charCodeAt(at)] === LETTER
}

/** The words of any text. */
export function anyWordsOf(text: string): Words {
  let unheard = 0
  const marked: { readonly start: number; readonly end: number; readonly heard: boolean }[] = []
  if (text.includes('[') || text.includes('<') || text.includes('(')) {
    for (const match of text.matchAll(MARKER)) {
      const heard = !NOT_HEARD.test(match[0])
      if (!heard) unheard += 1
      marked.push({ start: match.index, end: match.index + match[0].length, heard })
    }
  }
  const words: Word[] = []
  let last = 0
  let next = 0
  let pending: Break = 'none'
  WORD.lastIndex = 0
  for (let match = WORD.exec(text); match !== null; match = WORD.exec(text)) {
    const [written] = match
    const { index } = match
    let marker = marked[next]
    while (marker !== undefined && marker.end <= index) {
      if (!marker.heard) words.push({ text: UNHEARD, start: marker.start, end: marker.end, before: 'none' })
      last = marker.end
      next += 1
      marker = marked[next]
    }
    if (marker !== undefined && index >= marker.start) {
      WORD.lastIndex = marker.end
      continue
    }
    const before =
      index === last + 1 && (text.charCodeAt(last) === 0x20 || isWithinNumber(text, last))
        ? pending
        : strongest(pending, text.slice(last, index))
    pending = 'none'
    const end = index + written.length
    let first = true
    for (const form of normalForms.at(text, index, end, hashOf(written))) {
      words.push({ text: form, start: index, end, before: first ? before : 'none' })
      first = false
    }
    last = end
  }
  for (; next < marked.length; next += 1) {
    const marker = marked[next]!
    if (!marker.heard) words.push({ text: UNHEARD, start: marker.start, end: marker.end, before: 'none' })
  }
  return { words, unheard, end: strongest('none', text.slice(last)) }
}

function hashOf(written: string): number {
  let hash = 0
  for (let at = 0; at < written.length; at += 1) hash = hashed(hash, written.charCodeAt(at))
  return hash
}

/** Whether the sign at a place stands between two digits: in $69.20 and 1,250 nobody pauses. */
function isWithinNumber(text: string, at: number): boolean {
  const sign = text[at]
  return (sign === '.' || sign === ',') && isDigit(text, at - 1) && isDigit(text, at + 1)
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code >= 0x30 && code <= 0x39
}

function strongest(known: Break, between: string): Break {
  if (known === 'stop' || STOP.test(between)) return 'stop'
  return known === 'pause' || PAUSE.test(between) ? 'pause' : 'none'
}
