import { sql } from '../compile/sql.js'
import type { Value } from '../value.js'
import { several } from './several.js'

/** The last values in the order of arrival. */
export const lastN = several({
  name: '$lastN',
  doc: {
    form: '{ $lastN: { input: <expression>, n: <number> } }',
    meaning: 'The values of the last n documents in the order they come in; missing ones are null.',
    example: { accumulator: { $lastN: { input: '$n', n: 2 } }, documents: [{ n: 7 }, {}, { n: 2 }], result: [null, 2] },
  },
  start: n => {
    let values: Value[] = []
    return {
      add: value => {
        values.push(value ?? null)
        // Cut now and then, not at each value.
        if (values.length >= 2 * n + 16) values = values.slice(-n)
      },
      result: () => values.slice(-n),
    }
  },
  sql: ({ sql: value, type }, n, order) => {
    if (type.kind === 'nothing') return undefined
    const of = { ...type, absent: type.absent === 'never' ? 'never' : 'null' } as const
    const all = sql`list(${value}${order})`
    return {
      sql: sql`list_slice(${all}, greatest(count(*) - ${n}, 0) + 1, count(*))`,
      type: { kind: 'list', of, absent: 'never' },
    }
  },
})
