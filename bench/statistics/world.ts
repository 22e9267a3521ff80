import type { Comparison, Outcome } from '../../src/statistics/periods/look.js'
import type { Chance } from './chance.js'

/** How the calls of a simulated project come about. Standard deviations are on the logit of shares, in points of scores. */
export interface WorldRules {
  /** Part of the variance of a call that lies between agents. */
  readonly icc: number
  /** A third of the agents leaves before the period, and a third joins. */
  readonly replaced?: boolean
  /** Each agent drifts from day to day, all outcomes together. */
  readonly agentDrift?: Drift
  /** The whole team drifts together. */
  readonly teamDrift?: Drift
  /** Every second outcome of each agent drifts by itself, with a standard deviation of 0 to this. */
  readonly ownDriftUpTo?: number
  /** Half the difference between the best and the worst weekday, the same for everyone. */
  readonly weekday?: number
  /** What everyone moved by, once, that many days before the end of the period. */
  readonly step?: { readonly by: number; readonly daysBefore: number }
}

export interface Drift {
  readonly sd: number
  /** An autoregressive process of days, or a random walk whose standard deviation is that of a day's step. */
  readonly kind: 'ar' | 'walk'
}

/** Something that really changed in the period. */
export interface Effect {
  readonly outcome: number
  /** Of the share, or points. */
  readonly times?: number
  readonly plus?: number
  /** Only this agent. */
  readonly agent?: number
}

export interface Size {
  /** In the period; in others as many a day. */
  readonly calls: number
  readonly agents: number
}

/** Days of the period, from its last day backwards; of what it is compared with; and how many earlier pairs. */
export interface Windows {
  readonly days: number
  readonly baselineDays: number
  readonly pairs: number
}

const SIGNALS = 100
const GUIDANCE = 8
const REASONS = 11
const OTHERS = 6
const SCORES = 6
export const SHARES = SIGNALS + GUIDANCE + REASONS + OTHERS
const SCORE_NOISE = 0.7
/** Variance of the standard logistic distribution. */
const LOGISTIC = Math.PI ** 2 / 3
const DAY_TO_DAY = 0.9

/** Columns of days [from, until) before the end, and the comparison of them. */
export interface Layout {
  readonly columns: readonly (readonly [from: number, until: number])[]
  readonly comparison: Omit<Comparison, 'agents'>
  /** Columns that others are made of, by number; those are not drawn by themselves. */
  readonly sums: ReadonlyMap<number, readonly number[]>
}

export function layoutOf({ days, baselineDays, pairs }: Windows): Layout {
  if (pairs < 2) return thirds(days, baselineDays)
  const columns: [number, number][] = []
  const numberOf = (from: number, until: number): number => {
    const found = columns.findIndex(([a, b]) => a === from && b === until)
    if (found >= 0) return found
    return columns.push([from, until]) - 1
  }
  const pairAt = (shift: number) => ({
    now: numberOf(shift, shift + days),
    before: numberOf(shift + days, shift + days + baselineDays),
  })
  const present = pairAt(0)
  const earlier = Array.from({ length: pairs }, (_, j) => pairAt((j + 1) * days))
  return {
    columns,
    comparison: { columns: columns.length, present, earlier, hasHistory: true, least: 5 },
    sums: new Map(),
  }
}

function thirds(days: number, baselineDays: number): Layout {
  const cut = (from: number, length: number, i: number): [number, number] => [
    from + Math.round((length * i) / 3),
    from + Math.round((length * (i + 1)) / 3),
  ]
  const columns = [0, 1, 2].flatMap(i => [cut(0, days, i)]).concat([0, 1, 2].map(i => cut(days, baselineDays, i)))
  const earlier = [0, 1, 3, 4].map(now => ({ now, before: now + 1 }))
  return {
    columns: [...columns, [0, days], [days, days + baselineDays]],
    comparison: { columns: 8, present: { now: 6, before: 7 }, earlier, hasHistory: false, least: 5 },
    sums: new Map([
      [6, [0, 1, 2]],
      [7, [3, 4, 5]],
    ]),
  }
}

/** Overlapping columns are drawn from days they have in common: pieces between all bounds. */
interface Pieces {
  readonly bounds: readonly (readonly [number, number])[]
  readonly of: readonly (readonly number[])[]
}

function piecesOf({ columns }: Layout): Pieces {
  const cuts = [...new Set(columns.flat())].toSorted((a, b) => a - b)
  const bounds = cuts.slice(0, -1).map((from, i): [number, number] => [from, cuts[i + 1]!])
  const of = columns.map(([from, until]) => bounds.flatMap(([a, b], i) => (a >= from && b <= until ? [i] : [])))
  return { bounds, of }
}

