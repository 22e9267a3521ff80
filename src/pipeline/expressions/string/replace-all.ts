import { sql } from '../../compile/sql.js'
import { replacing } from './replacing.js'

/** A string with every occurrence of a text replaced. */
export const replaceAll = replacing({
  name: '$replaceAll',
  doc: {
    form: '{ $replaceAll: { input: <string>, find: <string>, replacement: <string> } }',
    meaning: 'The string with every occurrence of a text replaced. Null or missing arguments give null.',
    example: {
      expression: { $replaceAll: { input: '$t', find: 'a', replacement: 'o' } },
      document: { t: 'banana' },
      result: 'bonono',
    },
  },
  evaluate: (input, find, replacement) => input.replaceAll(find, () => replacement),
  sql: (input, find, replacement) => sql`replace(${input}, ${find}, ${replacement})`,
})
