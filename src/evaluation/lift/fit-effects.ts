import { CholeskyDecomposition, Matrix } from 'ml-matrix'

/** What a state counts, by its number (0 does not apply): as in the score, an unclear signal is half a present one. */
export const COUNTS = [0, 0, 0.5, 1] as const

/** Rows of a regression in as little room as they need: a signal's state takes a byte. */
export interface EffectRows {
  readonly features: number
  readonly agents: number
  /** State of each signal in each row, row by row. */
  readonly states: Uint8Array
  /** Whose calls a row's are. */
  readonly agent: Int32Array
  /** Log odds of each row before it is looked at what was done. */
  readonly offsets: Float64Array
  /** How often each row was seen, and how often the outcome was positive then. */
  readonly trials: Float64Array
  readonly positives: Float64Array
}

/** What signals do to the log odds of a positive outcome. */
export interface SignalEffects {
  /** Of each signal, for calls of one agent. */
  readonly coefficients: Float64Array<ArrayBuffer>
  /** Their covariance, row by row. */
  readonly covariance: Float64Array<ArrayBuffer>
  /** Of what agents do to the log odds that no signal shows. */
  readonly agentVariance: number
  readonly agents: AgentIntercepts
}

export interface AgentIntercepts {
  /** What each agent does to the log odds, drawn towards none. */
  readonly values: Float64Array<ArrayBuffer>
  /** What their own calls tell of it: 1 / variance. */
  readonly information: Float64Array<ArrayBuffer>
  /** Log odds that all have in common. */
  readonly intercept: number
}

/**
 * Of the coefficients: as if each was known beforehand to lie within ±1 nineteen times in twenty. A few hundred calls
 * outweigh it; with fifty it keeps chance from being taken for skill.
 */
const PENALTY = 4
/** Before there are any agents, one is taken to differ from the others by a log odds of 0.5. */
const PRIOR_AGENTS = 1
const PRIOR_VARIANCE = 0.25
/** Newton's method doubles the digits each time; the variance of the agents takes some rounds more. */
const MOST_STEPS = 40
const CLOSE = 1e-6
const CLOSE_VARIANCE = 1e-3
/** Sums of a million rows are this exact, relatively. */
const NOISE = 1e-12

/** Rows whose products are added at once; `addProducts` is written for so many. */
const BLOCK_ROWS = 4

/** Where the search is. */
interface Point {
  /** Of the signals, and the intercept. */
  readonly common: Float64Array
  readonly agents: Float64Array
}

/**
 * Logistic regression of outcomes on signals, each compared with other calls of the same agent: log odds = offset + b0 +
 * sum(bj x (value of j - the agent's own mean of j)) + what the agent does that no signal shows.
 *
 * Signals count less the agent's own mean (the within-between model; Mundlak, 1978; Bell and Jones, 2015), so that an agent
 * who is better at everything doesn't lend it to the signals that happen to be theirs. What is left of the agent is a
 * random intercept, whose variance is estimated along the way (penalised quasi-likelihood; Breslow and Clayton, 1993;
 * the variance by expectation and maximisation). Coefficients and intercept have a ridge penalty, so there always is one
 * solution. It is found by Newton's method with step halving; agents are eliminated from each step, one by one, since a
 * call has one agent, so that thousands of them cost no more than a pass. The covariance is the inverse of the penalised
 * information, agents eliminated.
 *
 * @param near what was found of rows that are mostly the same: the search begins there
 *
 * The likelihood is ours because no library for Node fits one with penalty, offset and counted rows; the linear algebra is
 * a library's.
 */
