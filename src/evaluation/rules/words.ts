import { FormTable, hashed } from './form-table.js'
import { skeletonOf } from './skeleton.js'

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

const WORD =
  /[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}]|['’](?=\p{L})|\p{Default_Ignorable_Code_Point}+(?=[\p{L}\p{N}]))*|\p{So}/gu
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
/** Stands for an `'s` of which only the next word tells what it is. */
const OPEN_S = "'s"
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

/** The words a written word stands for, in lower case. */
const normalForms = new FormTable(written => formsOf(skeletonOf(written).toLowerCase().replaceAll('’', "'")))

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

/** The words of a text as they are found. */
class Found {
  readonly words: Word[] = []
  /** The first form of the last written word, and whether an `'s` is open after it. */
  #last: string | undefined
  #open = false

  /** Adds the words that a written word stands for. @returns whether it stands for any that are not said already */
  add(forms: readonly string[], start: number, end: number, before: Break): boolean {
    const { words } = this
    const first = forms[0]
    if (first === undefined) return false
    // Most words are one word, other than the last.
    if (forms.length === 1 && !this.#open && first !== this.#last) {
      words.push({ text: first, start, end, before })
      this.#last = first
      return true
    }
    if (first === this.#last && before === 'none' && FALTERED.has(first) && this.#isSaid(forms)) return false
    if (this.#open && before === 'none' && isVerbBefore(first)) {
      const { start, end } = words[words.length - 1]!
      words.push({ text: 'is', start, end, before: 'none' })
    }
    words.push({ text: first, start, end, before })
    this.#last = first
    this.#open = false
    if (forms.length === 1) return true
    for (let more = 1; more < forms.length; more += 1) {
      if (forms[more] === OPEN_S) this.#open = true
      else words.push({ text: forms[more]!, start, end, before: 'none' })
    }
    return true
  }

  #isSaid(forms: readonly string[]): boolean {
    const from = this.words.length - forms.length
    return from >= 0 && forms.every((form, at) => this.words[from + at]!.text === form)
  }
}

/**
 * Cuts a text into words. Fillers such as "um" are left out, and so is a small word that is only said again. Markers are no
 * words; those that say that something was not understood are counted.
 */
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
  const found = new Found()
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
    last = at
    // What stands before a filler stands before the next word.
    if (found.add(forms, start, at, before)) before = 'none'
  }
  return { words: found.words, unheard: 0, end: before }
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
  const found = new Found()
  let last = 0
  let next = 0
  let pending: Break = 'none'
  WORD.lastIndex = 0
  for (let match = WORD.exec(text); match !== null; match = WORD.exec(text)) {
    const [written] = match
    const { index } = match
    let marker = marked[next]
    while (marker !== undefined && marker.end <= index) {
      if (!marker.heard) found.add([UNHEARD], marker.start, marker.end, 'none')
      last = marker.end
      next += 1
      marker = marked[next]
    }
    if (marker !== undefined && index >= marker.start) {
      WORD.lastIndex = marker.end
      continue
    }
    const before: Break =
      index === last + 1 && (text.charCodeAt(last) === 0x20 || isWithinNumber(text, last))
        ? pending
        : strongest(pending, text.slice(last, index))
    const end = index + written.length
    const forms = normalForms.at(text, index, end, hashOf(written))
    last = end
    pending = found.add(forms, index, end, before) ? 'none' : before
  }
  for (; next < marked.length; next += 1) {
    const marker = marked[next]!
    if (!marker.heard) found.add([UNHEARD], marker.start, marker.end, 'none')
  }
  return { words: found.words, unheard, end: strongest(pending, text.slice(last)) }
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
