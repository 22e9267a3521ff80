import { benjaminiHochberg } from './benjamini-hochberg.js'
import { interpolated, WORTH_INTERPOLATING } from './interpolated.js'
import { ownFactor, PRIOR_FREEDOM, priorFreedom, type Ratio } from './own-spread.js'
import { studentP, studentQuantile } from './student.js'
import { type Estimate, type UsualSpread, usualSpread } from './usual-spread.js'

/** Something that is measured of calls. Counts, sums and sums of squares, agents x columns, row by row. */
export interface Outcome {
  readonly kind: 'share' | 'mean'
  /** Calls that have a value. */
  readonly calls: Float64Array
  readonly sums: Float64Array
  /** Of a share the same as the sums. */
  readonly squares: Float64Array
  /** It tells how things usually move, and nobody asked whether it changed. */
  readonly isUntested?: boolean
}

/** Two columns that are compared. */
export interface Pair {
  readonly now: number
  readonly before: number
}

/** What is compared with what. A column holds the calls of some time. */
export interface Comparison {
  readonly agents: number
  readonly columns: number
  readonly present: Pair
  /** Pairs of earlier periods, as far apart and as long; or, where there are none, of parts of the two periods. */
  readonly earlier: readonly Pair[]
  /** Whether `earlier` lies before the periods that are compared: what moves slowly shows there only. */
  readonly hasHistory: boolean
  /** Fewest occurrences, or values, in one period. */
  readonly least: number
}

/** Shares of which it is asked what change would have been found. */
export interface AskedShares {
  readonly shares: readonly number[]
  /** Calls they are shares of, agents x columns. */
  readonly calls: Float64Array
}

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

type Test = Omit<Tested, 'q' | 'teamQ' | 'detectable'> & { readonly freedom: number; readonly teamP: number }

/** Fewest earlier pairs that tell of a usual move. */
export const FEWEST_PAIRS = 2
/** Fewest values on both sides for the mean of one agent. */
export const FEWEST_VALUES = 5
/** An agent with nearly all calls of a pair is its mean: the difference from it tells nothing. */
const MOST_OF_PAIR = 0.95
/** Fewest effective calls of an agent, and the information on a share, for a difference to tell of the usual spread. */
const FEWEST_CALLS = 1
const FEWEST_INFORMATION = 2
/** Part of the cells that count as independent: neighbours share a period. */
const INDEPENDENT = 2 / 3
const POWER_T = 0.84

/** What a comparison found. */
export interface Compared {
  /** Undefined for what is not tested. */
  readonly outcomes: readonly (Tested | undefined)[]
  /** By agent, of the outcome `byAgent`. */
  readonly agents: readonly (Tested | undefined)[]
  readonly tests: number
  /** Of each share that was asked for, the difference that would have been found four times in five; undefined without tests. */
  readonly detectableShares: readonly (number | undefined)[]
}

/**
 * Tests whether anything changed within agents, beyond chance and beyond what usually happens, as one family: every
 * outcome, and the mean of each agent in one of them (docs/statistics.md).
 * @param byAgent number of the outcome that is looked at agent by agent too
 */