export function fitEffects(rows: EffectRows, near?: SignalEffects): SignalEffects {
  const means = agentMeans(rows)
  const size = rows.features + 1
  let at: Point = {
    common: near ? Float64Array.from([...near.coefficients, near.agents.intercept]) : new Float64Array(size),
    agents: near?.agents.values ?? new Float64Array(rows.agents),
  }
  let variance = near?.agentVariance ?? PRIOR_VARIANCE
  let here = lookAt(rows, means, at, variance)
  for (let steps = 0; steps < MOST_STEPS; steps += 1) {
    const step = stepFrom(here)
    let share = 1
    let next = moved(at, step, share)
    let there = lookAt(rows, means, next, variance)
    while (there.loss > here.loss * (1 + NOISE) && share > CLOSE) {
      share /= 2
      next = moved(at, step, share)
      there = lookAt(rows, means, next, variance)
    }
    at = next
    const last = variance
    variance = varianceOf(at, there)
    here = variance === last ? there : withVariance(there, at, last, variance)
    if (step.common.every(one => Math.abs(one) < CLOSE) && Math.abs(variance / last - 1) < CLOSE_VARIANCE) break
  }
  const inverse = new CholeskyDecomposition(reduced(here)).solve(Matrix.eye(size)).to2DArray()
  return {
    coefficients: at.common.slice(0, -1),
    covariance: Float64Array.from(inverse.slice(0, -1).flatMap(line => line.slice(0, -1))),
    agentVariance: variance,
    agents: {
      values: Float64Array.from(at.agents),
      information: Float64Array.from(here.agentCurvature, value => value - 1 / variance),
      intercept: at.common[size - 1]!,
    },
  }
}

/** The penalised loss at a point, with its first derivatives and the parts of the second that are not 0. */
interface Look {
  readonly loss: number
  readonly size: number
  readonly slope: Float64Array
  /** size x size, lower half. */
  readonly curvature: Float64Array
  readonly agentSlope: Float64Array
  readonly agentCurvature: Float64Array
  /** Of agents with the common ones: agents x size. */
  readonly across: Float64Array
}

function lookAt(rows: EffectRows, means: Float64Array, { common, agents }: Point, variance: number): Look {
  const { features, states, agent, offsets, trials, positives } = rows
  const size = features + 1
  const slope = common.map(value => PENALTY * value)
  const curvature = new Float64Array(size * size)
  for (let a = 0; a < size; a += 1) curvature[a * size + a] = PENALTY
  const agentSlope = agents.map(value => value / variance)
  const agentCurvature = new Float64Array(agents.length).fill(1 / variance)
  const across = new Float64Array(agents.length * size)
  let loss = (PENALTY / 2) * squares(common) + squares(agents) / (2 * variance)
  // What counts in a row: a signal that does not apply counts nothing.
  const block = new Float64Array(BLOCK_ROWS * size)
  const weights = new Float64Array(BLOCK_ROWS)
  let held = 0
  for (let row = 0; row < trials.length; row += 1) {
    const n = trials[row]!
    if (n === 0) continue
    const who = agent[row]!
    const begin = held * size
    let logOdds = offsets[row]! + common[features]! + agents[who]!
    for (let j = 0; j < features; j += 1) {
      const state = states[row * features + j]!
      const count = state === 0 ? 0 : COUNTS[state]! - means[who * features + j]!
      block[begin + j] = count
      if (state !== 0) logOdds += common[j]! * count
    }
    block[begin + features] = 1
    const p = probability(logOdds)
    loss += n * softplus(logOdds) - positives[row]! * logOdds
    const residual = n * p - positives[row]!
    const weight = n * p * (1 - p)
    agentSlope[who]! += residual
    agentCurvature[who]! += weight
    weights[held] = weight
    for (let a = 0; a < size; a += 1) {
      const count = block[begin + a]!
      slope[a]! += residual * count
      across[who * size + a]! += weight * count
    }
    held += 1
    if (held < BLOCK_ROWS) continue
    addProducts(curvature, block, weights, size)
    held = 0
  }
  // What is left of the last block counts nothing where its rows were taken before.
  weights.fill(0, held)
  if (held > 0) addProducts(curvature, block, weights, size)
  return { loss, size, slope, curvature, agentSlope, agentCurvature, across }
}

/**
 * Adds the products of all pairs of columns, weighed, of the rows of a block. Each sum is fetched once for all of them, and they are added in
 * the order of the rows, so that it comes to the same, to the bit, as row by row.
 */
