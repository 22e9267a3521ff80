import { francAll } from 'franc-min'
import type { CallRecord } from '../../calls/call-record.js'
import type { HeardCall } from './heard-call.js'

/** In which language a call is, as far as a rubric's language goes. */
export interface LanguageFound {
  /** The rubric's words can be looked for. */
  readonly readable: boolean
  /** What speaks against relying on it, in a sentence. */
  readonly doubt?: string
}

// The commonest words of spoken English: about half of what is said on the telephone.
export const COMMON_ENGLISH: ReadonlySet<string> = new Set(
  'the a an i you to and of is it in that my me for on this have be are do can we what not with at so was but your if will how would just no yes okay am get got from or there them has had our us please thank thanks hello hi help need want'.split(
    ' ',
  ),
)
/** Share of such words from which on a text is English for sure, and below which it is doubtful. */
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
export function languageOf(call: CallRecord, heard: HeardCall, language: string): LanguageFound {
  const declared = primaryOf(call.language_primary)
  if (declared !== undefined && declared !== language) {
    return { readable: false, doubt: `The call is in another language (${declared}) than the rubric (${language})` }
  }
  const share = language === 'en' ? commonShare(heard) : undefined
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
  if (best === undefined || best === 'und' || own >= RULED_OUT) return { readable: true }
  if (declared !== undefined) {
    return { readable: false, doubt: `The record says ${declared}, but its words look like another language (${best})` }
  }
  return { readable: false, doubt: `The words look like another language (${best}) than the rubric's (${language})` }
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

function commonShare({ spoken, words }: HeardCall): number {
  let common = 0
  let seen = 0
  for (const { said } of spoken) {
    for (const { text } of said.words) if (COMMON_ENGLISH.has(text)) common += 1
    seen += said.words.length
    // Enough to be sure.
    if (seen > 400) break
  }
  return words === 0 ? 0 : common / Math.max(1, seen)
}

function sampleOf({ spoken }: HeardCall): string {
  let sample = ''
  for (const { said } of spoken) {
    for (const { text } of said.words) sample += `${text} `
    if (sample.length >= SAMPLE_CHARACTERS) break
  }
  return sample.slice(0, SAMPLE_CHARACTERS)
}