export function comparePeriods(
  comparison: Comparison,
  outcomes: readonly Outcome[],
  byAgent: number | undefined,
  asked?: AskedShares,
): Compared {
  const looked = outcomes.map(outcome => lookAt(comparison, outcome))
  const shares = spreadOf(comparison, looked, 'share')
  const means = spreadOf(comparison, looked, 'mean')
  const spreads = { share: shares, mean: means }
  const ratios = looked.map(one => ratioOf(one, ratioSums(one, spreads[one.kind].spread)))
  const priors = {
    share: priorFreedom(ratios.filter((_, i) => looked[i]!.kind === 'share')),
    mean: priorFreedom(ratios.filter((_, i) => looked[i]!.kind === 'mean')),
  }
  const groups = looked.map((one, i): Group => {
    const [usual, prior] = [spreads[one.kind], priors[one.kind]]
    const moves = one.earlier.map(pair => weighed(pair, usual.spread))
    return { ...one, usual, moves, factor: ownFactor(ratios[i]!, prior), prior, freedom: ratios[i]!.freedom }
  })
  const teams = { share: teamOf(comparison, groups, 'share'), mean: teamOf(comparison, groups, 'mean') }
  const tests = groups.map(group =>
    group.outcome.isUntested === true ? undefined : testOf(comparison, group, teams[group.kind]),
  )
  const ofAgent = byAgent === undefined ? undefined : groups[byAgent]
  const agentTests = ofAgent === undefined ? [] : agentTestsOf(comparison, teams.mean, ofAgent, means)
  const all = [...tests, ...agentTests]
  const done = all.filter(test => test !== undefined)
  const qs = benjaminiHochberg(done.map(test => test.p))
  const teamQs = benjaminiHochberg(done.map(test => test.teamP))
  let at = 0
  const corrected = all.map((test): Tested | undefined => {
    if (test === undefined) return undefined
    const { teamP: _, freedom, ...rest } = test
    const detectable = detectableBy(test.error, freedom, done.length)
    const found = { ...rest, q: qs[at]!, teamQ: teamQs[at]!, detectable }
    at += 1
    return found
  })
  return {
    outcomes: corrected.slice(0, tests.length),
    agents: corrected.slice(tests.length),
    tests: done.length,
    detectableShares:
      asked?.shares.map(share =>
        done.length === 0
          ? undefined
          : detectableShare(comparison, shares, { share, calls: asked.calls, tests: done.length }),
      ) ?? [],
  }
}

const detectableBy = (error: number, freedom: number, tests: number): number =>
  (studentQuantile(1 - 0.025 / tests, freedom) + POWER_T) * error

/** As judged for a share that moves as usual. */
function detectableShare(
  { agents, columns, present: { now, before } }: Comparison,
  usual: Estimate,
  { share, calls, tests }: { readonly share: number; readonly calls: Float64Array; readonly tests: number },
): number | undefined {
  const information = share * (1 - share)
  const scale = information ** 2
  let precision = 0
  let squares = 0
  for (let g = 0; g < agents; g += 1) {
    const n1 = calls[g * columns + now]!
    const n0 = calls[g * columns + before]!
    if (n1 === 0 || n0 === 0) continue
    const w = 1 / ((information * (n1 + n0)) / (n1 * n0) + usual.spread * scale)
    precision += w
    squares += w * w
  }
  if (precision === 0) return undefined
  const variance = 1 / precision
  const uncertain = (squares / precision ** 2) ** 2 * scale ** 2 * usual.variance
  return detectableBy(Math.sqrt(variance), uncertain > 0 ? (2 * variance ** 2) / uncertain : Infinity, tests)
}

/** The agents of a pair, those with calls on both sides: one entry each in every array. */
interface Cells {
  readonly size: number
  readonly agent: Int32Array
  /** Effective calls of the difference. */
  readonly weight: Float64Array
  readonly difference: Float64Array
}

/** An outcome in one pair. */
interface PairLook {
  readonly cells: Cells
  /** Variance within agents; what a usual spread is in units of. */
  readonly sigma2: number
  readonly scale: number
  /** p(1 - p) of a share; infinite of a mean, which needs no such information. */
  readonly information: number
}

interface Look {
  readonly kind: Outcome['kind']
  readonly outcome: Outcome
  readonly present: PairLook
  readonly earlier: readonly PairLook[]
  /** Degrees of freedom of sigma2. */
  readonly sigmaFreedom: number
}

interface Group extends Look {
  readonly usual: Estimate
  /** Of each earlier pair. */
  readonly moves: readonly Weighed[]
  readonly factor: number
  readonly prior: number
  readonly freedom: number
}

function lookAt(comparison: Comparison, outcome: Outcome): Look {
  const { squares, freedom } = squaresWithin(comparison, outcome)
  const pooled = freedom > 0 ? squares / freedom : 0
  const of = (pair: Pair) => pairLook(comparison, outcome, pair, pooled)
  return {
    kind: outcome.kind,
    outcome,
    present: of(comparison.present),
    earlier: comparison.earlier.map(of),
    sigmaFreedom: freedom,
  }
}