function addProducts(sums: Float64Array, block: Float64Array, weights: Float64Array, size: number): void {
  const [second, third, fourth] = [size, 2 * size, 3 * size]
  const [w0, w1, w2, w3] = [weights[0]!, weights[1]!, weights[2]!, weights[3]!]
  for (let a = 0; a < size; a += 1) {
    const a0 = w0 * block[a]!
    const a1 = w1 * block[second + a]!
    const a2 = w2 * block[third + a]!
    const a3 = w3 * block[fourth + a]!
    const base = a * size
    for (let b = 0; b <= a; b += 1) {
      sums[base + b] =
        sums[base + b]! + a0 * block[b]! + a1 * block[second + b]! + a2 * block[third + b]! + a3 * block[fourth + b]!
    }
  }
}

/** The same with another variance of the agents. */
function withVariance(look: Look, { agents }: Point, before: number, after: number): Look {
  const change = 1 / after - 1 / before
  return {
    ...look,
    loss: look.loss + (squares(agents) * change) / 2,
    agentSlope: look.agentSlope.map((value, who) => value + agents[who]! * change),
    agentCurvature: look.agentCurvature.map(value => value + change),
  }
}

/** The second derivatives of the common ones when agents follow them (the Schur complement). */
function reduced({ size, curvature, agentCurvature, across }: Look): Matrix {
  const square = new Matrix(size, size)
  for (let a = 0; a < size; a += 1) {
    for (let b = 0; b <= a; b += 1) {
      let value = curvature[a * size + b]!
      for (let who = 0; who < agentCurvature.length; who += 1) {
        value -= (across[who * size + a]! * across[who * size + b]!) / agentCurvature[who]!
      }
      square.set(a, b, value)
      square.set(b, a, value)
    }
  }
  return square
}

function stepFrom(look: Look): Point {
  const { size, slope, agentSlope, agentCurvature, across } = look
  const right = Array.from(slope, (value, a) =>
    agentSlope.reduce((rest, pull, who) => rest - (across[who * size + a]! * pull) / agentCurvature[who]!, value),
  )
  const common = Float64Array.from(
    new CholeskyDecomposition(reduced(look)).solve(Matrix.columnVector(right)).to1DArray(),
  )
  const agents = agentSlope.map((pull, who) => {
    const follow = common.reduce((sum, one, a) => sum + across[who * size + a]! * one, 0)
    return (pull - follow) / agentCurvature[who]!
  })
  return { common, agents }
}

function moved(from: Point, step: Point, share: number): Point {
  return {
    common: from.common.map((value, j) => value - share * step.common[j]!),
    agents: from.agents.map((value, who) => value - share * step.agents[who]!),
  }
}

/** How much agents differ: what was found of each, and what is not known of each. */
function varianceOf({ agents }: Point, { agentCurvature }: Look): number {
  const unknown = agentCurvature.reduce((sum, value) => sum + 1 / value, 0)
  return (squares(agents) + unknown + PRIOR_AGENTS * PRIOR_VARIANCE) / (agents.length + PRIOR_AGENTS)
}

/** Mean of each signal over the calls of each agent to which it applies: agents x signals. */
function agentMeans({ features, agents, agent, states, trials }: EffectRows): Float64Array {
  const calls = new Float64Array(agents * features)
  const sums = new Float64Array(agents * features)
  trials.forEach((n, row) => {
    for (let j = 0; j < features; j += 1) {
      const state = states[row * features + j]!
      if (state === 0) continue
      const place = agent[row]! * features + j
      calls[place]! += n
      sums[place]! += n * COUNTS[state]!
    }
  })
  return sums.map((sum, place) => sum / Math.max(1, calls[place]!))
}

const squares = (values: Float64Array): number => values.reduce((sum, value) => sum + value * value, 0)

/** Probability from log odds. */
export const probability = (logOdds: number): number => 1 / (1 + Math.exp(-logOdds))

/** log(1 + e^x) without overflow. */
function softplus(x: number): number {
  return Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x)))
}
