import { sql } from '../../compile/sql.js'
import { replacing } from './replacing.js'

/** A string with the first occurrence of a text replaced. */
export const replaceOne = replacing({
  name: '$replaceOne',
  doc: {
    form: '{ $replaceOne: { input: <string>, find: <string>, replacement: <string> } }',
    meaning: 'The string with the first occurrence of a text replaced. Null or missing arguments give null.',
    example: {
      expression: { $replaceOne: { input: '$t', find: 'a', replacement: 'o' } },
      document: { t: 'banana' },
      result: 'bonana',
    },
  },
  evaluate: (input, find, replacement) => input.replace(find, () => replacement),
  sql: (input, find, replacement) => {
    const place = sql`strpos(${input}, ${find})`
    const parts = sql`substr(${input}, 1, ${place} - 1) || ${replacement} || substr(${input}, ${place} + length(${find}))`
    return sql`(case when ${place} > 0 then ${parts} else ${input} end)`
  },
})
