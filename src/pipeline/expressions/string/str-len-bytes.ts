import { sql } from '../../compile/sql.js'
import { given, take } from '../../compile/take.js'
import { eager } from '../eager.js'
import { wrongType } from '../wrong-type.js'

/** The length of a string in bytes in UTF-8. */
export const strLenBytes = eager({
  name: '$strLenBytes',
  doc: {
    form: '{ $strLenBytes: <string> }',
    meaning: 'The number of bytes in UTF-8. What is no string, null and missing included, is an error.',
    example: { expression: { $strLenBytes: '$word' }, document: { word: 'hello' }, result: 5 },
  },
  arity: [1, 1],
  evaluate: value => {
    if (typeof value !== 'string') throw wrongType('$strLenBytes', 'strings', value)
    return Buffer.byteLength(value, 'utf8')
  },
  sql: operands => {
    const taken = take(operands, { operator: '$strLenBytes', wanted: 'string', wants: 'strings', nulls: 'wrong' })
    const text = taken?.operands[0]
    return taken && text && given(taken, sql`strlen(${text.sql})`, { kind: 'int', bits: 31 })
  },
})
