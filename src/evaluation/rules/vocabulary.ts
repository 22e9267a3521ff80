import { RE2JS } from 're2js'
import type { EvaluationTime } from './evaluation-time.js'
import type { Language } from './languages/language.js'
import { PhraseBook } from './phrase-book.js'
import { parsePhrase, type Phrase } from './phrase.js'
import type { Actor, HeardCall, HeardTurn } from './heard-call.js'
import type { Said } from './reading.js'
import { wordsAsRead } from './words.js'

/** What a wording became: its number among all. */
export type WordingSet = number

/** Milliseconds that a pattern takes for each character and instruction at the least: a tenth of what most do (measured). */
const PATTERN_STEP_MS = 0.000_005

const WHOLE = /^\$([a-z][a-z0-9_]*)$/u
const NAMED = /\$([a-z][a-z0-9_]*)/gu
const PATTERN = /^\/(.*)\/$/su

/** Whether a wording's entry is a pattern, and which. */
export function patternOf(entry: string): string | undefined {
  return PATTERN.exec(entry)?.[1]
}

/** Compiles a pattern for RE2, which runs in linear time. @throws Error with re2js' sentence for a wrong one */
export function compilePattern(pattern: string): RE2JS {
  return RE2JS.compile(pattern, RE2JS.CASE_INSENSITIVE)
}

/** What is looked for in the turns of one speaker. */
interface Listening {
  readonly book: PhraseBook
  readonly patterns: { readonly set: WordingSet; readonly pattern: RE2JS; readonly instructions: number }[]
}

interface Wording {
  readonly set: WordingSet
  readonly phrases: readonly Phrase[]
  readonly patterns: readonly RE2JS[]
  readonly speakers: Set<Actor>
}

const listening = (): Listening => ({ book: new PhraseBook(), patterns: [] })

/**
 * Everything a rubric looks for in words, so that a call is read once for all of it. What only the agent may say is not
 * looked for in what customers say, and the other way round.
 */
export class Vocabulary {
  /** In which its phrases are. */
  readonly language: Language
  readonly #listening: Readonly<Record<Actor, Listening>>
  readonly #wordings = new Map<string, Wording>()
  /** What is said of each wording in a call that says nothing. */
  readonly #nothing: (readonly Said[])[] = []
  readonly #lists: Readonly<Record<string, readonly string[]>>

  /** @param lists the rubric's lists, which wordings name as $name */
  constructor(lists: Readonly<Record<string, readonly string[]>>, language: Language) {
    this.#lists = lists
    this.language = language
    this.#listening = { agent: listening(), customer: listening(), system: listening() }
  }

  /** The set of a wording, which some speakers may say; equal wordings share one. */
  add(wording: readonly string[], speakers: readonly Actor[]): WordingSet {
    const known = this.#known(wording)
    for (const speaker of speakers) {
      if (known.speakers.has(speaker)) continue
      known.speakers.add(speaker)
      const { book, patterns } = this.#listening[speaker]
      book.add(known.set, known.phrases)
      for (const pattern of known.patterns) {
        patterns.push({ set: known.set, pattern, instructions: pattern.programSize() })
      }
    }
    return known.set
  }

  #known(wording: readonly string[]): Wording {
    const name = JSON.stringify(wording)
    const known = this.#wordings.get(name)
    if (known !== undefined) return known
    const entries = expand(wording, this.#lists)
    const one: Wording = {
      set: this.#nothing.length,
      phrases: entries
        .filter(entry => patternOf(entry) === undefined)
        .map(phrase => parsePhrase(phrase, this.language)),
      patterns: entries.flatMap(entry => {
        const pattern = patternOf(entry)
        return pattern === undefined ? [] : [compilePattern(pattern)]
      }),
      speakers: new Set(),
    }
    this.#wordings.set(name, one)
    this.#nothing.push(NOTHING)
    return one
  }

  /** Words of a rule, with lists in place of their names, as they are read. */
  wordsOf(words: readonly string[]): readonly string[] {
    return wordsAsRead(expand(words, this.#lists), this.language)
  }

  /** Says that it is whole: what wordings were read into, a third of a rubric's memory, is let go of. */
  complete(): void {
    this.#wordings.clear()
  }

  /** What is said in a call of each set, by those who were asked about, in the order of the turns. */
  read(heard: HeardCall, time?: EvaluationTime): readonly (readonly Said[])[] {
    const said = this.#nothing.slice()
    const add = (set: WordingSet, one: Said): void => {
      const known = said[set]!
      if (known === NOTHING) said[set] = [one]
      else (known as Said[]).push(one)
    }
    for (const turn of heard.spoken) {
      const { index } = turn
      const { book, patterns } = this.#listening[turn.actor]
      time?.step()
      const hits = book.read(turn.said, heard.names, time)
      for (let at = 0; at < hits.length; at += 3) add(hits[at]!, { index, from: hits[at + 1]!, to: hits[at + 2]! })
      for (const { set, pattern, instructions } of patterns) {
        // One search can't be interrupted, so it is not begun when there is no time for it.
        time?.check(turn.text.length * instructions * PATTERN_STEP_MS)
        const span = firstMatch(pattern, turn)
        if (span !== undefined) add(set, { index, from: span.from, to: span.to })
      }
    }
    return said
  }
}

/** Of most sets nothing is said. */
const NOTHING: readonly Said[] = []

/** Characters that may still be written. */
export interface Room {
  left: number
}

/**
 * A wording with its lists in place of their names, alone or within a phrase; lists in lists included.
 * @param room what is written, lists that are part of others included, is taken off it
 * @throws RangeError for what can't be read, or when there is no room left
 */
export function expand(
  wording: readonly string[],
  lists: Readonly<Record<string, readonly string[]>>,
  within: readonly string[] = [],
  room: Room = { left: Infinity },
): readonly string[] {
  const write = (entry: string): string => {
    room.left -= entry.length
    if (room.left < 0) throw new RangeError('the lists it names, written out, are too long')
    return entry
  }
  return wording.flatMap(entry => {
    if (patternOf(entry) !== undefined) return [write(entry)]
    const listed = (name: string): readonly string[] => {
      const list = Object.hasOwn(lists, name) ? lists[name] : undefined
      if (list === undefined) throw new RangeError(`names a list that is not there: $${name}`)
      if (within.includes(name)) throw new RangeError(`$${name} holds itself`)
      return expand(list, lists, [...within, name], room)
    }
    const whole = WHOLE.exec(entry)?.[1]
    if (whole !== undefined) return listed(whole)
    return [
      write(
        entry.replaceAll(NAMED, (_, name: string) => {
          const phrases = listed(name)
          if (phrases.some(phrase => patternOf(phrase) !== undefined)) {
            throw new RangeError(`$${name} holds a pattern, which can't be part of a phrase`)
          }
          return `(${phrases.join('|')})`
        }),
      ),
    ]
  })
}

/** The words that a pattern's first match touches. */
function firstMatch(pattern: RE2JS, { text, said }: HeardTurn): { from: number; to: number } | undefined {
  const matcher = pattern.matcher(text)
  if (!matcher.find()) return undefined
  const start = matcher.start()
  const end = matcher.end()
  const from = said.words.findIndex(word => word.end > start)
  if (from === -1) return { from: said.words.length - 1, to: said.words.length }
  let to = from + 1
  while (to < said.words.length && said.words[to]!.start < end) to += 1
  return { from, to }
}
