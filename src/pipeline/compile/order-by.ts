import type { Relation } from './relation.js'
import { type Fragment, join, sql } from './sql.js'

/** ORDER BY of a relation's keys, or nothing. */
export function orderBy(order: Relation['order']): Fragment {
  return order.length === 0 ? sql`` : sql` order by ${orderList(order)}`
}

/** Keys as ORDER BY lists them. */
export function orderList(order: Relation['order']): Fragment {
  return join(
    order.map(key => (key.descending ? sql`${key.sql} desc nulls last` : sql`${key.sql} asc nulls first`)),
    ', ',
  )
}
