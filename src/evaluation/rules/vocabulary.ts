import { RE2JS } from 're2js'
import { PhraseBook } from './phrase-book.js'
import { parsePhrase } from './phrase.js'
import type { HeardCall, HeardTurn } from './heard-call.js'
import type { Said } from './reading.js'

/** What a wording became: a set of the phrase book. */
export type WordingSet = number

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

/** Everything a rubric looks for in words, so that a call is read once for all of it. */
export class Vocabulary {
  readonly #book = new PhraseBook()
  readonly #sets = new Map<string, WordingSet>()
  readonly #patterns: { readonly set: WordingSet; readonly pattern: RE2JS }[] = []
  readonly #lists: Readonly<Record<string, readonly string[]>>

  /** @param lists the rubric's lists, which wordings name as $name */
  constructor(lists: Readonly<Record<string, readonly string[]>>) {
    this.#lists = lists
  }

  /** The set of a wording; equal wordings share one. */
  add(wording: readonly string[]): WordingSet {
    const name = JSON.stringify(wording)
    const known = this.#sets.get(name)
    if (known !== undefined) return known
    const entries = expand(wording, this.#lists)
    const phrases = entries.filter(entry => patternOf(entry) === undefined)
    const set = this.#book.add(phrases.map(phrase => parsePhrase(phrase)))
    for (const entry of entries) {
      const pattern = patternOf(entry)
      if (pattern !== undefined) this.#patterns.push({ set, pattern: compilePattern(pattern) })
    }
    this.#sets.set(name, set)
    return set
  }

  /** What is said in a call of each set, in the order of the turns. */
  read(heard: HeardCall): readonly (readonly Said[])[] {
    const said: Said[][] = Array.from({ length: this.#book.size }, () => [])
    for (const turn of heard.spoken) {
      const { index } = turn
      this.#book.read(turn.said, heard.names, (set, from, to) => said[set]!.push({ index, from, to }))
      for (const { set, pattern } of this.#patterns) {
        const span = firstMatch(pattern, turn)
        if (span !== undefined) said[set]!.push({ index, ...span })
      }
    }
    return said
  }
}

/** A wording with its lists in place of their names, alone or within a phrase; lists in lists included. */
export function expand(
  wording: readonly string[],
  lists: Readonly<Record<string, readonly string[]>>,
  within: readonly string[] = [],
): readonly string[] {
  return wording.flatMap(entry => {
    if (patternOf(entry) !== undefined) return [entry]
    const listed = (name: string): readonly string[] => {
      const list = Object.hasOwn(lists, name) ? lists[name] : undefined
      if (list === undefined) throw new RangeError(`names a list that is not there: $${name}`)
      if (within.includes(name)) throw new RangeError(`$${name} holds itself`)
      return expand(list, lists, [...within, name])
    }
    const whole = WHOLE.exec(entry)?.[1]
    if (whole !== undefined) return listed(whole)
    return [
      entry.replaceAll(NAMED, (_, name: string) => {
        const phrases = listed(name)
        if (phrases.some(phrase => patternOf(phrase) !== undefined)) {
          throw new RangeError(`$${name} holds a pattern, which can't be part of a phrase`)
        }
        return `(${phrases.join('|')})`
      }),
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
