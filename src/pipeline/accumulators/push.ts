import { orderBy, sortKey } from '../compile/order-by.js'
import type { Relation } from '../compile/relation.js'
import { type Fragment, sql } from '../compile/sql.js'
import { listType } from '../given-type.js'
import type { Value } from '../value.js'
import { ofValues } from './of-values.js'

/** All values in the order of arrival; missing ones are skipped, null is kept. */
export const push = ofValues({
  name: '$push',
  doc: {
    form: '{ $push: <expression> }',
    meaning: 'All values in the order of arrival; missing ones are left out, null is kept.',
    example: { accumulator: { $push: '$n' }, documents: [{ n: 7 }, {}, { n: null }], result: [7, null] },
  },
  gives: listType,
  start: () => {
    const values: Value[] = []
    return {
      add: value => {
        if (value !== undefined) values.push(value)
      },
      result: () => values,
    }
  },
  sql: ({ sql: value, type }, { relation }) => {
    if (type.absent === 'either' || type.kind === 'nothing') return undefined
    // A list has no place for the second half of a mixed number.
    if (type.kind === 'double' && type.mixed !== undefined) return undefined
    const filter = type.absent === 'missing' ? sql` filter (where ${value} is not null)` : sql``
    const of = { ...type, absent: type.absent === 'missing' ? 'never' : type.absent } as const
    return {
      sql: sql`coalesce(${inOrder(value, relation.order, filter)}, [])`,
      type: { kind: 'list', of, absent: 'never' },
    }
  },
})

/**
 * The list of a group's values. Of an aggregate in order the engine (1.5.6) keeps 40 kB for each group and sorts each by itself: of groups that are
 * grouped again, and so are small, a list beside keys that is sorted afterwards takes half the time (docs/benchmarks-tried.md). Of few large ones it would take more.
 */
function inOrder(value: Fragment, order: Relation['order'], filter: Fragment): Fragment {
  const areGroups = order.length > 0 && order.every(({ ofGroups }) => ofGroups === true)
  if (!areGroups) return sql`list(${value}${orderBy(order)})${filter}`
  const keyed = sql`list(struct_pack(k := ${sortKey(order)}, v := ${value}))${filter}`
  return sql`list_transform(list_sort(${keyed}), lambda one: one.v)`
}
