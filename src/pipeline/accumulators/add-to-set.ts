import { sql } from '../compile/sql.js'
import { valueKey } from '../order.js'
import type { Value } from '../value.js'
import { ofValues } from './of-values.js'

/** The different values, in no order; missing ones are skipped, null is kept. */
export const addToSet = ofValues({
  name: '$addToSet',
  doc: {
    form: '{ $addToSet: <expression> }',
    meaning: 'The different values in no particular order; missing ones are left out, null is kept.',
    example: { accumulator: { $addToSet: '$n' }, documents: [{ n: 7 }, { n: 7 }, {}], result: [7] },
  },
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
    // JSON texts are equal where their values are: they are all written in one way. list(distinct …) leaves NULL out, which is right only where NULL is missing.
    if (type.absent !== 'missing' && type.absent !== 'never') return undefined
    if (type.kind === 'nothing' || (type.kind === 'double' && type.mixed !== undefined)) return undefined
    return {
      sql: sql`coalesce(list(distinct ${value}) filter (where ${value} is not null), [])`,
      type: { kind: 'list', of: { ...type, absent: 'never' }, absent: 'never' },
    }
  },
})