/** Lower triangle L of the covariance of the pieces' means: L z has that covariance. */
function rootOf(drift: Drift, bounds: Pieces['bounds']): Float64Array[] {
  const last = bounds.at(-1)![1]
  const covariance = (i: number, j: number) =>
    drift.kind === 'ar'
      ? drift.sd ** 2 * DAY_TO_DAY ** Math.abs(i - j)
      : // From the earliest day on; day 0 is the latest.
        drift.sd ** 2 * (last - Math.max(i, j))
  const size = bounds.length
  const matrix = Array.from({ length: size }, () => new Float64Array(size))
  for (let a = 0; a < size; a += 1) {
    for (let b = 0; b <= a; b += 1) {
      let sum = 0
      for (let i = bounds[a]![0]; i < bounds[a]![1]; i += 1) {
        for (let j = bounds[b]![0]; j < bounds[b]![1]; j += 1) sum += covariance(i, j)
      }
      matrix[a]![b] = sum / ((bounds[a]![1] - bounds[a]![0]) * (bounds[b]![1] - bounds[b]![0]))
    }
  }
  for (let a = 0; a < size; a += 1) {
    for (let b = 0; b <= a; b += 1) {
      let sum = matrix[a]![b]!
      for (let k = 0; k < b; k += 1) sum -= matrix[a]![k]! * matrix[b]![k]!
      matrix[a]![b] = a === b ? Math.sqrt(Math.max(sum, 1e-15)) : sum / matrix[b]![b]!
    }
  }
  return matrix
}

const UNIT: Drift = { sd: 1, kind: 'ar' }
const roots = new Map<string, Float64Array[]>()

function path(chance: Chance, drift: Drift, bounds: Pieces['bounds']): Float64Array {
  const key = JSON.stringify([drift, bounds])
  let root = roots.get(key)
  if (root === undefined) roots.set(key, (root = rootOf(drift, bounds)))
  const z = Float64Array.from(bounds, () => chance.normal())
  return Float64Array.from(bounds, (_, a) => {
    let sum = 0
    for (let k = 0; k <= a; k += 1) sum += root[a]![k]! * z[k]!
    return sum
  })
}

const logit = (p: number) => Math.log(p / (1 - p))
const expit = (x: number) => 1 / (1 + Math.exp(-x))

export interface World {
  readonly comparison: Comparison
  readonly outcomes: readonly Outcome[]
  /** The outcome whose mean is looked at agent by agent too. */
  readonly byAgent: number
}

/** Usual shares of the outcomes; the same project in every world of a seed. */
function shareOf(chance: Chance, outcome: number): number {
  if (outcome < SIGNALS) return Math.exp(chance.within(Math.log(0.02), Math.log(0.5)))
  if (outcome < SIGNALS + GUIDANCE) return chance.within(0.05, 0.3)
  if (outcome < SIGNALS + GUIDANCE + REASONS) return 1 / REASONS
  return chance.within(0.1, 0.6)
}

