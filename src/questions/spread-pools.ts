import { Temporal } from 'temporal-polyfill'
import { z } from 'zod'
import { type DaySums, spreadPool } from '../statistics/design-effect.js'
import type { SpreadPool } from '../statistics/mean-interval.js'
import { SUMS_OF_ONE } from '../pipeline/index.js'
import type { Asker } from './asker.js'
import { askAgents, type CallFilter, type CallsOf } from './counted.js'
import { readDocuments } from './read-document.js'
import type { Window } from './window.js'

/** What has an interval, and where counts have it: its number, its sum and its sum of squares, in what part of one. */
const VALUES = {
  score: { n: 'score_n', sum: 'score_sum', squares: 'score_squares', one: SUMS_OF_ONE },
  csat: { n: 'csat_n', sum: 'csat_sum', squares: 'csat_squares', one: SUMS_OF_ONE },
  lift: { n: 'lift_n', sum: 'lift_sum', squares: 'lift_squares', one: SUMS_OF_ONE },
  positive: { n: 'score_n', sum: 'positive', squares: 'positive', one: 1 },
  csat_positive: { n: 'csat_n', sum: 'csat_positive', squares: 'csat_positive', one: 1 },
} as const

type Value = keyof typeof VALUES

/** By value. */
export type SpreadPools = Readonly<Record<Value, SpreadPool>>

const NAMES = Object.keys(VALUES) as readonly Value[]

const each = (make: (name: Value) => Readonly<Record<string, unknown>>) =>
  Object.assign({}, ...NAMES.map(make)) as Readonly<Record<string, unknown>>

/** Days are counted from here, in the project's calendar, in which counts have them. */
const FIRST_DAY = new Date(0)

/** Sums over each agent's calls, and of squared sums of days and of every two neighbouring days. */
function sumsOf(): readonly object[] {
  const agent = { agent_id: '$_id.agent_id', agent_name: '$_id.agent_name' }
  const sum = (field: string) => ({ $sum: `$${field}` })
  const product = (a: string, b: string) => ({ $sum: { $multiply: [`$${a}`, `$${b}`] } })
  const totals = (name: Value) => ({
    [`${name}_n`]: sum(`${name}_n`),
    [`${name}_sum`]: sum(`${name}_sum`),
    [`${name}_squares`]: sum(`${name}_squares`),
  })
  const products = (name: Value, of: string) => ({
    [`${name}_${of}_nn`]: product(`${name}_n`, `${name}_n`),
    [`${name}_${of}_ns`]: product(`${name}_n`, `${name}_sum`),
    [`${name}_${of}_ss`]: product(`${name}_sum`, `${name}_sum`),
  })
  const parts = ['n', 'sum', 'squares'] as const
  return [
    {
      $group: {
        _id: {
          agent_id: '$agent_id',
          agent_name: '$agent_name',
          day: { $dateDiff: { startDate: FIRST_DAY, endDate: '$day', unit: 'day' } },
        },
        ...each(name => Object.fromEntries(parts.map(part => [`${name}_${part}`, sum(VALUES[name][part])]))),
      },
    },
    {
      $project: each(name => ({
        // The engine is exact about products of doubles; those of whole numbers may not fit into one.
        [`${name}_n`]: { $toDouble: `$${name}_n` },
        [`${name}_sum`]: { $divide: [{ $toDouble: `$${name}_sum` }, VALUES[name].one] },
        [`${name}_squares`]: { $divide: [{ $toDouble: `$${name}_squares` }, VALUES[name].one] },
      })),
    },
    {
      $group: {
        _id: { ...agent, pair: { $subtract: ['$_id.day', { $mod: ['$_id.day', 2] }] } },
        days: { $sum: 1 },
        ...each(name => ({ ...totals(name), ...products(name, 'days') })),
      },
    },
    {
      $group: {
        _id: agent,
        days: sum('days'),
        ...each(name => ({
          ...totals(name),
          ...Object.fromEntries(['nn', 'ns', 'ss'].map(of => [`${name}_days_${of}`, sum(`${name}_days_${of}`)])),
          ...products(name, 'pairs'),
        })),
      },
    },
    { $unset: '_id' },
  ]
}

const rowSchema = z.record(z.string(), z.number())
type Row = z.infer<typeof rowSchema>

/** Adds what one agent's values tell: sums around the agent's own mean. */
function add(sums: DaySums, row: Row, name: Value): DaySums {
  const of = (what: string) => row[`${name}_${what}`] ?? 0
  const n = of('n')
  const days = row['days'] ?? 0
  if (n < 2) return sums
  const mean = of('sum') / n
  const squaredSums = (by: string) => of(`${by}_ss`) - 2 * mean * of(`${by}_ns`) + mean ** 2 * of(`${by}_nn`)
  const squares = Math.max(0, of('squares') - n * mean ** 2)
  const ofDays = squaredSums('days')
  // (a + b)^2 of every second two neighbours holds each square once, and twice the product of half of the neighbours.
  const ofNeighbours = squaredSums('pairs') - ofDays
  return {
    squares: sums.squares + squares,
    freedom: sums.freedom + n - 1,
    scaledSquares: sums.scaledSquares + (squares * n) / (n - 1),
    days: sums.days + (days > 1 ? (ofDays * days) / (days - 1) : 0),
    neighbours: sums.neighbours + (days > 2 ? (ofNeighbours * days) / (days - 2) : 0),
  }
}

