/**
 * Phrases of a rubric that find nothing which the others of their list don't find as well: without them nothing is heard
 * otherwise. Tried on what a phrase can say, a thousand sentences made up of it.
 */
import type { Rubric } from '../../src/evaluation/rubric/rubric.js'
import { hearCall } from '../../src/evaluation/rules/heard-call.js'
import type { Language } from '../../src/evaluation/rules/languages/language.js'
import { languageNamed } from '../../src/evaluation/rules/languages/languages.js'
import { parsePhrase, type Phrase } from '../../src/evaluation/rules/phrase.js'
import type { Said } from '../../src/evaluation/rules/reading.js'
import { expand, patternOf, Vocabulary } from '../../src/evaluation/rules/vocabulary.js'

/** Sentences a phrase is tried on. */
const TRIED = 1_000
/** Of them how many first. */
const FIRST_TRIED = 8
/** What stands for any word: no phrase asks for these. */
const ANY = ['vlim', 'zorp', 'blenk', 'quiv']
const NUMBERS = ['three', '40', 'twenty']
const [COMPANY, AGENT] = ['Kestrovia', 'Ysolde']
/** The call in which they are said. */
const TRIAL = {
  session_id: 'tried',
  agent_name: AGENT,
  session_metadata: { company_name: COMPANY },
  created_dt: '2026-03-01T12:00:00.000Z',
} as const

/** A list as it is looked for, with its place in the file. */
interface Wording {
  /** `$name` of a list, or a line of the driver table with the field. */
  readonly place: string
  readonly phrases: readonly string[]
  /** What must not be said: it makes void what it overlaps. */
  readonly voids: boolean
}

/** By their place, the phrases without which everything is found as before, all of them left out together. */
export function redundantPhrases({
  lists,
  drivers,
  language,
  ...rules
}: Rubric): ReadonlyMap<string, readonly string[]> {
  const told = JSON.stringify([drivers, rules])
  const wordings: Wording[] = Object.entries(lists)
    // What is part of phrases is another matter: each word of it makes phrases of its own.
    .filter(([name]) => told.includes(`"$${name}"`) && !partOfPhrase(name, lists, told))
    .map(([name, phrases]) => ({ place: `$${name}`, phrases, voids: name.startsWith('not_') }))
  for (const { driver, any, not, hints } of drivers.table) {
    for (const [field, phrases] of Object.entries({ any, not, hints })) {
      if (phrases !== undefined) wordings.push({ place: `${driver} ${field}`, phrases, voids: field === 'not' })
    }
  }
  const found = wordings.map(wording => [wording.place, redundantIn(wording, lists, languageNamed(language))] as const)
  return new Map(found.filter(([, phrases]) => phrases.length > 0))
}

function partOfPhrase(name: string, lists: Rubric['lists'], told: string): boolean {
  const part = new RegExp(`[^"]\\$${name}\\b|\\$${name}\\b[^"]`)
  return part.test(told) || part.test(JSON.stringify(lists))
}

function redundantIn({ phrases, voids }: Wording, lists: Rubric['lists'], language: Language): readonly string[] {
  const vocabulary = new Vocabulary(lists, language)
  const sets = phrases.map(phrase => vocabulary.add([phrase], ['agent']))
  const left = new Set(sets.keys())
  const saysNothingOwn = (sentences: readonly string[], at: number): boolean => {
    const transcript = sentences.map((text, turn) => ({ turn, actor: 'agent' as const, text }))
    const said = vocabulary.read(hearCall({ ...TRIAL, transcript }, language))
    const others = new Map<number, Said[]>()
    for (const other of left) {
      if (other === at) continue
      for (const one of said[sets[other]!]!) others.set(one.index, [...(others.get(one.index) ?? []), one])
    }
    const own = said[sets[at]!]!
    return own.length > 0 && own.every(one => others.get(one.index)?.some(other => replaces(one, other, voids)))
  }
  const longestFirst = [...left].toSorted((a, b) => phrases[b]!.length - phrases[a]!.length)
  for (const at of longestFirst) {
    const texts = expand([phrases[at]!], lists)
    if (texts.some(text => patternOf(text) !== undefined)) continue
    const read = texts.map(text => parsePhrase(text, language))
    // Most phrases say something of their own in the first few.
    const isRedundant = [FIRST_TRIED, TRIED].every(count =>
      saysNothingOwn(
        read.flatMap(phrase => sentencesOf(phrase, count)),
        at,
      ),
    )
    if (isRedundant) left.delete(at)
  }
  return phrases.filter((_, at) => !left.has(at))
}

/**
 * Whether one find does for another whatever stands around it: one within it is made void by no more, and one around it makes
 * void no less.
 */
function replaces(one: Said, other: Said, voids: boolean): boolean {
  const [inner, outer] = voids ? [one, other] : [other, one]
  return inner.from >= outer.from && inner.to <= outer.to
}

/** What a phrase can say, alone and among other words. */
function sentencesOf(phrase: Phrase, count: number): readonly string[] {
  let state = 1
  const pick = (of: number): number => {
    state = (state * 48_271) % 2_147_483_647
    return state % of
  }
  const say = (pieces: Phrase): string =>
    pieces
      .map(piece => {
        switch (piece.kind) {
          case 'word':
            return piece.word
          case 'any':
            return ANY[pick(ANY.length)]!
          case 'number':
            return NUMBERS[pick(NUMBERS.length)]!
          case 'company':
            return COMPANY
          case 'agent':
            return AGENT
          case 'pause':
            return ','
          default:
            return say(piece.sequences[pick(piece.sequences.length)]!)
        }
      })
      .filter(text => text !== '')
      .join(' ')
  const sentences = Array.from({ length: count }, (_, at) => {
    const text = say(phrase).replaceAll(' ,', ',')
    return [text, `${ANY[0]} ${text}`, `${text} ${ANY[1]}`, `${ANY[2]} ${text} ${ANY[3]}`][at % 4]!
  })
  return [...new Set(sentences)]
}
