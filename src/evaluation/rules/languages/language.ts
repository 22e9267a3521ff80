import type { FormTable } from '../form-table.js'
import type { NumberWords } from './number-words.js'

/** What the rules have to know of a language beside the words a rubric looks for. */
export interface Language {
  /** ISO 639, as rubrics name it. */
  readonly code: string
  /** The words that a written word stands for: contractions written out, letters folded, fillers none. */
  readonly forms: FormTable
  /** Words that somebody who falters says twice. */
  readonly faltered: ReadonlySet<string>
  /** Whether an `'s` that was left open is a verb before a word. */
  readonly isVerbBefore: (word: string) => boolean
  /** Its commonest words, in the forms above, by which it is known; none where nobody has counted. */
  readonly common: ReadonlySet<string>
  readonly numbers: NumberWords
  /** How agents who greet name their company; absent where a name can't be told from other words by its capital letter. */
  readonly greeted?: {
    /** Words before the name. */
    readonly greeting: ReadonlySet<string>
    /** Words with which it is none: who speaks, what is asked. */
    readonly none: ReadonlySet<string>
    /** Words with which a department's name begins. */
    readonly department: ReadonlySet<string>
  }
}

/** Stands for an `'s` of which only the next word tells what it is. */
export const OPEN_S = "'s"

/** Words with the values they have: from one on, each more than the last by a step. */
export function valuesOf(words: string, first: number, step = 1): ReadonlyMap<string, number> {
  return new Map(words.split(' ').map((word, at) => [word, first + at * step] as const))
}

export const wordsIn = (words: string): ReadonlySet<string> => new Set(words.split(' '))

export const never = (): boolean => false
