import { lambdaName } from './lambda.js'
import { type Fragment, sql } from './sql.js'

/** The first sentence that an element's computation fails with; `element` is the lambda parameter it names. */
export function listFails(list: Fragment, element: Fragment, fails: Fragment | undefined): Fragment | undefined {
  if (fails === undefined) return undefined
  const sentence = lambdaName()
  return sql`list_extract(list_filter(list_transform(${list}, lambda ${element}: ${fails}), lambda ${sentence}: ${sentence} is not null), 1)`
}
