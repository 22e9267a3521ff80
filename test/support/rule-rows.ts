import type { Case } from './pipeline-cases.js'

/** Rows of a rule of the language; unless a row says otherwise, every stage of it must run in the engine. */
export interface Row {
  readonly evaluated?: true
}

const whole = ({ evaluated }: Row) => (evaluated === true ? {} : ({ wholeInEngine: true } as const))

/** Documents with one field `a` (missing where `undefined`), numbered by _id. */
const numbered = (values: readonly unknown[]) => values.map((a, _id) => (a === undefined ? { _id } : { _id, a }))

/** Rows under the rule they would break. */
export function under(rule: string, ...rows: readonly Case[]): readonly Case[] {
  return rows.map(row => ({ ...row, rule }))
}

/** The places of values of `a` (0, 1, 2 …) that come out of a stage, in their order. */
function placesAfter(
  stage: object,
  name: string,
  values: readonly unknown[],
  places: readonly number[],
  row: Row,
): Case {
  return {
    name,
    documents: numbered(values),
    pipeline: [stage, { $project: { _id: 1 } }],
    result: places.map(_id => ({ _id })),
    ...whole(row),
  }
}

/** Which of the values of `a` (0, 1, 2 …) a filter lets through. */
export function kept(
  name: string,
  filter: object,
  values: readonly unknown[],
  places: readonly number[],
  row: Row = {},
): Case {
  return placesAfter({ $match: filter }, name, values, places, row)
}

/** Which calls (0, 1, 2 …) a filter lets through: typed columns. */
export function keptCalls(
  name: string,
  filter: object,
  calls: readonly object[],
  places: readonly number[],
  row: Row = {},
): Case {
  return {
    name,
    calls,
    pipeline: [{ $match: filter }, { $project: { _id: 1 } }],
    result: places.map(place => ({ _id: `c${place}` })),
    ...whole(row),
  }
}

/** The order that values of `a` are sorted into, by their places. */
export function sorted(
  name: string,
  values: readonly unknown[],
  direction: 1 | -1,
  places: readonly number[],
  row: Row = {},
): Case {
  return placesAfter({ $sort: { a: direction, _id: 1 } }, name, values, places, row)
}

/** What an expression gives for values of `a`; `undefined` is missing. */
export function given(
  name: string,
  expression: unknown,
  values: readonly unknown[],
  results: readonly unknown[],
  row: Row = {},
): Case {
  return {
    name,
    documents: numbered(values),
    pipeline: [{ $project: { _id: 0, value: expression } }],
    result: results.map(value => (value === undefined ? {} : { value })),
    ...whole(row),
  }
}

/** An expression that fails for a value of `a`. */
export function fails(name: string, expression: unknown, value: unknown, error: string): Case {
  return { name, documents: numbered([value]), pipeline: [{ $project: { _id: 0, value: expression } }], error }
}

/** Pipelines that are refused, each with a part of the sentence. */
export function refused(...rows: readonly (readonly [pipeline: readonly object[], error: string])[]): readonly Case[] {
  return rows.map(([pipeline, error]) => ({ name: JSON.stringify(pipeline).slice(0, 100), pipeline, error }))
}
