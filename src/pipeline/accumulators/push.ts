import { orderBy } from '../compile/order-by.js'
import { sql } from '../compile/sql.js'
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
      sql: sql`coalesce(list(${value}${orderBy(relation.order)})${filter}, [])`,
      type: { kind: 'list', of, absent: 'never' },
    }
  },
})