const NOTHING: DaySums = { squares: 0, freedom: 0, scaledSquares: 0, days: 0, neighbours: 0 }

/** Most agents whose calls are looked at: how values spread is the same question for all, and these answer it. */
const MOST_AGENTS = 60
/** Most names of a project that are read. */
const MOST_NAMES = 100_000
/** Whole months of the calendar whose calls are looked at: they tell it, cost the same however old a project is, and stay as they are. */
const MONTHS = 6
const DAY_MS = 86_400_000
/** How far apart the first and the last of their calls are at least. */
const FEWEST_MS = 28 * DAY_MS
/** How long before the last call of the time calls are looked at where they are not, in milliseconds. */
const HISTORY_MS = 183 * DAY_MS

const nameSchema = z.object({ _id: z.string(), first: z.date(), last: z.date() })
type Named = z.infer<typeof nameSchema>

async function agentsIn(asker: Asker, filter: CallFilter): Promise<readonly Named[]> {
  const times = { first: { $min: '$first' }, last: { $max: '$last' } }
  const stages = [{ $group: { _id: '$agent_name', ...times } }]
  return readDocuments(nameSchema, await askAgents(asker, { filter }, stages, { maxDocuments: MOST_NAMES }))
}

const earliest = (agents: readonly Named[]) =>
  agents.reduce((time, { first }) => Math.min(time, first.getTime()), Infinity)
const latest = (agents: readonly Named[]) => agents.reduce((time, { last }) => Math.max(time, last.getTime()), 0)

/** Calls of a time, of some of the agents in it: their names at equal steps through all, so that the same calls give the same. */
function callsFrom(filter: CallFilter, since: number, agents: readonly Named[]): CallsOf {
  const names = agents
    .filter(({ last }) => last.getTime() >= since)
    .map(({ _id }) => _id)
    .toSorted()
  const some = Array.from(
    { length: MOST_AGENTS },
    (_, i) => names[Math.floor(((i + 0.5) * names.length) / MOST_AGENTS)],
  )
  return {
    filter: { ...filter, created_dt: { ...filter.created_dt, $gte: new Date(since) } },
    ...(names.length > MOST_AGENTS && { agents: [{ agent_name: { $in: some } }] }),
  }
}

/** Calls of the whole months before an instant; undefined where they are of too few days. */
async function callsOfMonths(asker: Asker, trusted: CallFilter, end: number): Promise<CallsOf | undefined> {
  const local = (at: number) => Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(asker.project.timezone)
  const month = local(end).with({ day: 1 }).startOfDay()
  const bounds = {
    $gte: new Date(month.subtract({ months: MONTHS }).epochMilliseconds),
    $lt: new Date(month.epochMilliseconds),
  }
  const filter = { ...trusted, created_dt: bounds }
  const agents = await agentsIn(asker, filter)
  const first = earliest(agents)
  if (latest(agents) - first < FEWEST_MS) return undefined
  // From the first day with calls on all days are counted, which is what can be remembered of them.
  return callsFrom(filter, local(first).startOfDay().epochMilliseconds, agents)
}

/** Calls of the half year that ends with the last of a time. */
async function recentCalls(asker: Asker, filter: CallFilter): Promise<CallsOf> {
  const agents = await agentsIn(asker, filter)
  return callsFrom(filter, latest(agents) - HISTORY_MS, agents)
}

/**
 * How values spread around the means of their agents, in calls in scope of the last months before the end of a window: what the
 * intervals of means and shares of few calls lean on.
 */
export async function spreadPools(asker: Asker, { filter }: Pick<Window, 'filter'>): Promise<SpreadPools> {
  const { created_dt: { $lt: end } = {}, ...trusted } = filter
  const calls =
    (await callsOfMonths(asker, trusted, Math.min(end?.getTime() ?? asker.now, asker.now))) ??
    (await recentCalls(asker, { ...(end === undefined ? {} : { created_dt: { $lt: end } }), ...trusted }))
  const found = await askAgents(asker, calls, sumsOf(), { maxDocuments: MOST_NAMES })
  const rows = readDocuments(rowSchema, found)
  const of = (name: Value) => spreadPool(rows.reduce((sums, one) => add(sums, one, name), NOTHING))
  return {
    score: of('score'),
    csat: of('csat'),
    lift: of('lift'),
    positive: of('positive'),
    csat_positive: of('csat_positive'),
  }
}
