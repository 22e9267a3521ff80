import { type Fragment, bind, sql } from './sql.js'
import type { SqlExpression } from './types.js'

/**
 * A field of a JSON value that is an object: NULL when it is missing, or when the value is no object. `undefined` for a
 * name that can't be quoted in a JSON path (`"*"` is every field there, quoted or not).
 */
export function openFieldSql(value: Fragment, name: string): Fragment | undefined {
  return name === '*' || name === '' || /["\\]/.test(name)
    ? undefined
    : sql`json_extract(${value}, ${bind(`$."${name}"`, 'VARCHAR')})`
}

/** The same of a value whose fields may be at hand already. */
export function openField(value: Pick<SqlExpression, 'sql' | 'field'>, name: string): Fragment | undefined {
  return value.field === undefined ? openFieldSql(value.sql, name) : value.field(name)
}
