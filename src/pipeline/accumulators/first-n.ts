import { sql } from '../compile/sql.js'
import type { Value } from '../value.js'
import { several } from './several.js'

/** The first values in the order of arrival. */
export const firstN = several({
  name: '$firstN',
  doc: {
    form: '{ $firstN: { input: <expression>, n: <number> } }',
    meaning: 'The values of the first n documents in the order they come in; missing ones are null.',
    example: {
      accumulator: { $firstN: { input: '$n', n: 2 } },
      documents: [{ n: 7 }, {}, { n: 2 }],
      result: [7, null],
    },
  },
  start: n => {
    const values: Value[] = []
    return {
      add: value => {
        if (values.length < n) values.push(value ?? null)
      },
      result: () => values,
    }
  },
  sql: ({ sql: value, type }, n, order) => {
    if (type.kind === 'nothing') return undefined
    const of = { ...type, absent: type.absent === 'never' ? 'never' : 'null' } as const
    return { sql: sql`list_slice(list(${value}${order}), 1, ${n})`, type: { kind: 'list', of, absent: 'never' } }
  },
})
