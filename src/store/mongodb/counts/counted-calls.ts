import { POSITIVE_CSAT } from '../../../calls/positive-csat.js'
import { REASON_UNNAMED } from '../../../calls/reasons.js'
import { POSITIVE_SCORE } from '../../../calls/positive-score.js'
import {
  type CountedAgent,
  type CountsAsked,
  countsShape,
  type CountedValue,
  type Document,
  isArray,
  isDocument,
  kindsCounted,
  type PackedCount,
  SECONDS_OF_ONE,
  type ScopedCounts,
  SUMS_OF_ONE,
  toLocal,
  type Value,
  double,
  Double,
  effectValue,
} from '../../../pipeline/index.js'
import type { Rest } from '../../counted-parts.js'
import type { Read } from '../mongodb-reader.js'

/** Which calls are counted, as plain data: threads make the counts of them. */
export interface Counted {
  readonly asked: CountsAsked
  readonly rests: readonly Rest[]
}

/** The fields of a call that any count is made of. */
const FIELDS = [
  'agent_id',
  'agent_name',
  'created_dt',
  'evaluation.evaluator',
  'evaluation.rubric_version',
  'score',
  'predicted_csat',
  'outcome_lift.lift',
  'outcome_lift.lift_band',
  'outcome_lift.p_behavioral',
  'duration_s',
  'interaction_driver',
  'interaction_direction',
  'language_primary',
  'present_signals',
  'signals.key',
  'signals.state',
  'guidance_keys',
  'dimensions',
  'scores.key',
  'scores.value',
  'trust.level',
  'conditions.key',
] as const

/** Leaves of a call what any count is made of. */
export const COUNTED_FIELDS = { $project: { _id: 0, ...Object.fromEntries(FIELDS.map(name => [name, 1])) } } as const

/** How far a call's evaluation can be relied on: calls are told apart by it in every count. */
const TRUST = 'trust.level'

/** Longest call that is summed, seconds: a sum of as many as a day may have stays within 64 bits. */
const LONGEST_S = 1e7

/** The calls of a question to counts that lie in these times, with what is counted of them. */
export function callsRead({ scope, asked }: ScopedCounts, rests: readonly Rest[]): Read {
  const match = {
    project_id: { $eq: scope.projectId },
    ...(scope.agents !== 'all' && { agent_name: { $in: [...scope.agents] } }),
    ...(asked.doubted !== undefined && asked.doubted.length > 0 && { [TRUST]: { $nin: [...asked.doubted] } }),
    ...within(rests),
  }
  return { collection: 'facts', stages: [{ $match: match }, COUNTED_FIELDS] }
}

function within(rests: readonly Rest[]): object {
  const ranges = rests.map(({ from, until }) => {
    const range = {
      ...(from !== undefined && { $gte: new Date(from) }),
      ...(until !== undefined && { $lt: new Date(until) }),
    }
    return Object.keys(range).length === 0 ? {} : { created_dt: range }
  })
  return ranges.length === 1 ? ranges[0]! : { $or: ranges }
}

/** How far the evaluation of a call can be relied on. */
export const trustOf = (call: Document): Value | undefined => field(call['trust'], 'level')

/** Where an agent stands on a list; undefined of one that does not. Without a list all stand at its beginning. */
export function placesOn(roster: readonly CountedAgent[] | undefined): (of: Found) => number | undefined {
  if (roster === undefined) return () => 0
  const keyOf = (id: Value | undefined, name: Value | undefined) => JSON.stringify([id ?? '', name])
  const places = new Map(roster.map(({ agent_id: id, agent_name: name }, place) => [keyOf(id, name), place]))
  return ({ agent_id: id, agent_name: name }) => places.get(keyOf(id, name))
}

