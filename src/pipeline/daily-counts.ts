import type { FieldType } from '../calls/field-type.js'
import type { Pipeline, TimeSpan } from './pipeline.js'
import type { Scope } from './scope.js'
import type { Fields } from './tree.js'

/**
 * Documents that count calls. Each stands for some calls of one local day, or of several where the pipeline does not read which, of one
 * agent where they tell agents apart: a store may have added many calls up beforehand or give each by itself. A pipeline that adds them up says the same either
 * way, to the last digit, since all that is added is a whole number.
 */
export const countedValues = [
  'driver',
  'direction',
  'language',
  'signal',
  'guidance',
  'dimension',
  'rating',
  'lift_band',
  'score',
  'unnamed',
  'effect',
] as const

/**
 * What calls are counted by: their agent, or a value they have. A score is counted by itself, exactly; unnamed are calls whose reason
 * has no name though the customer said one. An effect is what a lift that was fitted here hangs on: `key` is a signal of such a call, `value` its
 * state and the fit (see `effectValue`); each such call has one of neither signal nor state too.
 */
export type CountedBy = 'agent' | CountedValue
export type CountedValue = (typeof countedValues)[number]

/**
 * What calls are counted by; or several of these, where each document tells which of them it is of, in `by`: one of `agent` has no value, and
 * does not tell agents apart.
 */
export type CountedByAny = CountedBy | readonly CountedBy[]

/** All that calls are counted by, as a list. */
export const kindsCounted = (by: CountedByAny): readonly CountedBy[] => (typeof by === 'string' ? [by] : by)

/** The values among it. */
export const valuesCounted = (by: CountedByAny): readonly CountedValue[] =>
  kindsCounted(by).filter(one => one !== 'agent')

/** Scores, satisfaction, lift and seconds are summed in billionths and millionths: whole numbers add up in any order. */
export const SUMS_OF_ONE = 1e9
export const SECONDS_OF_ONE = 1e6

const int: FieldType = { kind: 'int' }
const long: FieldType = { kind: 'int', long: true }
const date: FieldType = { kind: 'date', bounded: true }
const double: FieldType = { kind: 'double', bounded: true }
const text: FieldType = { kind: 'string' }

/**
 * Calls of an agent on a local day, which is midnight there, written as if it were UTC; in which of the spans that were asked
 * about, from 0. How many, evaluated, and with each measure its number, sum and sum of squares.
 */
const ofAgents = {
  span: int,
  day: date,
  agent_id: text,
  agent_name: text,
  calls: int,
  first: date,
  last: date,
  evaluated: int,
  score_n: int,
  score_sum: long,
  score_squares: long,
  positive: int,
  csat_n: int,
  csat_sum: long,
  csat_squares: long,
  csat_positive: int,
  lift_n: int,
  lift_sum: long,
  lift_squares: long,
  duration_n: int,
  duration_sum: long,
} satisfies Record<string, FieldType>

/** Calls with a value on a local day: `key`; of dimensions with a `value`; of scores with a `number` in place of both. */
const ofValues = {
  day: date,
  key: text,
  value: text,
  number: double,
  calls: int,
} satisfies Record<string, FieldType>

/** What is told of an effect in `value`, parted by spaces: the state of the signal, who evaluated, and the version of the rubric. */
export const effectValue = ({ state, evaluator, version }: Record<'state' | 'evaluator' | 'version', string>): string =>
  `${state} ${evaluator} ${version}`

/** The score of calls with a reason, the rating itself, or how fast the chance of a call moves with its log odds: p (1 - p). */
const howScored = { score_n: int, score_sum: long, score_squares: long } satisfies Record<string, FieldType>

/** Whose values are told with a sum of what they measure; and each call, beside values. */
export const measuredValues: ReadonlySet<CountedBy> = new Set(['agent', 'driver', 'rating', 'effect'])

/** Values of each agent by itself, of all days together. */
const ofAgentsAndValues = { agent_id: text, agent_name: text, key: text, value: text } satisfies Record<
  string,
  FieldType
>

/** A field that holds one count of several spans: what each of the spans' counts is multiplied by, and added up. */
export interface PackedCount {
  readonly name: string
  readonly count: 'calls' | 'evaluated' | keyof typeof howScored
  /** By span; 0 where the field is not of it. What adds up has to stay exact as a double. */
  readonly factors: readonly number[]
}

/** An agent, told apart by id and name together. */
export interface CountedAgent {
  readonly agent_id: string
  readonly agent_name: string
}

/** What calls are counted by. */
export interface CountedAs {
  readonly by: CountedByAny
  /** Values are counted of each agent by itself, and told in these. */
  readonly packed?: readonly PackedCount[] | undefined
  /** With them: only these agents count, each told by its place here. An id that is missing is an empty one. */
  readonly roster?: readonly CountedAgent[] | undefined
}

/** The fields of the documents. */
export function countsShape({ by, packed, roster }: CountedAs): ReadonlyMap<string, FieldType> {
  if (by === 'agent') return new Map<string, FieldType>(Object.entries(ofAgents))
  const areSeveral = typeof by !== 'string'
  if (areSeveral && packed !== undefined) throw new Error('Values of several kinds are not packed')
  const areMeasured = kindsCounted(by).some(one => measuredValues.has(one))
  const fields =
    packed === undefined
      ? { ...(areSeveral && { by: text }), ...ofValues, ...(areMeasured && howScored) }
      : {
          ...ofAgentsAndValues,
          ...(roster && { agent: int }),
          ...Object.fromEntries(packed.map(({ name }) => [name, double])),
        }
  return new Map<string, FieldType>(Object.entries(fields))
}

export interface CountsAsked extends CountedAs {
  /** Calls that begin within one of these, which have nothing in common. */
  readonly spans: readonly TimeSpan[]
  /** The zone whose days are meant; an IANA name. */
  readonly timeZone: string
  /** Calls are left out whose evaluation can be relied on no further than this: levels of it. */
  readonly doubted?: readonly string[] | undefined
  /** Of a day nothing is asked but its month: documents may tell another day of it, and stand for calls of several. */
  readonly months?: boolean | undefined
}

/** Whether a pipeline tells days apart. @param read the fields that it reads */
export const tellsDays = (asked: CountsAsked, read: Fields): boolean =>
  asked.months !== true && countsShape(asked).has('day') && (read === 'all' || read.has('day'))

declare const narrowed: unique symbol

/** A question to the counts of a scope: only `narrowCounts` makes one, and a store counts for nothing else. */
export interface ScopedCounts {
  readonly [narrowed]: true
  readonly pipeline: Pipeline
  readonly scope: Scope
  readonly asked: CountsAsked
  /** Only calls that begin before it. */
  readonly before?: Date
}

/**
 * Narrows a pipeline over counts to the calls its asker may hear, and to those that began before its request unless a span
 * itself asks for later ones: as `narrowToPresent` does.
 * @param future calls that are dated ahead too
 */
export function narrowCounts(
  pipeline: Pipeline,
  scope: Scope,
  asked: CountsAsked,
  { future = false }: { readonly future?: boolean } = {},
): ScopedCounts {
  const named = asked.spans.flatMap(({ from, before }) => [from, before]).filter(one => one !== undefined)
  const isBeyond = future || named.some(at => at > pipeline.now)
  return Object.freeze({
    pipeline,
    scope,
    asked,
    ...(!isBeyond && { before: pipeline.now }),
  }) as unknown as ScopedCounts
}
