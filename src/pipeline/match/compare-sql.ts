import { type Fragment, bind, sql } from '../compile/sql.js'
import type { SqlType } from '../compile/types.js'
import { type Value, Double, isArray, isDocument, isNumeric, toNumber } from '../value.js'

export type Comparison = '=' | '<' | '<=' | '>' | '>='

const FALSE = sql`false`

/** A value as a bound parameter of a SQL type that compares exactly with a column of `type`; `undefined` = none does. */
export function bindFor(value: Value, type: SqlType): Fragment | 'never' | undefined {
  switch (type.kind) {
    case 'string':
      return typeof value === 'string' ? sql`${bind(value, 'VARCHAR')}` : 'never'
    case 'bool':
      return typeof value === 'boolean' ? sql`${bind(value, 'BOOLEAN')}` : 'never'
    case 'date':
      return value instanceof Date ? sql`${bind(value, 'TIMESTAMP')}` : 'never'
    case 'double':
    case 'int': {
      if (!isNumeric(value)) return 'never'
      if (typeof value === 'bigint') return type.kind === 'int' ? sql`${bind(value, 'BIGINT')}` : undefined
      const number = value instanceof Double ? value.value : value
      if (Number.isNaN(number)) return undefined
      if (type.kind === 'int' && Number.isSafeInteger(number)) return sql`${bind(BigInt(number), 'BIGINT')}`
      // A fraction against integers compares as doubles: exact below 2^53, which 53 bits of an int are.
      return type.kind === 'double' || type.bits <= 53 ? sql`${bind(number, 'DOUBLE')}` : undefined
    }
    case 'nothing':
      return 'never'
    case 'list':
      return isArray(value) ? undefined : 'never'
    case 'struct':
      return isDocument(value) ? undefined : 'never'
    case 'open':
      return undefined
  }
}

/**
 * A comparison with a JSON value of any shape: by its kind first, then by its value (pipeline-semantics.md, 9). Numbers
 * in JSON are doubles, here as in the evaluator.
 */
function compareOpenSql(value: Fragment, op: Comparison, operand: Value): Fragment | undefined {
  if (typeof operand === 'string') {
    return sql`(json_type(${value}) = 'VARCHAR' and ${withOperator(sql`(${value} ->> '$')`, op, sql`${bind(operand, 'VARCHAR')}`)})`
  }
  if (typeof operand === 'boolean') {
    return sql`(json_type(${value}) = 'BOOLEAN' and ${withOperator(sql`try_cast(${value} as boolean)`, op, sql`${bind(operand, 'BOOLEAN')}`)})`
  }
  if (isNumeric(operand)) {
    const number = toNumber(operand)
    if (Number.isNaN(number)) return undefined
    return sql`(json_type(${value}) in ('UBIGINT', 'BIGINT', 'DOUBLE') and ${withOperator(sql`try_cast(${value} as double)`, op, sql`${bind(number, 'DOUBLE')}`)})`
  }
  // JSON holds no dates.
  return operand instanceof Date ? FALSE : undefined
}

function withOperator(value: Fragment, op: Comparison, bound: Fragment): Fragment {
  switch (op) {
    case '=':
      return sql`${value} = ${bound}`
    case '<':
      return sql`${value} < ${bound}`
    case '<=':
      return sql`${value} <= ${bound}`
    case '>':
      return sql`${value} > ${bound}`
    case '>=':
      return sql`${value} >= ${bound}`
  }
}

/**
 * `value op operand` within one class of types, NULL where the value is missing. What can't match because of its type
 * is false.
 */
export function compareSql(value: Fragment, type: SqlType, op: Comparison, operand: Value): Fragment | undefined {
  if (type.kind === 'double' && !type.finite) return undefined
  if (type.kind === 'open') return compareOpenSql(value, op, operand)
  const bound = bindFor(operand, type)
  if (bound === undefined) return undefined
  return bound === 'never' ? FALSE : withOperator(value, op, bound)
}

/** Whether the value is null or missing. */
export function isNullSql(value: Fragment, type: SqlType): Fragment {
  if (type.kind === 'nothing') return sql`true`
  if (type.kind === 'open') return sql`(${value} is null or json_type(${value}) = 'NULL')`
  return type.absent === 'never' ? FALSE : sql`${value} is null`
}