/** The counts that calls are, each of one call. */
export function countsOf({ asked, rests }: Counted, calls: readonly Document[]): readonly Document[] {
  const names = [...countsShape(asked).keys()]
  const place = placesOn(asked.roster)
  return calls.flatMap(call => {
    const at = (call['created_dt'] as Date).getTime()
    const rest = rests.find(({ from = -Infinity, until = Infinity }) => at >= from && at < until)
    const agent = place(call)
    if (rest === undefined || agent === undefined) return []
    const { by, packed, timeZone } = asked
    if (by === 'agent') return [only(names, ofAgent(call, rest.span, timeZone))]
    const found = kindsCounted(by).flatMap(one =>
      one === 'agent' ? [{ by: one, ...addedOf(call) }] : ofValues(call, rest.span, one, packed),
    )
    return found.map(one => only(names, { ...one, agent, day: dayOf(call, timeZone) }))
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

const textIn = (value: Value | undefined): string => (typeof value === 'string' ? value : '')

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

/** The local day a call began on. */
function dayOf(call: Document, timeZone: string): Date {
  const local = toLocal(call['created_dt'] as Date, timeZone)
  return new Date(Date.UTC(local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate()))
}

function ofAgent(call: Document, span: number, timeZone: string): Found {
  const began = call['created_dt'] as Date
  return {
    span,
    day: dayOf(call, timeZone),
    agent_id: call['agent_id'],
    agent_name: call['agent_name'],
    first: began,
    last: began,
    ...addedOf(call),
  }
}

/** What a call adds to the counts of its agent. */
export function addedOf(call: Document): Readonly<Record<string, Value>> {
  const score = numberIn(call['score'])
  const csat = numberIn(call['predicted_csat'])
  const duration = numberIn(call['duration_s'])
  const bounded = duration === undefined ? undefined : Math.max(Math.min(duration, LONGEST_S), -LONGEST_S)
  return {
    calls: 1,
    evaluated: isEvaluated(call),
    ...measure('score', score),
    positive: score !== undefined && score >= POSITIVE_SCORE ? 1 : 0,
    ...measure('csat', csat),
    csat_positive: csat !== undefined && csat >= POSITIVE_CSAT ? 1 : 0,
    ...measure('lift', numberIn(field(call['outcome_lift'], 'lift'))),
    duration_n: bounded === undefined ? 0 : 1,
    duration_sum: bounded === undefined ? 0n : whole(bounded * SECONDS_OF_ONE),
  }
}

const isEvaluated = (call: Document): number => (call['evaluation'] === undefined ? 0 : 1)

const VALUES = {
  driver: 'interaction_driver',
  direction: 'interaction_direction',
  language: 'language_primary',
  signal: 'present_signals',
  guidance: 'guidance_keys',
} as const

export type Found = Readonly<Record<string, Value | undefined>>

const itemsOf = (value: Value | undefined): readonly Value[] => (isArray(value) ? value : [])

/** The values of a call that it is counted by. */
function valuesIn(call: Document, by: CountedValue): readonly Found[] {
  switch (by) {
    case 'lift_band':
      return keyed(field(call['outcome_lift'], 'lift_band'))
    case 'score':
      return call['score'] === undefined ? [] : [{ number: call['score'] }]
    case 'unnamed':
      return isUnnamed(call) ? [{ key: REASON_UNNAMED }] : []
    case 'dimension':
      return itemsOf(call['dimensions']).map(item => ({ key: field(item, 'key'), value: field(item, 'value') }))
    case 'rating':
      return itemsOf(call['scores']).map(item => ({
        key: field(item, 'key'),
        ...measure('score', numberIn(field(item, 'value'))),
      }))
    case 'effect':
      return effectsOf(call)
    case 'signal':
    case 'guidance':
      return itemsOf(call[VALUES[by]]).map(key => ({ key }))
    default:
      return keyed(call[VALUES[by]])
  }
}

/** What the lift of a call hangs on, where it was fitted here: its signals, and one of none. */
function effectsOf(call: Document): readonly Found[] {
  const evaluator = field(call['evaluation'], 'evaluator')
  if (field(call['outcome_lift'], 'lift') === undefined) return []
  if (evaluator !== 'rules' && evaluator !== 'model') return []
  const version = textIn(field(call['evaluation'], 'rubric_version'))
  const chance = numberIn(field(call['outcome_lift'], 'p_behavioral'))
  const moved = measure('score', chance === undefined ? undefined : chance * (1 - chance))
  const effect = (key: string, state: string): Found => ({
    key,
    value: effectValue({ state, evaluator, version }),
    ...moved,
  })
  const ofSignals = itemsOf(call['signals']).map(item =>
    effect(textIn(field(item, 'key')), textIn(field(item, 'state'))),
  )
  return [effect('', ''), ...ofSignals]
}

const isUnnamed = (call: Document): boolean =>
  call['interaction_driver'] === undefined &&
  itemsOf(call['conditions']).some(item => field(item, 'key') === REASON_UNNAMED)

const keyed = (key: Value | undefined): readonly Found[] => (key === undefined ? [] : [{ key }])

/** What a call adds to the counts of its values: of scores only where these are told (see `measuredValues`). */
export function valuesOf(call: Document, by: CountedValue): readonly Found[] {
  const counts = {
    calls: 1,
    evaluated: isEvaluated(call),
    ...measure('score', by === 'driver' ? numberIn(call['score']) : undefined),
  }
  return valuesIn(call, by).map(found => ({ ...counts, ...found }))
}

function ofValues(
  call: Document,
  span: number,
  by: CountedValue,
  packed: readonly PackedCount[] = [],
): readonly Found[] {
  const { agent_id, agent_name } = call
  return valuesOf(call, by).map(found => {
    const own: Found = { agent_id, agent_name, by, ...found }
    return packed.length === 0 ? own : { ...own, ...packedOf(own, span, packed) }
  })
}

/** The fields that hold counts of several spans. */
export function packedOf(own: Found, span: number, packed: readonly PackedCount[]): Readonly<Record<string, Value>> {
  return Object.fromEntries(
    packed.map(({ name, count, factors }): [string, Value] => [
      name,
      double(Number(own[count] ?? 0) * (factors[span] ?? 0)),
    ]),
  )
}
