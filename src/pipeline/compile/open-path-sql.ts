import { lambdaName } from './lambda.js'
import { openFieldSql } from './open-field-sql.js'
import { type Fragment, sql } from './sql.js'

/** Steps into JSON that the engine takes: the SQL of each names that of the one before several times. */
const STEPS = 4

/**
 * The value at a path inside a JSON value as expressions read it: objects are entered, of an array the fields of its
 * objects are gathered, elements that are arrays are passed over. NULL is missing.
 */
export function openPathSql(value: Fragment, path: readonly string[], isObject = false): Fragment | undefined {
  const [name, ...rest] = path
  if (name === undefined) return value
  if (path.length > STEPS) return undefined
  const field = openFieldSql(value, name)
  const inside = field && openPathSql(field, rest)
  if (inside === undefined || isObject) return inside
  const element = lambdaName()
  const kept = lambdaName()
  const ofElement = openPathSql(openFieldSql(element, name)!, rest)
  const gathered = sql`to_json(list_filter(list_transform(json_extract(${value}, '$[*]'), lambda ${element}: ${ofElement!}), lambda ${kept}: ${kept} is not null))`
  return sql`(case when json_type(${value}) = 'ARRAY' then ${gathered} else ${inside} end)`
}
