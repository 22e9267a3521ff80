import { best } from '../../accumulators/gatherings/best.js'
import { isSortable } from '../../compile/sortable.js'
import { sql } from '../../compile/sql.js'
import { eitherType } from '../../given-type.js'
import { overValues } from './over-values.js'

export const maxOf = overValues({
  name: '$max',
  doc: {
    form: '{ $max: <array> } or { $max: [<expression>, …] }',
    meaning: 'The greatest of the values, or of the elements of a single array; null and missing are ignored.',
    example: { expression: { $max: '$n' }, document: { n: [2, 3] }, result: 3 },
  },
  start: () => best('greatest'),
  gives: eitherType,
  sql: (list, of) => (isSortable(of) ? { sql: sql`list_max(${list})`, type: { ...of, absent: 'null' } } : undefined),
})
