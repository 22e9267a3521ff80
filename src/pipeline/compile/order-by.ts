import type { OrderKey, Relation } from './relation.js'
import { type Fragment, isReference, join, sql, trusted } from './sql.js'

/** ORDER BY of a relation's keys, or nothing. */
export function orderBy(order: Relation['order']): Fragment {
  return order.length === 0 ? sql`` : sql` order by ${orderList(order)}`
}

/** Keys as ORDER BY lists them. */
export function orderList(order: Relation['order']): Fragment {
  return join(order.map(keyIn), ', ')
}

/** The engine's own key for the values of some keys: of rows the one that comes first in their order has the least. */
export function sortKey(order: Relation['order']): Fragment {
  return sql`create_sort_key(${join(
    order.map(key => sql`${key.sql}, '${wayOf(key)}'`),
    ', ',
  )})`
}

/**
 * Groups are put in order by the engine's own key, which is the same order: with the bare name of a column and a limit the engine
 * (1.5.6) looks among the rows below for those that the first groups may be of, and puts all blocks of them in order first (3 ms of processor for 4,900).
 * Of groups all rows are read anyway.
 */
function keyIn(key: OrderKey): Fragment {
  return key.ofGroups === true && isReference(key.sql) ? sortKey([key]) : sql`${key.sql} ${wayOf(key)}`
}

const wayOf = ({ descending }: OrderKey) => trusted(descending ? 'desc nulls last' : 'asc nulls first')
