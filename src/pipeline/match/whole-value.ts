import { jsonKind } from '../compile/json-kind.js'
import { type Fragment, sql } from '../compile/sql.js'
import type { SqlType } from '../compile/types.js'
import { type Value, Double, isNumeric } from '../value.js'

/** A number without its fraction as a 64-bit integer, or `undefined` where it is none. */
export function truncated(value: Value | undefined): bigint | undefined {
  if (!isNumeric(value)) return undefined
  if (typeof value === 'bigint') return value
  const number = Math.trunc(value instanceof Double ? value.value : value)
  if (!Number.isFinite(number)) return undefined
  const whole = BigInt(number)
  return BigInt.asIntN(64, whole) === whole ? whole : undefined
}

/** The same in the engine: NULL where the value is none; `undefined` for types that are never a number. */
export function truncatedSql(value: Fragment, type: SqlType): Fragment | undefined {
  if (type.kind === 'int') return type.bits <= 63 ? value : sql`try_cast(${value} as bigint)`
  if (type.kind === 'double') return sql`try_cast(trunc(${value}) as bigint)`
  if (type.kind !== 'open') return undefined
  return sql`(case when ${jsonKind.isNumber(value)} then try_cast(trunc(${jsonKind.number(value)}) as bigint) end)`
}
