import type { SpreadPool } from './mean-interval.js'

/** Sums over agents, each around its own mean. */
export interface DaySums {
  /** Squares of values, and their degrees of freedom. */
  readonly squares: number
  readonly freedom: number
  /** The squares again, each agent's times n / (n - 1). */
  readonly scaledSquares: number
  /** Squared sums of days, each agent's times days / (days - 1). */
  readonly days: number
  /** Products of sums of neighbouring days, each agent's times days / (days - 2). */
  readonly neighbours: number
}

const LARGEST = 6

/**
 * The pool of values, with the design effect of calls of one day and of neighbouring ones (Kish, 1965, with a kernel of
 * one day): 1 to 6.
 */
export function spreadPool({ squares, freedom, scaledSquares, days, neighbours }: DaySums): SpreadPool {
  const effect = scaledSquares > 0 ? (days + 2 * neighbours) / scaledSquares : 1
  return { squares, freedom, designEffect: Math.min(LARGEST, Math.max(1, effect)) }
}
