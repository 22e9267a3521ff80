import { orderBy, sortKey } from '../compile/order-by.js'
import { lambdaName } from '../compile/lambda.js'
import type { OrderKey } from '../compile/relation.js'
import { type Fragment, bind, sql } from '../compile/sql.js'
import type { SqlExpression } from '../compile/types.js'

/** Up to so many the engine keeps no others while it reads a group: it makes room for them in each. */
const MOST_KEPT = 100

/** The values of the first n rows of a group in an order, as a list; NULL is kept. */
export function firstBy({ sql: value, type }: SqlExpression, n: number, order: readonly OrderKey[]): Fragment {
  const count = bind(BigInt(n), 'BIGINT')
  if (order.length === 0 || n > MOST_KEPT) return sql`list_slice(list(${value}${orderBy(order)}), 1, ${count})`
  const least = (one: Fragment) => sql`arg_min(${one}, ${sortKey(order)}, ${count})`
  // The engine passes over values that are NULL, but not over documents that hold one.
  if (type.absent === 'never') return least(value)
  const kept = lambdaName()
  return sql`list_transform(${least(sql`struct_pack(v := ${value})`)}, lambda ${kept}: ${kept}.v)`
}
