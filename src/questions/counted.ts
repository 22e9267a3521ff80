import {
  type CountedByAny,
  type Document,
  SECONDS_OF_ONE,
  SUMS_OF_ONE,
  type TimeSpan,
  toPlain,
} from '../pipeline/index.js'
import { countedTogether } from './added-up.js'
import type { Asker, CountOptions } from './asker.js'
import type { TrustFilter } from './trusted.js'

/** Expressions over counts (see narrowCounts) that several questions build their pipelines from. */

/** A filter on when calls began and how far their evaluation can be relied on, as a window has it: for a $match too. */
export interface CallFilter extends TrustFilter {
  readonly created_dt?: { readonly $gte?: Date; readonly $lt?: Date }
}

const spanOf = ({ created_dt: began }: CallFilter): TimeSpan => ({
  ...(began?.$gte !== undefined && { from: began.$gte }),
  ...(began?.$lt !== undefined && { before: began.$lt }),
})

/** Calls of agents, in a time. */
export interface CallsOf {
  /** Absent = all that have begun. */
  readonly filter?: CallFilter
  /** Several times in place of the filter's, which have nothing in common. */
  readonly spans?: readonly TimeSpan[]
  /** What their agents must meet, as filters on agent_id and agent_name. */
  readonly agents?: readonly object[]
}

/** The filter on a time. */
export const timeFilter = ({ from, before }: TimeSpan): CallFilter =>
  from === undefined && before === undefined
    ? {}
    : { created_dt: { ...(from !== undefined && { $gte: from }), ...(before !== undefined && { $lt: before }) } }

/** The times that calls are in. */
export const spansOf = ({ filter = {}, spans }: CallsOf): readonly TimeSpan[] => spans ?? [spanOf(filter)]

/** The same for a pipeline over the calls themselves. */
export function conditionsOf({ filter = {}, spans, agents = [] }: CallsOf): readonly object[] {
  if (spans === undefined) return [filter, ...agents]
  const times = spans.map(timeFilter)
  return [filter, times.length === 1 ? times[0]! : { $or: times }, ...agents]
}

/** Runs a pipeline over the counts of some calls. */
export async function askCounts(
  asker: Asker,
  by: CountedByAny,
  filter: CallFilter,
  stages: readonly object[],
  options: CountOptions = {},
): Promise<readonly Document[]> {
  const doubted = filter['trust.level']?.$nin
  return await countedTogether(asker, by, stages, { spans: [spanOf(filter)], ...(doubted && { doubted }), ...options })
}

/** Runs a pipeline over the counts of agents. */
export async function askAgents(
  asker: Asker,
  { filter = {}, spans, agents = [] }: CallsOf,
  stages: readonly object[],
  options: CountOptions = {},
): Promise<readonly Document[]> {
  const narrowed = agents.length === 0 ? [] : [{ $match: { $and: agents } }]
  return await askCounts(asker, 'agent', filter, [...narrowed, ...stages], { ...(spans && { spans }), ...options })
}

/** A count of calls. */
export const total = (name: string) => ({ $sum: `$${name}` })

type Measure = 'score' | 'csat' | 'lift'
const DECIMAL: Readonly<Record<Measure | 'duration', number>> = {
  score: SUMS_OF_ONE,
  csat: SUMS_OF_ONE,
  lift: SUMS_OF_ONE,
  duration: SECONDS_OF_ONE,
}

/** What a group adds up for the mean of a measure. */
export const momentsOf = (measure: Measure | 'duration') => ({
  [`${measure}_n`]: total(`${measure}_n`),
  [`${measure}_sum`]: total(`${measure}_sum`),
})

/** The same for its deviation too. */
export const squaresOf = (measure: Measure) => ({
  ...momentsOf(measure),
  [`${measure}_squares`]: total(`${measure}_squares`),
})

/** A number of a document as a question adds it up: a long one is rounded once, where it leaves. */
const number = (document: Document, name: string) => Number(toPlain(document[name] ?? 0))

/** The mean of a measure; null without any. */
export function meanIn(document: Document, measure: Measure | 'duration'): number | null {
  const n = number(document, `${measure}_n`)
  return n > 0 ? number(document, `${measure}_sum`) / (n * DECIMAL[measure]) : null
}

/** The same to so many decimals, of the whole numbers themselves: half of the last one is rounded up, however its double lies. */
export function roundedMeanIn(document: Document, measure: Measure | 'duration', decimals: number): number | null {
  const n = number(document, `${measure}_n`)
  const unit = 10 ** decimals
  return n > 0 ? Math.round(number(document, `${measure}_sum`) / ((n * DECIMAL[measure]) / unit)) / unit : null
}

/** The standard deviation of a sample of a measure; null of fewer than two. */
export function deviationIn(document: Document, measure: Measure): number | null {
  const n = number(document, `${measure}_n`)
  if (n < 2) return null
  const one = DECIMAL[measure]
  const sum = number(document, `${measure}_sum`) / one
  return Math.sqrt(Math.max(0, number(document, `${measure}_squares`) / one - (sum * sum) / n) / (n - 1))
}
