import { type Fragment, sql } from './sql.js'
import { jsonIsNumber } from './type-name-sql.js'
import type { SqlExpression } from './types.js'

/** Truthiness as SQL, NULL counting as false: only false, 0, null and missing are false. */
export function truthySql({ sql: value, type }: SqlExpression): Fragment {
  switch (type.kind) {
    case 'bool':
      return value
    case 'int':
    case 'double':
      return sql`${value} <> 0`
    case 'nothing':
      return sql`false`
    case 'open':
      return sql`(case when json_type(${value}) = 'BOOLEAN' then ${value}::varchar = 'true' when ${jsonIsNumber(value)} then try_cast(${value} as double) <> 0 else json_type(${value}) <> 'NULL' end)`
    default:
      return sql`${value} is not null`
  }
}
