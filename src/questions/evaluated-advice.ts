import { isObject } from '../base/is-object.js'
import type { RunPlan } from '../store/store.js'

/** What makes the type of a value of session_metadata known. */
const AS_NUMBERS = 'of numbers whose type is known: {"$toDouble": …} makes it so of one of session_metadata'
const ONE_KNOWN = 'where the type of one side is known: {"$toString": …} or {"$toDouble": …} makes it so'
const WRITTEN_OUT = 'by a unit and an amount that are written out'

/** What of a stage or an operator runs in the engine, where only some of it does. */
const INSIDE: ReadonlyMap<string, string> = new Map([
  ['$dateFromString', 'without timezone, by no format or one of %Y, %m, %b, %B, %d, %H, %M, %S, %L and %z'],
  ['$regexFind', 'with groups that take part in every match: not behind ? or *, nor beside |'],
  ['$regexFindAll', 'with groups that take part in every match: not behind ? or *, nor beside |'],
  ['$arrayToObject', 'of pairs that are written with their names, or of documents of k and v'],
  [
    '$densify',
    'by a field and partitions that are no paths, over dates, ints, or doubles that are halves, quarters and so on',
  ],
  ['$shift', 'of what no document lacks, such as {"$ifNull": ["$score", null]}'],
  ...['$multiply', '$pow', '$sum', '$avg', '$max', '$min', '$maxN', '$minN'].map(name => [name, AS_NUMBERS] as const),
  ...['$eq', '$ne', '$gt', '$gte', '$lt', '$lte', '$cmp'].map(name => [name, ONE_KNOWN] as const),
  ...['$dateAdd', '$dateSubtract'].map(name => [name, WRITTEN_OUT] as const),
  ...['$substr', '$substrBytes'].map(name => [name, 'never; $substrCP, which counts characters, does'] as const),
  ['$range', 'with bounds that are written out'],
  ['$integral', 'over a window of documents that holds the one at hand'],
])

/**
 * What is said of an answer for which calls left the engine: which form kept them out, and what of it would run inside.
 * @param pipeline as it was written
 */
export function evaluatedAdvice(pipeline: unknown, plan: RunPlan): readonly string[] {
  const { engine_stages: first, evaluated_stages: evaluated, kept_out: operator } = plan
  const stage: unknown = Array.isArray(pipeline) ? pipeline[first] : undefined
  const name = isObject(stage) ? Object.keys(stage)[0] : undefined
  if (evaluated === 0 || name === undefined) return []
  const what =
    evaluated === 1 ? 'this stage runs' : `this stage and the ${evaluated === 2 ? 'one' : evaluated - 1} after it run`
  const inside = INSIDE.get(operator ?? name)
  const form = operator === undefined ? '' : `; ${operator}, as it stands here, keeps it out`
  return [
    `pipeline[${first}].${name}: ${what} outside the engine, which is slower${form}${inside === undefined ? '' : `; inside runs ${operator ?? name} ${inside}`}`,
  ]
}
