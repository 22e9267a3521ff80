import { jsonKind } from './json-kind.js'
import { type Fragment, sql } from './sql.js'
import { type SqlExpression, isUnclear } from './types.js'

const JSON_TYPES = sql`'VARCHAR' then 'string' when 'BOOLEAN' then 'bool' when 'OBJECT' then 'object' when 'ARRAY' then 'array' when 'NULL' then 'null'`

/** What a value that is there is called; ints and longs by their size. */
function namePresent({ sql: value, type, isInt }: SqlExpression): Fragment {
  switch (type.kind) {
    case 'string':
      return sql`'string'`
    case 'bool':
      return sql`'bool'`
    case 'date':
      return sql`'date'`
    case 'list':
      return sql`'array'`
    case 'struct':
      return sql`'object'`
    case 'int':
      if (type.long === true) return sql`'long'`
      return type.bits <= 31 ? sql`'int'` : sql`(case when ${fitsInt(value)} then 'int' else 'long' end)`
    case 'double':
      return isInt === undefined
        ? sql`'double'`
        : sql`(case when not ${isInt} then 'double' when ${fitsInt(value)} then 'int' else 'long' end)`
    case 'open':
      return sql`(case json_type(${value}) when ${JSON_TYPES} else case when ${jsonIsInt(value)} then 'int' else 'double' end end)`
    case 'pairs':
    case 'merged':
      return sql`'object'`
    // Only what looks into such a value names its type, and that is evaluated.
    case 'varied':
    case 'nothing':
      return sql`'null'`
  }
}

const fitsInt = (value: Fragment): Fragment => sql`(${value} between -2147483648 and 2147483647)`

/** Whether a number in JSON is an int: whole, 32 bits and not minus zero, however it is written. */
export function jsonIsInt(value: Fragment): Fragment {
  const number = jsonKind.number(value)
  return sql`(${fitsInt(number)} and ${number} = trunc(${number}) and not (${number} = 0 and starts_with(${value}::varchar, '-')))`
}

/** BSON's name of the value's type, as $type gives it; `undefined` where null and missing can't be told apart. */
export function typeNameSql(operand: SqlExpression): Fragment | undefined {
  const { sql: value, type } = operand
  if (isUnclear(operand) || (type.kind === 'double' && type.mixed !== undefined && operand.isInt === undefined)) {
    return undefined
  }
  if (type.kind === 'int' && type.bits > 63) return undefined
  const absent =
    operand.isNull !== undefined && type.absent === 'either'
      ? sql`(case when ${operand.isNull} then 'null' else 'missing' end)`
      : type.absent === 'missing'
        ? sql`'missing'`
        : sql`'null'`
  if (type.kind === 'nothing') return absent
  if (type.absent === 'never') return namePresent(operand)
  return sql`(case when ${value} is null then ${absent} else ${namePresent(operand)} end)`
}
