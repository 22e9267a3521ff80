import { studentP } from '../student.js'
import type { Comparison, Outcome } from './look.js'
import { type Group, type Team, teamFactor, weighed } from './usual-moves.js'

/** What one test found. Differences are of agents to themselves. */
export interface Tested {
  /** Difference within agents, weighted by what each tells. */
  readonly delta: number
  readonly p: number
  readonly q: number
  /** The same against the moves of the whole team, which decide on "high". */
  readonly teamQ: number
  /** Standard error of the difference, what agents usually move by included. */
  readonly error: number
  /** Half of the range that it moves in, nineteen times in twenty, when nothing special happens. */
  readonly usualMove: number
  /** Difference that would have been found four times in five. */
  readonly detectable: number
  readonly agents: number
  /** Part of the later period's calls that agents of both took. */
  readonly callsShare: number
  /** The agent without whom nothing would stand out, by number; undefined where it takes more than one. */
  readonly carrier: number | undefined
}

/** A test before it is corrected for the others. */
export type Test = Omit<Tested, 'q' | 'teamQ' | 'detectable'> & { readonly freedom: number; readonly teamP: number }

/** Fewest values on both sides for the mean of one agent. */
export const FEWEST_VALUES = 5

/** The test of an outcome; undefined where too little happened. */
export function testOf(comparison: Comparison, group: Group, team: Team): Test | undefined {
  const { present, outcome, kind, usual } = group
  const { columns, least } = comparison
  const { now, before } = comparison.present
  const { cells, sigma2, scale } = present
  const occur = kind === 'share' ? outcome.sums : outcome.calls
  let occurNow = 0
  let occurBefore = 0
  let n1 = 0
  for (let i = 0; i < cells.size; i += 1) {
    const at = cells.agent[i]! * columns
    n1 += outcome.calls[at + now]!
    occurNow += occur[at + now]!
    occurBefore += occur[at + before]!
  }
  const enough =
    kind === 'share'
      ? Math.max(occurNow, occurBefore) >= least
      : Math.min(occurNow, occurBefore) >= FEWEST_VALUES && Math.max(occurNow, occurBefore) >= least
  if (!enough || !(scale > 0)) return undefined
  const { mean, total } = weighed(present, usual.spread)
  const weights = new Float64Array(cells.size)
  let sampling = 0
  let squaredWeights = 0
  let effective = 0
  for (let i = 0; i < cells.size; i += 1) {
    const at = cells.agent[i]! * columns
    const weight = cells.weight[i]!
    weights[i] = 1 / (sigma2 / weight + usual.spread * scale) / total
    const w2 = weights[i]! ** 2
    sampling += (w2 * exchangeable(outcome, at + now, at + before)) / weight ** 2
    squaredWeights += w2
    effective += weight
  }
  const correction = kind === 'share' ? 0.5 / effective : 0
  return {
    ...judged(group, team, { delta: mean, sampling, squaredWeights, correction, sigmaPart: sampling }),
    agents: cells.size,
    callsShare: n1 / sumOf(outcome.calls, comparison, now),
    carrier: carrierOf(group, weights, mean),
  }
}

/** Without the carrier a difference is within so many standard errors of none. */
const CARRIED_T = 1.96

/** The agent who makes most of a difference, and without whom there is none; of two agents and more. */
function carrierOf(
  { present: { cells, sigma2, scale }, usual, factor }: Group,
  weights: Float64Array,
  mean: number,
): number | undefined {
  const { size, agent, weight, difference } = cells
  if (size < 2) return undefined
  let most = 0
  for (let i = 1; i < size; i += 1) {
    if (weights[i]! * difference[i]! * Math.sign(mean) > weights[most]! * difference[most]! * Math.sign(mean)) most = i
  }
  const own = weights[most]! * difference[most]!
  if (own / mean < 0.5 || weights[most]! >= 1) return undefined
  const rest = (mean - own) / (1 - weights[most]!)
  let precision = 0
  for (let i = 0; i < size; i += 1) if (i !== most) precision += 1 / (sigma2 / weight[i]! + usual.spread * scale)
  return Math.abs(rest) < CARRIED_T * Math.sqrt(factor / precision) ? agent[most] : undefined
}

/** The variance of weight x difference when calls are exchangeable within the agent (Cochran, 1954). */
function exchangeable({ calls, sums, squares }: Outcome, a: number, b: number): number {
  const [n1, n0] = [calls[a]!, calls[b]!]
  const n = n1 + n0
  if (n < 2) return 0
  const around = squares[a]! + squares[b]! - (sums[a]! + sums[b]!) ** 2 / n
  return ((n1 * n0) / (n * (n - 1))) * Math.max(0, around)
}

function sumOf(values: Float64Array, { agents, columns }: Comparison, column: number): number {
  let sum = 0
  for (let g = 0; g < agents; g += 1) sum += values[g * columns + column]!
  return sum
}

interface Difference {
  readonly delta: number
  /** Its variance by chance. */
  readonly sampling: number
  /** Sum of the squared weights of agents. */
  readonly squaredWeights: number
  readonly correction: number
  /** The part of `sampling` that was estimated with sigma's degrees of freedom. */
  readonly sigmaPart: number
}

/** The test of a difference, by agents and by the team, with Satterthwaite's (1946) degrees of freedom. */
export function judged(
  group: Group,
  team: Team,
  { delta, sampling, squaredWeights, correction, sigmaPart }: Difference,
) {
  const { usual, factor, prior, freedom, kind, sigmaFreedom } = group
  const { scale } = group.present
  const moved = usual.spread * scale * squaredWeights
  const variance = factor * (sampling + moved)
  const ofSigma = kind === 'mean' ? (2 * sigmaPart ** 2) / Math.max(1, sigmaFreedom) : 0
  // A factor of 1 is known where there is history; without it, how far an outcome moves by itself is known as far as others tell.
  const uncertain = (f: number, v: number) =>
    f ** 2 * ((squaredWeights * scale) ** 2 * usual.variance + ofSigma) +
    (2 * v ** 2 * (team.known ? ((f - 1) / f) ** 2 : 1)) / (prior + freedom)
  const beyond = Math.max(0, Math.abs(delta) - correction)
  const dof = (2 * variance ** 2) / uncertain(factor, variance)
  const teamF = teamFactor(group, team)
  const teamMove = team.usual.spread * scale
  const teamVariance = teamF * (sampling + moved + teamMove)
  const teamDof =
    (2 * teamVariance ** 2) / (uncertain(teamF, teamVariance) + teamF ** 2 * scale ** 2 * team.usual.variance)
  return {
    delta,
    p: studentP(beyond / Math.sqrt(variance), dof),
    teamP: team.known ? studentP(beyond / Math.sqrt(teamVariance), teamDof) : 1,
    error: Math.sqrt(variance),
    freedom: dof,
    usualMove: 1.96 * Math.sqrt(variance + teamMove),
  }
}