/** Squares of values around the mean of their agent and column. */
function squaresWithin({ agents, columns, present, earlier }: Comparison, outcome: Outcome) {
  const used = new Set([present, ...earlier].flatMap(({ now, before }) => [now, before]))
  let sum = 0
  let freedom = 0
  for (const column of used) {
    for (let g = 0; g < agents; g += 1) {
      const at = g * columns + column
      const n = outcome.calls[at]!
      if (n < 2) continue
      sum += Math.max(0, outcome.squares[at]! - outcome.sums[at]! ** 2 / n)
      freedom += n - 1
    }
  }
  return { squares: sum, freedom }
}

function pairLook({ agents, columns }: Comparison, outcome: Outcome, { now, before }: Pair, pooled: number): PairLook {
  const { calls, sums, squares } = outcome
  const agent = new Int32Array(agents)
  const weight = new Float64Array(agents)
  const difference = new Float64Array(agents)
  let size = 0
  let n = 0
  let sum = 0
  let within = 0
  let freedom = 0
  for (let g = 0; g < agents; g += 1) {
    const a = g * columns + now
    const b = g * columns + before
    const n1 = calls[a]!
    const n0 = calls[b]!
    n += n1 + n0
    sum += sums[a]! + sums[b]!
    if (n1 > 1) {
      within += squares[a]! - sums[a]! ** 2 / n1
      freedom += n1 - 1
    }
    if (n0 > 1) {
      within += squares[b]! - sums[b]! ** 2 / n0
      freedom += n0 - 1
    }
    if (n1 === 0 || n0 === 0) continue
    agent[size] = g
    weight[size] = (n1 * n0) / (n1 + n0)
    difference[size] = sums[a]! / n1 - sums[b]! / n0
    size += 1
  }
  const cells = { size, agent, weight, difference }
  if (outcome.kind === 'mean') return { cells, sigma2: pooled, scale: pooled, information: Infinity }
  const p = n > 0 ? sum / n : 0
  const information = p * (1 - p)
  const sigma2 = freedom > 0 && within > 0 ? within / freedom : information
  return { cells, sigma2, scale: information ** 2, information }
}

/**
 * Whether a cell tells of the usual spread.
 * @param calls of the agent in the later column of the pair
 */
const tells = ({ information, scale }: PairLook, weight: number, calls: number): boolean =>
  scale > 0 && weight >= FEWEST_CALLS && information * calls > FEWEST_INFORMATION

