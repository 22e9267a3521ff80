import type { HeardTurn } from './heard-call.js'

/** A place in a call that speaks for a rule. */
export interface Spot {
  readonly turn: HeardTurn
  /** The words that do, as places among the turn's words; the whole turn where no words do. */
  readonly from: number | undefined
  readonly to: number | undefined
  /** What was measured there, such as "12.4 s without a word". */
  readonly measured: string | undefined
  /**
   * How many times the least with which the rule would hold this is. Without it a turn counts once, however often it is
   * found.
   */
  readonly amount: number | undefined
}

/** A place of one shape, whatever is known of it: for several the code that looks at places would be compiled again and again. */
export const spotAt = (turn: HeardTurn, from?: number, to?: number, amount?: number, measured?: string): Spot => ({
  turn,
  from,
  to,
  measured,
  amount,
})

/**
 * What a rule comes to. `unknown`: the turns that decide can't be understood, the times are missing, or the words are in
 * a language the rubric doesn't read.
 */
export interface Finding {
  readonly truth: 'yes' | 'no' | 'unknown'
  readonly spots: readonly Spot[]
}

export const NO: Finding = { truth: 'no', spots: [] }
export const UNKNOWN: Finding = { truth: 'unknown', spots: [] }

export const yes = (spots: readonly Spot[]): Finding => ({ truth: 'yes', spots })

/** Places found, or what it means that there are none. */
export const found = (spots: readonly Spot[], enough: number, otherwise: Finding): Finding =>
  spots.length >= enough ? yes(spots) : { truth: otherwise.truth, spots: [] }
