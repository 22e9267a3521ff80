import { jsonKind } from '../compile/json-kind.js'
import type { CompileContext } from '../tree.js'
import { type Fragment, join, sql } from '../compile/sql.js'
import type { SqlExpression } from '../compile/types.js'
import { eitherType } from '../given-type.js'
import type { AccumulatorDoc } from './accumulator-doc.js'
import type { Accumulator } from './accumulator.js'
import { best } from './gatherings/best.js'
import { ofValues } from './of-values.js'

/** The least or greatest as SQL over the values of a group. */
export function extremeSql(
  name: '$min' | '$max',
  { sql: value, type, isInt }: SqlExpression,
  context: CompileContext,
): SqlExpression | undefined {
  const least = name === '$min'
  switch (type.kind) {
    case 'nothing':
      return { sql: sql`null`, type: { kind: 'nothing', absent: 'null' } }
    case 'string':
    case 'date':
    case 'bool':
    case 'int':
      return { sql: least ? sql`min(${value})` : sql`max(${value})`, type: { ...type, absent: 'null' } }
    case 'double': {
      if (type.mixed !== undefined && isInt === undefined) return undefined
      const found = least ? sql`min(${value})` : sql`max(${value})`
      // NaN is the least number here and the greatest in the engine.
      const withNaN = least
        ? sql`(case when bool_or(isnan(${value})) then 'nan'::double else ${found} end)`
        : sql`coalesce(max(${value}) filter (where not isnan(${value})), ${found})`
      return {
        sql: type.finite ? found : withNaN,
        type: { ...type, absent: 'null' },
        ...(isInt === undefined
          ? {}
          : { isInt: least ? sql`arg_min(${isInt}, ${value})` : sql`arg_max(${isInt}, ${value})` }),
      }
    }
    case 'open':
      return openExtreme(least, value, context)
    default:
      return undefined
  }
}

/**
 * JSON values by the order of their types: numbers, strings, booleans. Where there are documents or arrays, which the
 * engine does not order, the evaluator takes over.
 */
function openExtreme(least: boolean, value: Fragment, context: CompileContext): SqlExpression | undefined {
  if (!context.perRow) return undefined
  const keys = [
    context.exactUnless(jsonKind.isNested(value), jsonKind.ifNumber(value)),
    jsonKind.ifString(value),
    sql`case when ${jsonKind.isBool(value)} then ${value}::varchar end`,
  ]
  // The value itself, not its key: it keeps the way it is written.
  const found = keys.map(key => (least ? sql`arg_min(${value}, ${key})` : sql`arg_max(${value}, ${key})`))
  return {
    sql: sql`coalesce(${join(least ? found : found.toReversed(), ', ')})`,
    type: { kind: 'open', absent: 'null' },
  }
}

/** $min and $max: in the order of types, null and missing ignored, nothing gives null. */
export function extreme(name: '$min' | '$max', doc: AccumulatorDoc): Accumulator {
  return ofValues({
    name,
    doc,
    gives: (operand, typeOf) => eitherType([operand], typeOf),
    start: () => best(name === '$min' ? 'least' : 'greatest'),
    sql: (operand, context) => extremeSql(name, operand, context),
  })
}
