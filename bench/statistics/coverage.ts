import jstat from 'jstat'
import { type DaySums, spreadPool } from '../../src/statistics/design-effect.js'
import { meanInterval } from '../../src/statistics/mean-interval.js'
import { Chance } from './chance.js'

/** How an agent's scores fall: which there are, and how likely each is. */
interface Scores {
  readonly values: readonly number[]
  readonly chances: readonly number[]
}

type Kind = (chance: Chance) => Scores

/** Scores of a normal distribution, rounded to steps and cut to 1–5; each agent has a mean and a spread of their own. */
const rounded =
  (step: number, base: number): Kind =>
  chance => {
    const mean = base + chance.within(-0.6, 0.6)
    const deviation = chance.within(0.5, 0.9)
    const values = Array.from({ length: Math.round(4 / step) + 1 }, (_, i) => 1 + i * step)
    const below = (x: number) => jstat.normal.cdf(x, mean, deviation)
    const chances = values.map((value, i) => {
      const from = i === 0 ? 0 : below(value - step / 2)
      const until = i === values.length - 1 ? 1 : below(value + step / 2)
      return until - from
    })
    return { values, chances }
  }

/** Most scores are the highest there is. */
const mostlyFives: Kind = chance => {
  const fives = chance.within(0.7, 0.9)
  return { values: [5, 4, 3, 2, 1], chances: [fives, ...[1, 2, 3, 4].map(() => (1 - fives) / 4)] }
}

export const KINDS: Readonly<Record<string, Kind>> = {
  tenths: rounded(0.1, 3.8),
  'whole numbers': rounded(1, 3.8),
  'half points, mean 4.1': rounded(0.5, 4.1),
  '80 % are 5': mostlyFives,
}

export interface Team {
  readonly agents: number
  /** Calls of each before those that the interval is of: they are in the pool. */
  readonly earlier: number
  /** Percent of the intervals that have to hold the true mean. */
  readonly least: number
  readonly most: number
}

export const TEAMS: Readonly<Record<string, Team>> = {
  '12 agents, 60 earlier calls each': { agents: 12, earlier: 60, least: 93, most: 98 },
  '12 agents, no earlier calls': { agents: 12, earlier: 0, least: 93, most: 98 },
  '3 agents, no earlier calls': { agents: 3, earlier: 0, least: 90, most: 100 },
}

/** Calls that an interval is of; the promise is for these. */
export const COUNTS = [2, 3, 5, 10, 30]

const CALLS_A_DAY = 5

export interface Coverage {
  /** Percent of the intervals that hold the true mean, and how many have no width. */
  readonly held: number
  readonly flat: number
}

/** How often the interval of an agent's mean holds the true one, in teams whose truth is known. */
export function coverage(
  kind: string,
  { agents, earlier }: Team,
  { calls, intervals, seed }: { readonly calls: number; readonly intervals: number; readonly seed: number },
): Coverage {
  const chance = new Chance(seed)
  let [held, flat, all] = [0, 0, 0]
  while (all < intervals) {
    const team = Array.from({ length: agents }, () => {
      const scores = KINDS[kind]!(chance)
      const drawn = Array.from({ length: earlier + calls }, () => draw(scores, chance))
      return { truth: scores.values.reduce((sum, value, i) => sum + value * scores.chances[i]!, 0), drawn }
    })
    const pool = spreadPool(team.map(({ drawn }) => sumsOf(drawn)).reduce(added))
    for (const { truth, drawn } of team) {
      const own = drawn.slice(earlier)
      const mean = meanOf(own)
      const squares = own.reduce((sum, value) => sum + (value - mean) ** 2, 0)
      const [low, high] = meanInterval({ count: calls, mean, deviation: Math.sqrt(squares / (calls - 1)) }, pool, {
        low: 1,
        high: 5,
        prior: 0.8,
      })!
      all += 1
      if (low <= truth && truth <= high) held += 1
      if (low === high) flat += 1
    }
  }
  return { held: (100 * held) / all, flat }
}

const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

function draw({ values, chances }: Scores, chance: Chance): number {
  let left = chance.unit()
  for (const [i, one] of chances.entries()) {
    left -= one
    if (left < 0) return values[i]!
  }
  return values.at(-1)!
}

/** What the service counts of an agent's days. */
function sumsOf(values: readonly number[]): DaySums {
  const n = values.length
  const mean = meanOf(values)
  const days: number[] = []
  for (const [i, value] of values.entries()) {
    const day = Math.floor(i / CALLS_A_DAY)
    days[day] = (days[day] ?? 0) + value - mean
  }
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  const ofDays = days.reduce((sum, day) => sum + day ** 2, 0)
  // As the service does it: every second two neighbours.
  let pairs = 0
  for (let day = 0; day + 1 < days.length; day += 2) pairs += 2 * days[day]! * days[day + 1]!
  return {
    squares,
    freedom: n - 1,
    scaledSquares: n > 1 ? (squares * n) / (n - 1) : 0,
    days: days.length > 1 ? (ofDays * days.length) / (days.length - 1) : 0,
    neighbours: days.length > 2 ? (pairs * days.length) / (days.length - 2) : 0,
  }
}

const added = (a: DaySums, b: DaySums): DaySums => ({
  squares: a.squares + b.squares,
  freedom: a.freedom + b.freedom,
  scaledSquares: a.scaledSquares + b.scaledSquares,
  days: a.days + b.days,
  neighbours: a.neighbours + b.neighbours,
})
