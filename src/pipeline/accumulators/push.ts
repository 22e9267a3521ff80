import { orderBy } from '../compile/compile-context.js'
import { sql } from '../compile/sql.js'
import type { Value } from '../value.js'
import { ofValues } from './of-values.js'

/** All values in the order of arrival; missing ones are skipped, null is kept. */
export const push = ofValues({
  name: '$push',
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
    if (type.absent === 'either' || type.kind === 'open' || type.kind === 'nothing') return undefined
    const filter = type.absent === 'missing' ? sql` filter (where ${value} is not null)` : sql``
    const of = { ...type, absent: type.absent === 'missing' ? 'never' : type.absent } as const
    return {
      sql: sql`coalesce(list(${value}${orderBy(relation.order)})${filter}, [])`,
      type: { kind: 'list', of, absent: 'never' },
    }
  },
})
