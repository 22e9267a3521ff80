import { sql } from '../../compile/sql.js'
import { trimming } from './trimming.js'

/** A string without blanks at both ends. */
export const trim = trimming({
  name: '$trim',
  doc: {
    form: '{ $trim: { input: <string>, chars: <string> } }',
    meaning:
      'The string without the given characters at both ends, without white space when none are given. Null and missing give null.',
    example: { expression: { $trim: { input: '$text' } }, document: { text: ' hi ' }, result: 'hi' },
  },
  start: true,
  end: true,
  sql: (text, chars) => sql`trim(${text}, ${chars})`,
})
