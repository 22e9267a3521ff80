import { type Fragment, identifier, sql } from '../compile/sql.js'

let lambdas = 0

/** Whether any element of a list meets a condition; NULL for no list. */
export function anyElementSql(
  list: Fragment,
  condition: (element: Fragment) => Fragment | undefined,
): Fragment | undefined {
  lambdas = (lambdas + 1) % 1_000_000
  const element = identifier(`e${lambdas}`)
  const inner = condition(element)
  return inner === undefined ? undefined : sql`len(list_filter(${list}, lambda ${element}: ${inner})) > 0`
}

/** Whether any element of a JSON array meets a condition; false for what is no array. */
export function anyOpenElementSql(
  value: Fragment,
  condition: (element: Fragment) => Fragment | undefined,
): Fragment | undefined {
  const any = anyElementSql(sql`json_extract(${value}, '$[*]')`, condition)
  return any === undefined ? undefined : sql`(json_type(${value}) = 'ARRAY' and ${any})`
}
