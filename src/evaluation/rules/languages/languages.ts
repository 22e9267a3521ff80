import { FormTable } from '../form-table.js'
import { skeletonOf } from '../skeleton.js'
import { english } from './english.js'
import { german } from './german.js'
import { type Language, never } from './language.js'
import type { NumberWords } from './number-words.js'
import { spanish } from './spanish.js'
import { wordsOf } from '../words.js'

const KNOWN: ReadonlyMap<string, Language> = new Map([english, german, spanish].map(one => [one.code, one]))
const others = new Map<string, Language>()

/** The language that most of the commonest words of a text are of; English where none is. */
export function likeliestLanguage(text: string): Language {
  let likeliest = english
  let most = 0
  for (const language of KNOWN.values()) {
    const found = wordsOf(text, language).words.filter(word => language.common.has(word.text)).length
    if (found > most) [likeliest, most] = [language, found]
  }
  return likeliest
}

/** A language by its code. Of one that nobody told the rules about, words are what is written, and numbers are digits. */
export function languageNamed(code: string): Language {
  const found = KNOWN.get(code) ?? others.get(code) ?? other(code)
  if (!KNOWN.has(code)) others.set(code, found)
  return found
}

const NO_WORDS: NumberWords = {
  units: new Map(),
  tens: new Map(),
  hundreds: new Map(),
  scales: new Map(),
  ordinals: new Map(),
  words: new Set(),
  digits: /^\d+$/,
  noughts: new Set(),
  and: { word: '', afterTens: false },
  article: undefined,
  isOrdinal: never,
  begins: never,
  isLone: never,
}

function other(code: string): Language {
  return {
    code,
    forms: new FormTable(written => [skeletonOf(written).toLowerCase().replaceAll(/['’]/gu, '')], NO_WORDS),
    faltered: new Set(),
    isVerbBefore: never,
    common: new Set(),
    numbers: NO_WORDS,
  }
}
