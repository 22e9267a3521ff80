import { type Form, hashed } from './form-table.js'
import { type Language, OPEN_S } from './languages/language.js'

/** A word of a text as phrases see it. */
export interface Word {
  /** In lower case, without apostrophes; contractions are written out ("I'm" is the words "i" and "am"), and letters folded, as its language has it. */
  readonly text: string
  /** What is known of it by itself. */
  readonly form: Form
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
  /** The place at which they are kept, as their text is said often, so that what is found in them may be kept, too; else -1. */
  readonly kept: number
}

/** A word nobody understood; it fits no phrase. */
export const UNHEARD = '\u0000'

const bare = (text: string): readonly [Form] => [{ text, number: -1, kind: 'word', stem: undefined }]
const UNHEARD_FORMS = bare(UNHEARD)
const [IS] = bare('is')

// A marker: [noise], <unk>, (inaudible), *laughs*. Its content is short and has no sentence in it.
const MARKER =
  /\[[^\][]{0,40}\]|<[^<>]{0,40}>|\((?:inaudible|unintelligible|crosstalk|indistinct|unclear|unverständlich|ininteligible|\?+)[^()]{0,30}\)/giu
const NOT_HEARD = /unk|inaudible|unintelligible|indistinct|unclear|crosstalk|foreign|unverständlich|ininteligible|\?\?/i

const WORD =
  /[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}]|['’](?=\p{L})|\p{Default_Ignorable_Code_Point}+(?=[\p{L}\p{N}]))*|\p{So}/gu
const STOP = /[.!?…。！？]/u
const PAUSE = /[,;:–—\n"“”„«»¿¡]/u

/** The words of a text as they are found. */
class Found {
  readonly words: Word[] = []
  readonly #language: Language
  readonly #faltered: ReadonlySet<string>
  /** The first form of the last written word, and whether an `'s` is open after it. */
  #last: Form | undefined
  #open = false

  constructor(language: Language) {
    this.#language = language
    this.#faltered = language.faltered
  }

  /** Adds the words that a written word stands for. @returns whether it stands for any that are not said already */
  add(forms: readonly Form[], start: number, end: number, before: Break): boolean {
    const { words } = this
    const first = forms[0]
    if (first === undefined) return false
    // Most words are one word, other than the last.
    const { text } = first
    if (forms.length === 1 && !this.#open && first !== this.#last && text !== this.#last?.text) {
      words.push({ text, form: first, start, end, before })
      this.#last = first
      return true
    }
    if (text === this.#last?.text && before === 'none' && this.#faltered.has(text) && this.#isSaid(forms)) return false
    if (this.#open && before === 'none' && this.#language.isVerbBefore(text)) {
      const { start, end } = words[words.length - 1]!
      words.push({ text: IS.text, form: IS, start, end, before: 'none' })
    }
    words.push({ text, form: first, start, end, before })
    this.#last = first
    this.#open = false
    if (forms.length === 1) return true
    for (let more = 1; more < forms.length; more += 1) {
      const form = forms[more]!
      if (form.text === OPEN_S) this.#open = true
      else words.push({ text: form.text, form, start, end, before: 'none' })
    }
    return true
  }

  #isSaid(forms: readonly Form[]): boolean {
    const from = this.words.length - forms.length
    return from >= 0 && forms.every(({ text }, at) => this.words[from + at]!.text === text)
  }
}

/**
 * Cuts a text into words. Fillers such as "um" are left out, and so is a small word that is only said again. Markers are no
 * words; those that say that something was not understood are counted.
 */
export function wordsOf(text: string, language: Language): Words {
  return plainWordsOf(text, language) ?? anyWordsOf(text, language)
}

/** Single words of a list as they are in texts that are read. */
export function wordsAsRead(list: readonly string[], language: Language): readonly string[] {
  return list.flatMap(one => wordsOf(one, language).words.map(({ text }) => text))
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
export function plainWordsOf(text: string, language: Language): Words | undefined {
  const found = new Found(language)
  const table = language.forms
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
    const forms = table.at(text, start, at, hash)
    last = at
    // What stands before a filler stands before the next word.
    if (found.add(forms, start, at, before)) before = 'none'
  }
  return { words: found.words, unheard: 0, kept: -1 }
}

function isLetter(text: string, at: number): boolean {
  return at < text.length && KINDS[text.charCodeAt(at)] === LETTER
}

/** The words of any text. */
export function anyWordsOf(text: string, language: Language): Words {
  let unheard = 0
  const marked: { readonly start: number; readonly end: number; readonly heard: boolean }[] = []
  if (text.includes('[') || text.includes('<') || text.includes('(')) {
    for (const match of text.matchAll(MARKER)) {
      const heard = !NOT_HEARD.test(match[0])
      if (!heard) unheard += 1
      marked.push({ start: match.index, end: match.index + match[0].length, heard })
    }
  }
  const found = new Found(language)
  let last = 0
  let next = 0
  let pending: Break = 'none'
  WORD.lastIndex = 0
  for (let match = WORD.exec(text); match !== null; match = WORD.exec(text)) {
    const [written] = match
    const { index } = match
    let marker = marked[next]
    while (marker !== undefined && marker.end <= index) {
      if (!marker.heard) found.add(UNHEARD_FORMS, marker.start, marker.end, 'none')
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
    const forms = language.forms.at(text, index, end, hashOf(written))
    last = end
    pending = found.add(forms, index, end, before) ? 'none' : before
  }
  for (; next < marked.length; next += 1) {
    const marker = marked[next]!
    if (!marker.heard) found.add(UNHEARD_FORMS, marker.start, marker.end, 'none')
  }
  return { words: found.words, unheard, kept: -1 }
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
