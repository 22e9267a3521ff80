import { POSITIVE_CSAT } from '../../calls/positive-csat.js'
import { POSITIVE_SCORE } from '../../calls/positive-score.js'
import {
  type CountsAsked,
  countsShape,
  type Document,
  isArray,
  isDocument,
  SECONDS_OF_ONE,
  type ScopedCounts,
  SUMS_OF_ONE,
  type TimeSpan,
  toLocal,
  type Value,
  double,
  Double,
} from '../../pipeline/index.js'
import type { Read } from './mongodb-reader.js'

/** Which calls are counted, as plain data: threads make the counts of them. */
export interface Counted {
  readonly asked: CountsAsked
  readonly before?: Date
}

/** The fields of a call that any count is made of. */
const FIELDS = [
  'agent_id',
  'agent_name',
  'created_dt',
  'evaluation.evaluator',
  'score',
  'predicted_csat',
  'outcome_lift.lift',
  'outcome_lift.lift_band',
  'duration_s',
  'interaction_driver',
  'interaction_direction',
  'language_primary',
  'present_signals',
  'guidance_keys',
  'dimensions',
  'scores.key',
  'scores.value',
  'trust.level',
] as const

/** Longest call that is summed, seconds: a sum of as many as a day may have stays within 64 bits. */
const LONGEST_S = 1e7

/** The calls of a question to counts, with what is counted of them. */
export function countsRead({ scope, asked, before }: ScopedCounts): Read {
  const within = asked.spans.map(span => rangeOf(endingBy(span, before)))
  const match = {
    project_id: { $eq: scope.projectId },
    ...(scope.agents !== 'all' && { agent_name: { $in: [...scope.agents] } }),
    ...(asked.doubted !== undefined && asked.doubted.length > 0 && { 'trust.level': { $nin: [...asked.doubted] } }),
    ...(within.length === 1 ? within[0] : { $or: within }),
  }
  const chosen = Object.fromEntries(FIELDS.map(name => [name, 1]))
  return { collection: 'facts', stages: [{ $match: match }, { $project: { _id: 0, ...chosen } }] }
}

function endingBy(span: TimeSpan, before: Date | undefined): TimeSpan {
  if (before === undefined || (span.before !== undefined && span.before <= before)) return span
  return { ...span, before }
}

function rangeOf({ from, before }: TimeSpan): object {
  const range = { ...(from && { $gte: from }), ...(before && { $lt: before }) }
  return Object.keys(range).length === 0 ? {} : { created_dt: range }
}

const isWithin = (at: Date, { from, before }: TimeSpan) =>
  (from === undefined || at >= from) && (before === undefined || at < before)

/** The counts that calls are, each of one call. */
export function countsOf({ asked, before }: Counted, calls: readonly Document[]): readonly Document[] {
  const spans = asked.spans.map(span => endingBy(span, before))
  const names = [...countsShape(asked).keys()]
  return calls.flatMap(call => {
    const began = call['created_dt'] as Date
    const span = spans.findIndex(one => isWithin(began, one))
    if (span === -1) return []
    return asked.by === 'agent'
      ? [only(names, ofAgent(call, began, span, asked.timeZone))]
      : ofValues(call, span, asked).map(one => only(names, one))
  })
}

const only = (names: readonly string[], values: Readonly<Record<string, Value | undefined>>): Document =>
  Object.fromEntries(
    names.flatMap((name): [string, Value][] => {
      const value = values[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )

const numberIn = (value: Value | undefined): number | undefined => {
  if (value instanceof Double) return value.value
  return typeof value === 'number' ? value : undefined
}

/** As the embedded engine makes a whole number of a double: a half goes to the even one. */
function whole(value: number): bigint {
  const floor = Math.floor(value)
  const above = value - floor
  if (above !== 0.5) return BigInt(Math.round(value))
  return BigInt(floor % 2 === 0 ? floor : floor + 1)
}

function measure(name: string, value: number | undefined): Record<string, Value> {
  return {
    [`${name}_n`]: value === undefined ? 0 : 1,
    [`${name}_sum`]: value === undefined ? 0n : whole(value * SUMS_OF_ONE),
    [`${name}_squares`]: value === undefined ? 0n : whole(value * value * SUMS_OF_ONE),
  }
}

function field(value: Value | undefined, name: string): Value | undefined {
  return isDocument(value) && Object.hasOwn(value, name) ? value[name] : undefined
}

function ofAgent(call: Document, began: Date, span: number, timeZone: string): Record<string, Value | undefined> {
  const local = toLocal(began, timeZone)
  const score = numberIn(call['score'])
  const csat = numberIn(call['predicted_csat'])
  const duration = numberIn(call['duration_s'])
  const bounded = duration === undefined ? undefined : Math.max(Math.min(duration, LONGEST_S), -LONGEST_S)
  return {
    span,
    day: new Date(Date.UTC(local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate())),
    agent_id: call['agent_id'],
    agent_name: call['agent_name'],
    first: began,
    last: began,
    ...added(call),
    positive: score !== undefined && score >= POSITIVE_SCORE ? 1 : 0,
    ...measure('csat', csat),
    csat_positive: csat !== undefined && csat >= POSITIVE_CSAT ? 1 : 0,
    ...measure('lift', numberIn(field(call['outcome_lift'], 'lift'))),
    duration_n: bounded === undefined ? 0 : 1,
    duration_sum: bounded === undefined ? 0n : whole(bounded * SECONDS_OF_ONE),
  }
}

const added = (call: Document): Record<string, Value> => ({
  calls: 1,
  evaluated: call['evaluation'] === undefined ? 0 : 1,
  ...measure('score', numberIn(call['score'])),
})

const VALUES = {
  driver: 'interaction_driver',
  direction: 'interaction_direction',
  language: 'language_primary',
  signal: 'present_signals',
  guidance: 'guidance_keys',
} as const

type Found = Readonly<Record<string, Value | undefined>>

const itemsOf = (value: Value | undefined): readonly Value[] => (isArray(value) ? value : [])

/** The values of a call that it is counted by. */
function valuesOf(call: Document, by: Exclude<CountsAsked['by'], 'agent'>): readonly Found[] {
  switch (by) {
    case 'lift_band':
      return keyed(field(call['outcome_lift'], 'lift_band'))
    case 'score':
      return call['score'] === undefined ? [] : [{ number: call['score'] }]
    case 'dimension':
      return itemsOf(call['dimensions']).map(item => ({ key: field(item, 'key'), value: field(item, 'value') }))
    case 'rating':
      return itemsOf(call['scores']).map(item => ({
        key: field(item, 'key'),
        ...measure('score', numberIn(field(item, 'value'))),
      }))
    case 'signal':
    case 'guidance':
      return itemsOf(call[VALUES[by]]).map(key => ({ key }))
    default:
      return keyed(call[VALUES[by]])
  }
}

const keyed = (key: Value | undefined): readonly Found[] => (key === undefined ? [] : [{ key }])

function ofValues(call: Document, span: number, { by, packed = [] }: CountsAsked): readonly Found[] {
  const counts = added(call)
  return valuesOf(call, by as Exclude<CountsAsked['by'], 'agent'>).map(found => {
    const own: Found = { agent_id: call['agent_id'], agent_name: call['agent_name'], ...counts, ...found }
    const sums = packed.map(({ name, count, factors }): [string, Value] => [
      name,
      double(Number(own[count] ?? 0) * (factors[span] ?? 0)),
    ])
    return { ...own, ...Object.fromEntries(sums) }
  })
}
