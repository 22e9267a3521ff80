import { sql } from '../compile/sql.js'
import { valueKey } from '../order.js'
import type { Value } from '../value.js'
import { ofValues } from './of-values.js'

/** The different values, in no order; missing ones are skipped, null is kept. */
export const addToSet = ofValues({
  name: '$addToSet',
  start: () => {
    const values = new Map<string, Value>()
    return {
      add: value => {
        const key = valueKey(value)
        if (value !== undefined && !values.has(key)) values.set(key, value)
      },
      result: () => [...values.values()],
    }
  },
  sql: ({ sql: value, type }) => {
    // list(distinct …) leaves NULL out, which is right only where NULL is missing.
    if (type.absent !== 'missing' && type.absent !== 'never') return undefined
    if (type.kind === 'open' || type.kind === 'nothing' || (type.kind === 'double' && !type.finite)) return undefined
    return {
      sql: sql`coalesce(list(distinct ${value}) filter (where ${value} is not null), [])`,
      type: { kind: 'list', of: { ...type, absent: 'never' }, absent: 'never' },
    }
  },
})
