import { PRIOR_FREEDOM, ownFactor, type Ratio } from '../own-spread.js'
import { type Estimate, type UsualSpread, usualSpread } from '../usual-spread.js'
import type { Comparison, Look, Outcome, PairLook } from './look.js'

/** Fewest earlier pairs that tell of a usual move. */
export const FEWEST_PAIRS = 2
/** An agent with nearly all calls of a pair is its mean: the difference from it tells nothing. */
const MOST_OF_PAIR = 0.95
/** Fewest effective calls of an agent, and the information on a share, for a difference to tell of the usual spread. */
const FEWEST_CALLS = 1
const FEWEST_INFORMATION = 2
/** Part of the cells that count as independent: neighbours share a period. */
const INDEPENDENT = 2 / 3

/**
 * Whether a cell tells of the usual spread.
 * @param calls of the agent in the later column of the pair
 */
const tells = ({ information, scale }: PairLook, weight: number, calls: number): boolean =>
  scale > 0 && weight >= FEWEST_CALLS && information * calls > FEWEST_INFORMATION

/** How far agents usually move by themselves, among all outcomes of a kind. */
export function spreadOf(comparison: Comparison, looked: readonly Look[], kind: Outcome['kind']): UsualSpread {
  const { agents, columns, earlier, present } = comparison
  const wanted = looked.filter(look => look.kind === kind)
  const room = wanted.reduce(
    (sum, look) => look.earlier.reduce((all, { cells }) => all + cells.size, sum + look.present.cells.size),
    0,
  )
  const observed = new Float64Array(room)
  const expected = new Float64Array(room)
  const cell = new Int32Array(room)
  let size = 0
  for (const { outcome, ...look } of wanted) {
    for (const [j, pair] of look.earlier.entries()) {
      const { cells, scale, sigma2 } = pair
      for (let i = 0; i < cells.size; i += 1) {
        const agent = cells.agent[i]!
        const weight = cells.weight[i]!
        if (!tells(pair, weight, outcome.calls[agent * columns + earlier[j]!.now]!)) continue
        observed[size] = cells.difference[i]! ** 2 / scale
        expected[size] = sigma2 / (weight * scale)
        cell[size] = j * agents + agent
        size += 1
      }
    }
    // What all agents did together now may be the change that is looked for: only how they differ in it tells.
    const { cells, scale, sigma2 } = look.present
    let total = 0
    let mean = 0
    for (let i = 0; i < cells.size; i += 1) {
      total += cells.weight[i]!
      mean += cells.weight[i]! * cells.difference[i]!
    }
    mean /= total
    for (let i = 0; i < cells.size; i += 1) {
      const agent = cells.agent[i]!
      const weight = cells.weight[i]!
      const part = weight / total
      if (part >= MOST_OF_PAIR || !tells(look.present, weight, outcome.calls[agent * columns + present.now]!)) continue
      observed[size] = (cells.difference[i]! - mean) ** 2 / ((1 - part) * scale)
      expected[size] = sigma2 / (weight * scale)
      cell[size] = earlier.length * agents + agent
      size += 1
    }
  }
  const used = {
    observed: observed.subarray(0, size),
    expected: expected.subarray(0, size),
    cell: cell.subarray(0, size),
  }
  return usualSpread({ ...used, cells: (earlier.length + 1) * agents })
}

/** What a ratio is made of, added up over cells of earlier pairs. */
export interface RatioSums {
  readonly sum: number
  readonly cells: number
  readonly information: number
}

/**
 * How far moves in earlier pairs are from chance and what is usual together.
 * @param usual variance, in units of the scale
 * @param only a cell of each pair, by its place: of all without it
 */
export function ratioSums({ kind, earlier }: Look, usual: number, only?: readonly (number | undefined)[]): RatioSums {
  let sum = 0
  let cells = 0
  let information = 0
  for (const [j, pair] of earlier.entries()) {
    if (!(pair.scale > 0)) continue
    const { size, weight, difference } = pair.cells
    const [from, until] = only === undefined ? [0, size] : [only[j] ?? 0, only[j] === undefined ? 0 : only[j] + 1]
    for (let i = from; i < until; i += 1) {
      const c = weight[i]!
      if (c < FEWEST_CALLS) continue
      sum += difference[i]! ** 2 / (pair.sigma2 / c + usual * pair.scale)
      information += kind === 'share' ? pair.information * c : 0
      cells += 1
    }
  }
  return { sum, cells, information }
}

/** How much of an outcome's moves in earlier pairs was usual. */
export function ratioOf({ kind }: Look, { sum, cells, information }: RatioSums): Ratio {
  if (cells <= 0) return { ratio: 1, freedom: 0 }
  const tells = kind === 'share' ? Math.min(1, information / cells / 3) : 1
  return { ratio: Math.max(0, sum / cells), freedom: INDEPENDENT * cells * tells }
}

/** The weighted mean of a pair's differences, and the precision that its weights sum to. */
export interface Weighed {
  readonly mean: number
  readonly total: number
}

/** Each difference weighs as much as it is known, by chance and by what is usual. */
export function weighed({ cells, sigma2, scale }: PairLook, usual: number): Weighed {
  const { size, weight, difference } = cells
  let total = 0
  let sum = 0
  for (let i = 0; i < size; i += 1) {
    const precision = 1 / (sigma2 / weight[i]! + usual * scale)
    total += precision
    sum += precision * difference[i]!
  }
  return { mean: sum / total, total }
}

/** An outcome with what is usual of it. */
export interface Group extends Look {
  readonly usual: Estimate
  /** Of each earlier pair. */
  readonly moves: readonly Weighed[]
  readonly factor: number
  readonly prior: number
  readonly freedom: number
}

/** How the whole team moves from period to period, beside what its agents do by themselves. */
export interface Team {
  readonly usual: Estimate
  readonly known: boolean
}

/** How far the means of earlier pairs are from none, beyond what their agents account for. */
export function teamOf({ earlier, hasHistory }: Comparison, groups: readonly Group[], kind: Outcome['kind']): Team {
  const observed: number[] = []
  const expected: number[] = []
  const cell: number[] = []
  for (const group of groups) {
    if (group.kind !== kind) continue
    for (const [j, pair] of group.earlier.entries()) {
      if (pair.cells.size === 0 || !(pair.scale > 0)) continue
      const { mean, total } = group.moves[j]!
      observed.push(mean ** 2 / pair.scale)
      expected.push(group.factor / total / pair.scale)
      cell.push(j)
    }
  }
  const usual = usualSpread({ observed, expected, cell, cells: earlier.length })
  return { usual, known: hasHistory && usual.cells >= FEWEST_PAIRS }
}

/** The factor of the team's moves of an outcome, by its own history; see ownFactor. */
export function teamFactor(group: Group, team: Team): number {
  let sum = 0
  let pairs = 0
  for (const [j, pair] of group.earlier.entries()) {
    if (pair.cells.size === 0 || !(pair.scale > 0)) continue
    const { mean, total } = group.moves[j]!
    sum += mean ** 2 / (group.factor / total + team.usual.spread * pair.scale)
    pairs += 1
  }
  if (pairs === 0) return group.factor
  return group.factor * ownFactor({ ratio: sum / pairs, freedom: INDEPENDENT * pairs }, PRIOR_FREEDOM)
}
