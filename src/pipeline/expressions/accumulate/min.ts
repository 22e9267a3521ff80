import { best } from '../../accumulators/gatherings/best.js'
import { isSortable } from '../../compile/sortable.js'
import { sql } from '../../compile/sql.js'
import { eitherType } from '../../given-type.js'
import { overValues } from './over-values.js'

export const minOf = overValues({
  name: '$min',
  doc: {
    form: '{ $min: <array> } or { $min: [<expression>, …] }',
    meaning: 'The least of the values, or of the elements of a single array; null and missing are ignored.',
    example: { expression: { $min: '$n' }, document: { n: [2, 3] }, result: 2 },
  },
  start: () => best('least'),
  gives: eitherType,
  sql: (list, of) => (isSortable(of) ? { sql: sql`list_min(${list})`, type: { ...of, absent: 'null' } } : undefined),
})