/** One project, drawn by chance. @param fixed usual shares of some outcomes */
export function drawWorld(
  rules: WorldRules,
  { calls, agents }: Size,
  windows: Windows,
  chance: Chance,
  effects: readonly Effect[] = [],
  fixed: ReadonlyMap<number, number> = new Map(),
): World {
  const layout = layoutOf(windows)
  const { bounds, of } = piecesOf(layout)
  const pieces = bounds.length
  // Of a third each: there before, there always, joined.
  const everyone = rules.replaced === true ? agents + Math.max(1, Math.round(agents / 3)) : agents
  const leaving = everyone - agents
  const works = (g: number, piece: number) => {
    const isNow = bounds[piece]![0] < windows.days
    return isNow ? g >= leaving : g < agents
  }
  const busy = Float64Array.from({ length: everyone }, () => chance.within(0.5, 1.5))
  const counts = new Float64Array(everyone * pieces)
  for (let piece = 0; piece < pieces; piece += 1) {
    const [from, until] = bounds[piece]!
    const there = Array.from({ length: everyone }, (_, g) => g).filter(g => works(g, piece))
    const total = there.reduce((sum, g) => sum + busy[g]!, 0)
    const expected = (calls * (until - from)) / windows.days
    for (const g of there) counts[g * pieces + piece] = poisson(chance, (expected * busy[g]!) / total)
  }
  const agentPaths = Array.from({ length: everyone }, () =>
    rules.agentDrift === undefined ? undefined : path(chance, rules.agentDrift, bounds),
  )
  const teamPath = rules.teamDrift === undefined ? undefined : path(chance, rules.teamDrift, bounds)
  const season = bounds.map(([from, until]) => seasonOf(rules.weekday ?? 0, from, until))
  const steps = bounds.map(([from]) => (rules.step !== undefined && from < rules.step.daysBefore ? rules.step.by : 0))
  const between = Math.sqrt(rules.icc / (1 - rules.icc))
  const outcomes: Outcome[] = []
  const shareCalls = columnsOf(counts, everyone, pieces, of)
  for (let k = 0; k < SHARES + SCORES; k += 1) {
    const isShare = k < SHARES
    const base = isShare ? logit(fixed.get(k) ?? shareOf(chance, k)) : 3.8
    const sign = !isShare || chance.unit() < 0.5 ? 1 : -1
    const ownSd = rules.ownDriftUpTo !== undefined && k % 2 === 0 ? chance.within(0, rules.ownDriftUpTo) : 0
    const sums = new Float64Array(everyone * pieces)
    const squares = isShare ? sums : new Float64Array(everyone * pieces)
    const deviation = between * (isShare ? Math.sqrt(LOGISTIC) : SCORE_NOISE)
    const changed = effects.filter(effect => effect.outcome === k)
    for (let g = 0; g < everyone; g += 1) {
      const level = base + deviation * chance.normal()
      const own = ownSd > 0 ? path(chance, UNIT, bounds) : undefined
      for (let piece = 0; piece < pieces; piece += 1) {
        const at = g * pieces + piece
        const n = counts[at]!
        if (n === 0) continue
        const moved = (agentPaths[g]?.[piece] ?? 0) + (teamPath?.[piece] ?? 0) + season[piece]! + steps[piece]!
        const x = level + sign * moved + ownSd * (own?.[piece] ?? 0)
        const effect = bounds[piece]![0] < windows.days ? changed.find(one => (one.agent ?? g) === g) : undefined
        if (isShare) {
          const p = Math.min(1, expit(x) * (effect?.times ?? 1) + (effect?.plus ?? 0))
          sums[at] = chance.binomial(n, p)
        } else {
          const mean = x + (effect?.plus ?? 0)
          const observed = mean + (SCORE_NOISE * chance.normal()) / Math.sqrt(n)
          sums[at] = n * observed
          squares[at] = n * observed ** 2 + SCORE_NOISE ** 2 * chiSquared(chance, n - 1)
        }
      }
    }
    const summed = columnsOf(sums, everyone, pieces, of)
    outcomes.push({
      kind: isShare ? 'share' : 'mean',
      calls: shareCalls,
      sums: summed,
      squares: isShare ? summed : columnsOf(squares, everyone, pieces, of),
    })
  }
  return { comparison: { ...layout.comparison, agents: everyone }, outcomes, byAgent: SHARES }
}

function columnsOf(values: Float64Array, agents: number, pieces: number, of: Pieces['of']): Float64Array {
  const columns = new Float64Array(agents * of.length)
  for (let g = 0; g < agents; g += 1) {
    for (const [column, parts] of of.entries()) {
      let sum = 0
      for (const piece of parts) sum += values[g * pieces + piece]!
      columns[g * of.length + column] = sum
    }
  }
  return columns
}

/** Mean over some days of a weekday's effect: a sine of the week, day 0 being a Sunday. */
function seasonOf(half: number, from: number, until: number): number {
  let sum = 0
  for (let day = from; day < until; day += 1) sum += half * Math.sin((2 * Math.PI * (day % 7)) / 7)
  return sum / (until - from)
}

function poisson(chance: Chance, mean: number): number {
  if (mean > 50) return Math.max(0, Math.round(mean + Math.sqrt(mean) * chance.normal()))
  let product = chance.unit()
  let k = 0
  for (const limit = Math.exp(-mean); product > limit; k += 1) product *= chance.unit()
  return k
}

/** By Wilson and Hilferty's cube root of a normal value for many degrees, as a sum of squares for few. */
function chiSquared(chance: Chance, freedom: number): number {
  if (freedom > 30) return freedom * (1 - 2 / (9 * freedom) + chance.normal() * Math.sqrt(2 / (9 * freedom))) ** 3
  let sum = 0
  for (let k = 0; k < freedom; k += 1) sum += chance.normal() ** 2
  return sum
}
