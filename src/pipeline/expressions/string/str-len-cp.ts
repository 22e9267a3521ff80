import { sql } from '../../compile/sql.js'
import { given, take } from '../../compile/take.js'
import { eager } from '../eager.js'
import { wrongType } from '../wrong-type.js'
import { codePoints } from './code-points.js'

/** The length of a string in characters (code points). */
export const strLenCp = eager({
  name: '$strLenCP',
  doc: {
    form: '{ $strLenCP: <string> }',
    meaning: 'The number of characters (code points). What is no string, null and missing included, is an error.',
    example: { expression: { $strLenCP: '$word' }, document: { word: 'hello' }, result: 5 },
  },
  arity: [1, 1],
  evaluate: value => {
    if (typeof value !== 'string') throw wrongType('$strLenCP', 'strings', value)
    return codePoints(value)
  },
  sql: operands => {
    const taken = take(operands, { operator: '$strLenCP', wanted: 'string', wants: 'strings', nulls: 'wrong' })
    const text = taken?.operands[0]
    return taken && text && given(taken, sql`length(${text.sql})`, { kind: 'int', bits: 31 })
  },
})
