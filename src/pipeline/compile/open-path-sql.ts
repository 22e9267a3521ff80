import { jsonKind } from './json-kind.js'
import { lambdaName } from './lambda.js'
import { openField, openFieldSql } from './open-field-sql.js'
import { type Fragment, sql } from './sql.js'
import type { SqlExpression } from './types.js'

/** JSON to walk into, with what is known of it. */
interface OpenValue extends Pick<SqlExpression, 'sql' | 'field'> {
  readonly type?: { readonly object?: true }
}

/** Steps into JSON that the engine takes: the SQL of each names that of the one before several times. */
const MOST_STEPS = 4

/**
 * The value at a path inside a JSON value as expressions read it: objects are entered, of an array the fields of its
 * objects are gathered, elements that are arrays are passed over. NULL is missing.
 */
export function openPathSql(open: OpenValue, path: readonly string[]): Fragment | undefined {
  const { sql: value } = open
  const [name, ...rest] = path
  if (name === undefined) return value
  if (path.length > MOST_STEPS) return undefined
  const field = openField(open, name)
  const inside = field && openPathSql({ sql: field }, rest)
  if (inside === undefined || open.type?.object === true) return inside
  const element = lambdaName()
  const kept = lambdaName()
  const ofElement = openPathSql({ sql: openFieldSql(element, name)! }, rest)
  const gathered = sql`to_json(list_filter(list_transform(json_extract(${value}, '$[*]'), lambda ${element}: ${ofElement!}), lambda ${kept}: ${kept} is not null))`
  return sql`(case when ${jsonKind.isArray(value)} then ${gathered} else ${inside} end)`
}
