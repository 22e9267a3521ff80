import { francAll } from 'franc-min'
import type { CallRecord } from '../../calls/call-record.js'
import type { HeardCall } from './heard-call.js'
import type { Language } from './languages/language.js'
import { languageNamed } from './languages/languages.js'
import { wordsOf } from './words.js'

/** In which language a call is, as far as a rubric's language goes. */
export interface LanguageFound {
  /** The rubric's words can be looked for. */
  readonly readable: boolean
  /** What speaks against relying on it, in a sentence. */
  readonly doubt?: string
  /** The language it is taken for in place of the rubric's. */
  readonly other?: string
}

/** Share of a language's commonest words from which on a text is in it for sure, and below which it is doubtful. */
const SURE = 0.25
const DOUBTFUL = 0.08
/** Fewest words, and characters, by which a language can be told. */
const ENOUGH_WORDS = 12
const ENOUGH_CHARACTERS = 60
/** Characters that are looked at. */
const SAMPLE_CHARACTERS = 2_000
/** The rubric's language is ruled out when another one fits this much better (its distance, the best being 1). */
const RULED_OUT = 0.85

/** By what the record says; where it says nothing, or its words speak against it, by the words. */
export function languageOf(call: CallRecord, heard: HeardCall): LanguageFound {
  const { code: language } = heard.language
  const declared = primaryOf(call.language_primary)
  if (declared !== undefined && declared !== language) {
    const doubt = `The call is in another language (${declared}) than the rubric (${language})`
    return { readable: false, doubt, other: declared }
  }
  const share = shareOf(heard.language, heard)
  if (share !== undefined && share >= SURE) return { readable: true }
  if (declared !== undefined && (share === undefined || share >= DOUBTFUL)) return { readable: true }
  const sample = sampleOf(heard)
  if (heard.words < ENOUGH_WORDS && sample.length < ENOUGH_CHARACTERS) {
    if (declared !== undefined) return { readable: true }
    return { readable: true, doubt: 'The record does not say its language, and there are too few words to tell' }
  }
  const fits = francAll(sample)
  const best = primaryOf(fits[0]?.[0])
  const own = fits.find(([code]) => primaryOf(code) === language)?.[1] ?? 0
  if (best === undefined || best === 'und') return { readable: true }
  // Letters alone tell neighbours badly; where the words are known too, both say it.
  const isOther = declared === undefined && best !== language && (shareOf(languageNamed(best), heard) ?? 0) >= SURE
  if (own >= RULED_OUT && !isOther) return { readable: true }
  if (declared !== undefined) {
    return { readable: false, doubt: `The record says ${declared}, but its words look like another language (${best})` }
  }
  const doubt = `The words look like another language (${best}) than the rubric's (${language})`
  return { readable: false, doubt, other: best }
}

const primaries = new Map<string, string | undefined>()

/** The language of a tag, in its shortest form: "en" of "en-US" and of "eng". */
function primaryOf(tag: string | undefined): string | undefined {
  if (tag === undefined) return undefined
  if (primaries.has(tag)) return primaries.get(tag)
  let language: string | undefined
  try {
    language = new Intl.Locale(tag.trim().replaceAll('_', '-')).language
  } catch {
    language = undefined
  }
  if (primaries.size > 1_000) primaries.clear()
  const said = language === 'und' || language === 'mul' || language === 'zxx' ? undefined : language
  primaries.set(tag, said)
  return said
}

/** Share of the words that are among the commonest of a language; undefined where nobody has counted these. */
function shareOf(language: Language, { spoken, words, language: heardIn }: HeardCall): number | undefined {
  const { common } = language
  if (common.size === 0) return undefined
  let found = 0
  let seen = 0
  for (const { said, text } of spoken) {
    if (language === heardIn) {
      found += said.common
      seen += said.words.length
    } else {
      const { words } = wordsOf(text, language)
      for (const word of words) if (common.has(word.text)) found += 1
      seen += words.length
    }
    // Enough to be sure.
    if (seen > 400) break
  }
  return words === 0 ? 0 : found / Math.max(1, seen)
}

/** Words as they are written. */
function sampleOf({ spoken }: HeardCall): string {
  let sample = ''
  for (const { text, said } of spoken) {
    let last = -1
    for (const { start, end } of said.words) {
      if (start !== last) sample += `${text.slice(start, end)} `
      last = start
    }
    if (sample.length >= SAMPLE_CHARACTERS) break
  }
  return sample.slice(0, SAMPLE_CHARACTERS)
}
