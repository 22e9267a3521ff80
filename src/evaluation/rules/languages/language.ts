import type { FormTable } from '../form-table.js'

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

/** A word of a text, with what stands before it where that is known. */
export interface NumberWord {
  readonly text: string
  readonly before?: 'none' | 'pause' | 'stop'
}

/** How numbers are said. */
export interface NumberWords {
  /** Below the tens, or written as one word with them: what follows them begins another number. */
  readonly units: ReadonlyMap<string, number>
  /** What a unit, and what a unit or tens may follow. */
  readonly tens: ReadonlyMap<string, number>
  readonly hundreds: ReadonlyMap<string, number>
  /** What multiplies what stands before it. */
  readonly scales: ReadonlyMap<string, number>
  readonly ordinals: ReadonlyMap<string, number>
  /** All words of numbers, but those that are mostly said of something else. */
  readonly words: ReadonlySet<string>
  /** A number in digits, with what is written behind it. */
  readonly digits: RegExp
  /** Said for a nought among digits. */
  readonly noughts: ReadonlySet<string>
  /** Joins an amount, or tens, with what comes after it. */
  readonly and: { readonly word: string; readonly afterTens: boolean }
  /** Stands for a one before the first scale: "a hundred". */
  readonly article: string | undefined
  /** Whether an ordinal says a number and not which one. @param first it would begin the number */
  readonly isOrdinal: (words: readonly NumberWord[], at: number, first: boolean) => boolean
  /** Whether a number begins with a word that is mostly none. */
  readonly begins: (words: readonly NumberWord[], at: number) => boolean
  /** Whether a word that is a number by itself stands for something else: "a new one". */
  readonly isLone: (words: readonly NumberWord[], at: number) => boolean
}

/** Stands for an `'s` of which only the next word tells what it is. */
export const OPEN_S = "'s"

/** Words with the values they have: from one on, each more than the last by a step. */
export function valuesOf(words: string, first: number, step = 1): ReadonlyMap<string, number> {
  return new Map(words.split(' ').map((word, at) => [word, first + at * step] as const))
}

export const wordsIn = (words: string): ReadonlySet<string> => new Set(words.split(' '))

export const never = (): boolean => false