function spreadOf(comparison: Comparison, looked: readonly Look[], kind: Outcome['kind']): UsualSpread {
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
interface RatioSums {
  readonly sum: number
  readonly cells: number
  readonly information: number
}

/**
 * How far moves in earlier pairs are from chance and what is usual together.
 * @param usual variance, in units of the scale
 * @param only a cell of each pair, by its place: of all without it
 */
function ratioSums({ kind, earlier }: Look, usual: number, only?: readonly (number | undefined)[]): RatioSums {
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
function ratioOf({ kind }: Look, { sum, cells, information }: RatioSums): Ratio {
  if (cells <= 0) return { ratio: 1, freedom: 0 }
  const tells = kind === 'share' ? Math.min(1, information / cells / 3) : 1
  return { ratio: Math.max(0, sum / cells), freedom: INDEPENDENT * cells * tells }
}

/** The weighted mean of a pair's differences, and the precision that its weights sum to. */
interface Weighed {
  readonly mean: number
  readonly total: number
}

function weighed({ cells, sigma2, scale }: PairLook, usual: number): Weighed {
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

/** How the whole team moves from period to period, beside what its agents do by themselves. */
interface Team {
  readonly usual: Estimate
  readonly known: boolean
}

function teamOf({ earlier, hasHistory }: Comparison, groups: readonly Group[], kind: Outcome['kind']): Team {
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
function teamFactor(group: Group, team: Team): number {
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

function testOf(comparison: Comparison, group: Group, team: Team): Test | undefined {
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
function judged(group: Group, team: Team, { delta, sampling, squaredWeights, correction, sigmaPart }: Difference) {
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

/** The mean of each agent, beside how the others moved earlier: what is looked for in agents is no part of what is usual. */
function agentTestsOf(comparison: Comparison, team: Team, group: Group, means: UsualSpread): (Test | undefined)[] {
  const { agents, columns, least, present, earlier } = comparison
  const tests = Array.from<Test | undefined>({ length: agents })
  const without = means.withoutMember(earlier.length * agents, agents)
  const { cells } = group.present
  const usualOf = (agent: number): Estimate => {
    const others = agents > 1 ? without(agent) : means
    return others.cells > 0 ? others : means
  }
  const usuals = Array.from({ length: cells.size }, (_, i) => usualOf(cells.agent[i]!))
  const movedBy = movedByUsual(group, usuals)
  const placesOf = placesOfAgents(group, agents)
  for (let i = 0; i < cells.size; i += 1) {
    const agent = cells.agent[i]!
    const n1 = group.outcome.calls[agent * columns + present.now]!
    const n0 = group.outcome.calls[agent * columns + present.before]!
    if (Math.min(n1, n0) < FEWEST_VALUES || Math.max(n1, n0) < least || !(group.present.scale > 0)) continue
    const sampling = group.present.sigma2 / cells.weight[i]!
    const found = { delta: cells.difference[i]!, sampling, squaredWeights: 1, correction: 0, sigmaPart: sampling }
    const usual = usuals[i]!
    const { sums, moves } = movedBy(usual.spread)
    const ratio = ratioOf(group, agents > 1 ? less(sums, ratioSums(group, usual.spread, placesOf(agent))) : sums)
    const own = { ...group, usual, moves, factor: ownFactor(ratio, group.prior), freedom: ratio.freedom }
    tests[agent] = { ...judged(own, team, found), agents: 1, callsShare: 1, carrier: undefined }
  }
  return tests
}

const less = (all: RatioSums, some: RatioSums): RatioSums => ({
  sum: all.sum - some.sum,
  cells: all.cells - some.cells,
  information: all.information - some.information,
})

/** Where an agent stands in each earlier pair; undefined where it has no calls. */
function placesOfAgents({ earlier }: Look, agents: number): (agent: number) => readonly (number | undefined)[] {
  const places = earlier.map(({ cells }) => {
    const of = new Int32Array(agents).fill(-1)
    for (let i = 0; i < cells.size; i += 1) of[cells.agent[i]!] = i
    return of
  })
  return agent => places.map(of => (of[agent]! < 0 ? undefined : of[agent]))
}

/** How an outcome moved, whatever is usual. */
interface Moved {
  readonly sums: RatioSums
  readonly moves: readonly Weighed[]
}

/**
 * How an outcome moved earlier beside one of several usual spreads. All that hangs on the spread are sums over all agents that change smoothly
 * with it: of many agents, each with a usual spread of its own, they are interpolated.
 */
function movedByUsual(look: Look, usuals: readonly Estimate[]): (usual: number) => Moved {
  const exactly = (usual: number): Moved => ({
    sums: ratioSums(look, usual),
    moves: look.earlier.map(pair => weighed(pair, usual)),
  })
  const spreads = usuals.map(({ spread }) => spread)
  const [least, most] = spreads.reduce(([a, b], one) => [Math.min(a, one), Math.max(b, one)], [Infinity, 0])
  if (usuals.length < WORTH_INTERPOLATING || least === 0) return exactly
  const { cells, information } = ratioSums(look, most)
  // Without the one agent who moves, all others may be far steadier: by orders of magnitude they change smoothly still.
  const at = interpolated(Math.log(least), Math.log(most), logarithm => {
    const { sums, moves } = exactly(Math.exp(logarithm))
    return Float64Array.of(sums.sum, ...moves.flatMap(({ mean, total }) => [mean, total]))
  })
  return usual => {
    const [sum, ...moves] = at(Math.log(usual))
    return {
      sums: { sum: sum!, cells, information },
      moves: look.earlier.map((_, j) => ({ mean: moves[2 * j]!, total: moves[2 * j + 1]! })),
    }
  }
}
