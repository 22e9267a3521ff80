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
