import { uniformInt } from 'pure-rand/distribution/uniformInt'
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus'

/** Chance that a seed repeats. */
export interface Random {
  /** A whole number, both bounds included. */
  between(from: number, to: number): number
  pick<T>(from: readonly T[]): T | undefined
}

export function randomOf(seed: number): Random {
  const generator = xoroshiro128plus(seed)
  const between = (from: number, to: number) => uniformInt(generator, from, to)
  return { between, pick: from => (from.length === 0 ? undefined : from[between(0, from.length - 1)]) }
}
