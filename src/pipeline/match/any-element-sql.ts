import { jsonKind } from '../compile/json-kind.js'
import { lambdaName } from '../compile/lambda.js'
import { type Fragment, isFalse, sql } from '../compile/sql.js'

/** Whether any element of a list meets a condition; NULL or false for no list. */
export function anyElementSql(
  list: Fragment,
  condition: (element: Fragment) => Fragment | undefined,
): Fragment | undefined {
  const element = lambdaName()
  const inner = condition(element)
  if (inner === undefined || isFalse(inner)) return inner
  return sql`len(list_filter(${list}, lambda ${element}: ${inner})) > 0`
}

/** Whether any element of a JSON array meets a condition; false for what is no array. */
export function anyOpenElementSql(
  value: Fragment,
  condition: (element: Fragment) => Fragment | undefined,
): Fragment | undefined {
  const any = anyElementSql(sql`json_extract(${value}, '$[*]')`, condition)
  return any === undefined || isFalse(any) ? any : sql`(${jsonKind.isArray(value)} and ${any})`
}
