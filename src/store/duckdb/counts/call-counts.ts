import { POSITIVE_CSAT } from '../../../calls/positive-csat.js'
import { REASON_UNNAMED } from '../../../calls/reasons.js'
import { POSITIVE_SCORE } from '../../../calls/positive-score.js'
import { type CountedValue, SECONDS_OF_ONE, SUMS_OF_ONE } from '../../../pipeline/index.js'

/** What a call adds to the counts, in SQL over its row: the same for a day's counts and for a call counted by itself. */

const there = (value: string) => `(${value} is not null)::integer`
const scaled = (value: string) => `coalesce(try_cast(${value} * ${SUMS_OF_ONE}::double as bigint), 0)`
const measure = (name: string, value: string): readonly (readonly [string, string])[] => [
  [`${name}_n`, there(value)],
  [`${name}_sum`, scaled(value)],
  [`${name}_squares`, scaled(`${value} * ${value}`)],
]
const from = (value: string, least: number) => `coalesce(${value} >= ${least}::double, false)::integer`

/** Longest call that is summed, seconds: a sum of as many as a day may have stays within 64 bits. */
const LONGEST_S = 1e7

/** The engine's greatest and least pass over NULL. */
const BOUNDED_S = `case when duration_s is not null then greatest(least(duration_s, ${LONGEST_S}::double), -${LONGEST_S}::double) end`

/** How far a call's evaluation can be relied on: calls are told apart by it in every count. */
export const TRUST = 'trust.level'

/** Columns that are added up. */
export const addedColumns: ReadonlyMap<string, string> = new Map([
  ['calls', '1::integer'],
  ['evaluated', there('evaluation')],
  ...measure('score', 'score'),
  ['positive', from('score', POSITIVE_SCORE)],
  ...measure('csat', 'predicted_csat'),
  ['csat_positive', from('predicted_csat', POSITIVE_CSAT)],
  ...measure('lift', 'outcome_lift.lift'),
  ['duration_n', there('duration_s')],
  ['duration_sum', `coalesce(try_cast(${BOUNDED_S} * ${SECONDS_OF_ONE}::double as bigint), 0)`],
])

/** A value that calls are counted by. */
export interface ValueColumns {
  /** The columns of a call that it is read from, and what they are unnested from. */
  readonly key: string
  readonly value?: string
  readonly number?: string
  /** A list of the row: each of its elements, as `item`, counts. */
  readonly unnest?: string
  readonly where?: string
  /** Which of `madeColumns` it reads. */
  readonly made?: keyof typeof madeColumns
}

/** Sums that are told of what measures, with none of other values: the score of a call, or of one with a reason, a rating, or how an effect moves a call. */
export const scoreColumns: readonly string[] = ['score_n', 'score_sum', 'score_squares']

/** What a call with a value adds to such a sum. */
export function scoreAdded(by: string, name: string): string {
  if (by === 'driver' || by === 'agent') return addedColumns.get(name)!
  const measured = MEASURED[by]
  return measured === undefined ? '0::bigint' : new Map(measure('score', measured)).get(name)!
}

const MEASURED: Readonly<Record<string, string>> = {
  rating: 'item.value',
  effect: '(outcome_lift.p_behavioral * (1 - outcome_lift.p_behavioral))',
}

const field = (name: string): ValueColumns => ({ key: name, where: `${name} is not null` })

export const valueColumns: Readonly<Record<CountedValue, ValueColumns>> = {
  driver: field('interaction_driver'),
  direction: field('interaction_direction'),
  language: field('language_primary'),
  lift_band: field('outcome_lift.lift_band'),
  signal: { unnest: 'present_signals', key: 'item' },
  guidance: { unnest: 'guidance_keys', key: 'item' },
  dimension: { unnest: 'dimensions', key: 'item.key', value: 'item.value' },
  rating: { unnest: 'scores', key: 'item.key' },
  score: { key: 'null', number: 'score', where: 'score is not null' },
  unnamed: { key: `'${REASON_UNNAMED}'`, where: 'is_unnamed', made: 'is_unnamed' },
  effect: {
    unnest: 'effects',
    made: 'effects',
    key: 'item.key',
    value: `item.state || ' ' || evaluation.evaluator || ' ' || coalesce(evaluation.rubric_version, '')`,
  },
}

/** The columns of a call that any of these read. */
export const readColumns = `agent_id, agent_name, created_dt, evaluation, score, predicted_csat, outcome_lift, duration_s,
  interaction_driver, interaction_direction, language_primary, present_signals, guidance_keys, dimensions, scores, trust`

/** What of a call is worked out first for one kind of value, from columns that no other kind reads. */
export const madeColumns = {
  is_unnamed: `interaction_driver is null and list_contains([c.key for c in conditions], '${REASON_UNNAMED}') as is_unnamed`,
  // What the lift of a call hangs on, where it was fitted here: its signals, and an item of none.
  effects: `case when outcome_lift.lift is not null and evaluation.evaluator in ('rules', 'model')
    then list_prepend({ 'key': '', 'state': '' }, list_transform(coalesce(signals, []), lambda s: { 'key': s.key, 'state': s.state::varchar })) end as effects`,
} as const
