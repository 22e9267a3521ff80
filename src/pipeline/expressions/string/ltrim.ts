import { sql } from '../../compile/sql.js'
import { trimming } from './trimming.js'

/** A string without blanks at the start. */
export const ltrim = trimming({
  name: '$ltrim',
  doc: {
    form: '{ $ltrim: { input: <string>, chars: <string> } }',
    meaning:
      'The string without the given characters at the start, without white space when none are given. Null and missing give null.',
    example: { expression: { $ltrim: { input: '$text' } }, document: { text: ' hi ' }, result: 'hi ' },
  },
  start: true,
  end: false,
  sql: (text, chars) => sql`ltrim(${text}, ${chars})`,
})
