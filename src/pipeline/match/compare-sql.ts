import { jsonKind } from '../compile/json-kind.js'
import { fieldSql } from '../compile/field-sql.js'
import { jsonLiteral } from '../compile/json-literal.js'
import { type Fragment, bind, join, sql, trusted } from '../compile/sql.js'
import type { SqlExpression, SqlType } from '../compile/types.js'
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
    case 'varied':
    case 'pairs':
    case 'merged':
      return undefined
  }
}

/** The number a JSON value is compared with; `undefined` where a double would lose digits of it. */
function openNumber(operand: number | bigint | Double): number | undefined {
  if (typeof operand === 'bigint' && BigInt(Number(operand)) !== operand) return undefined
  return toNumber(operand)
}

/** Strings without anything that JSON may write in several ways. */
export const PLAIN = /^[ !#-[\]-~]*$/

/**
 * A comparison with a JSON value of any shape: by its kind first, then by its value (rule "equal values"). Numbers
 * in JSON are doubles, here as in the evaluator.
 */
function compareOpenSql(value: Fragment, op: Comparison, operand: Value): Fragment | undefined {
  if (typeof operand === 'string') {
    // The text of such a string is one and the same whoever writes it.
    if (op === '=' && PLAIN.test(operand)) return sql`${value}::varchar = ${bind(JSON.stringify(operand), 'VARCHAR')}`
    return sql`(${jsonKind.isString(value)} and ${withOperator(sql`(${value} ->> '$')`, op, sql`${bind(operand, 'VARCHAR')}`)})`
  }
  if (typeof operand === 'boolean') {
    return sql`(${jsonKind.isBool(value)} and ${withOperator(sql`(${value} ->> '$' = 'true')`, op, sql`${bind(operand, 'BOOLEAN')}`)})`
  }
  if (isNumeric(operand)) {
    const number = openNumber(operand)
    if (number === undefined) return undefined
    // JSON holds no NaN.
    if (Number.isNaN(number)) return FALSE
    return sql`(${jsonKind.isNumber(value)} and ${withOperator(jsonKind.number(value), op, sql`${bind(number, 'DOUBLE')}`)})`
  }
  // JSON holds no dates.
  if (operand instanceof Date) return FALSE
  const text = op === '=' ? jsonLiteral(operand) : undefined
  if (text === undefined) return undefined
  // Both written by the engine: equal values are equal texts, and the order of fields counts.
  return sql`(json_extract(${value}, '$')::varchar = json_extract(${bind(text, 'VARCHAR')}::json, '$')::varchar)`
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

/** A value equal to a list or struct, part by part; a struct's fields are the operand's in the same order. */
function equalPartsSql(value: Fragment, type: SqlType, operand: Value): Fragment | undefined {
  if (type.kind === 'list' && isArray(operand)) {
    const length = sql`len(${value}) = ${bind(BigInt(operand.length), 'BIGINT')}`
    const parts = operand.map((item, i) => equalSql(sql`${value}[${trusted(String(i + 1))}]`, type.of, item))
    if (parts.includes(undefined)) return undefined
    return sql`(${join([length, ...parts.filter(part => part !== undefined)], ' and ')})`
  }
  if (type.kind !== 'struct' || !isDocument(operand)) return FALSE
  const names = Object.keys(operand)
  const known = [...type.fields.keys()]
  const places = names.map(name => known.indexOf(name))
  if (places.some((place, i) => place === -1 || (i > 0 && place < places[i - 1]!))) return FALSE
  const inside: SqlExpression = { sql: value, type: { ...type, absent: 'never' } }
  const parts = known.map(name => {
    const field = fieldSql(inside, name)
    if (names.includes(name)) return equalSql(field.sql, field.type, operand[name]!)
    if (field.type.absent === 'never' || field.type.absent === 'null') return FALSE
    return field.type.absent === 'missing' ? sql`${field.sql} is null` : undefined
  })
  if (parts.includes(undefined)) return undefined
  return sql`(${join([sql`${value} is not null`, ...parts.filter(part => part !== undefined)], ' and ')})`
}

/** Equality of a part, where null equals only null. */
function equalSql(value: Fragment, type: SqlType, operand: Value): Fragment | undefined {
  if (operand !== null) return compareSql(value, type, '=', operand)
  if (type.kind === 'open') return jsonKind.isNull(value)
  if (type.absent === 'either') return undefined
  return type.absent === 'null' ? sql`${value} is null` : FALSE
}

/**
 * `value op operand` within one class of types, NULL where the value is missing. What can't match because of its type
 * is false.
 */
export function compareSql(value: Fragment, type: SqlType, op: Comparison, operand: Value): Fragment | undefined {
  if (type.kind === 'open') return compareOpenSql(value, op, operand)
  if (typeof operand === 'number' && Number.isNaN(operand)) return compareNaN(value, type, op)
  if (op === '=' && (isArray(operand) || isDocument(operand))) return equalPartsSql(value, type, operand)
  const bound = bindFor(operand, type)
  if (bound === undefined) return undefined
  if (bound === 'never') return FALSE
  const compared = withOperator(value, op, bound)
  // The engine puts NaN above all numbers; in a filter it is neither above nor below any.
  return type.kind === 'double' && !type.finite ? sql`(${compared} and not isnan(${value}))` : compared
}

/** NaN equals NaN, which <= and >= hold of too. */
function compareNaN(value: Fragment, type: SqlType, op: Comparison): Fragment {
  return type.kind === 'double' && !type.finite && op !== '<' && op !== '>' ? sql`isnan(${value})` : FALSE
}

/** Whether the value is null or missing. */
export function isNullSql(value: Fragment, type: SqlType): Fragment {
  if (type.kind === 'nothing') return sql`true`
  if (type.kind === 'open') return sql`(${value} is null or ${jsonKind.isNull(value)})`
  return type.absent === 'never' ? FALSE : sql`${value} is null`
}
