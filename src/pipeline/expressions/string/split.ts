import { sql } from '../../compile/sql.js'
import { given, take } from '../../compile/take.js'
import { boundedLength } from '../bounded.js'
import { eager } from '../eager.js'
import { ExpressionError } from '../expression-error.js'
import { wrongType } from '../wrong-type.js'

/** A string in pieces. */
export const split = eager({
  name: '$split',
  doc: {
    form: '{ $split: [<string>, <separator>] }',
    meaning: 'The pieces between the separators, which is not empty. Null or missing operands give null.',
    example: { expression: { $split: ['$language', '-'] }, document: { language: 'en-US' }, result: ['en', 'US'] },
  },
  arity: [2, 2],
  evaluate: (text, separator) => {
    if (text === undefined || text === null || separator === undefined || separator === null) return null
    if (typeof text !== 'string' || typeof separator !== 'string') {
      throw wrongType('$split', 'strings', typeof text === 'string' ? separator : text)
    }
    if (separator === '') throw new ExpressionError('$split', 'takes a separator that is not empty')
    const pieces = text.split(separator)
    boundedLength('$split', pieces.length)
    return pieces
  },
  sql: ([text, separator]) => {
    if (text === undefined || typeof separator?.literal !== 'string' || separator.literal === '') return undefined
    const taken = take([text], { operator: '$split', wanted: 'string', wants: 'strings', nulls: 'null' })
    const whole = taken?.operands[0]
    if (taken === undefined || whole === undefined) return undefined
    const of = { kind: 'string', absent: 'never' } as const
    return { ...given(taken, sql`string_split(${whole.sql}, ${separator.sql})`, { kind: 'list', of }), filled: true }
  },
})
