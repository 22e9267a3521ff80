import { EXACT_BITS } from '../compile/is-int-sql.js'
import { type Fragment, sql } from '../compile/sql.js'
import type { SqlExpression } from '../compile/types.js'

/** A number, or a date as its milliseconds, as a double, rounded as JavaScript rounds; `undefined` where it is neither. */
export function numberSql({ sql: value, type }: SqlExpression): Fragment | undefined {
  if (type.kind === 'double') return value
  if (type.kind === 'date') return sql`epoch_ms(${value})::double`
  return type.kind === 'int' && type.bits <= EXACT_BITS ? sql`${value}::double` : undefined
}
