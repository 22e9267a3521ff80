import { type Fragment, bind, sql } from './sql.js'

/**
 * A field of a JSON value that is an object: NULL when it is missing, or when the value is no object. `undefined` for a
 * name that can't be quoted in a JSON path (`"*"` is every field there, quoted or not).
 */
export function openFieldSql(value: Fragment, name: string): Fragment | undefined {
  return name === '*' || name === '' || /["\\]/.test(name)
    ? undefined
    : sql`json_extract(${value}, ${bind(`$."${name}"`, 'VARCHAR')})`
}
