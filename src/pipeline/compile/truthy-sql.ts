import { type Fragment, sql } from './sql.js'
import type { SqlExpression } from './types.js'

/** Truthiness as SQL, NULL counting as false: only false, 0, null and missing are false. `undefined` = not exact. */
export function truthySql({ sql: value, type }: SqlExpression): Fragment | undefined {
  switch (type.kind) {
    case 'bool':
      return value
    case 'int':
    case 'double':
      return sql`${value} <> 0`
    case 'nothing':
      return sql`false`
    case 'open':
      return undefined
    default:
      return sql`${value} is not null`
  }
}
