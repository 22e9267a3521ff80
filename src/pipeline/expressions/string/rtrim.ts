import { sql } from '../../compile/sql.js'
import { trimming } from './trimming.js'

/** A string without blanks at the end. */
export const rtrim = trimming({
  name: '$rtrim',
  doc: {
    form: '{ $rtrim: { input: <string>, chars: <string> } }',
    meaning:
      'The string without the given characters at the end, without white space when none are given. Null and missing give null.',
    example: { expression: { $rtrim: { input: '$text' } }, document: { text: ' hi ' }, result: ' hi' },
  },
  start: false,
  end: true,
  sql: (text, chars) => sql`rtrim(${text}, ${chars})`,
})
