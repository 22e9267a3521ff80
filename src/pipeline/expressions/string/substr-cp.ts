import { failing } from '../../compile/fails.js'
import { sql } from '../../compile/sql.js'
import { isInt } from '../../value.js'
import { eager } from '../eager.js'
import { ExpressionError } from '../expression-error.js'
import { whole } from '../whole-number.js'
import { unitIndex } from './code-points.js'
import { textOf } from './text-of.js'
import { textSql } from './text-sql.js'

/** A part of a text by characters. */
export const substrCp = eager({
  name: '$substrCP',
  doc: {
    form: '{ $substrCP: [<expression>, <start>, <count>] }',
    meaning: 'So many characters (code points) of a text from a start, counted from 0. Null and missing give "".',
    example: { expression: { $substrCP: ['$word', 1, 3] }, document: { word: 'hello' }, result: 'ell' },
  },
  arity: [3, 3],
  evaluate: (value, from, count) => {
    const text = textOf('$substrCP', value)
    const [start, length] = [whole(from), whole(count)]
    if (start === undefined || length === undefined || start < 0 || length < 0) {
      throw new ExpressionError('$substrCP', 'takes whole numbers from 0 as start and count')
    }
    const begin = unitIndex(text, start)
    return text.slice(begin, begin + unitIndex(text.slice(begin), length))
  },
  sql: ([value, from, count], context) => {
    const natural = (number: number | undefined) => isInt(number) && number >= 0
    if (value === undefined || !natural(from?.constant) || !natural(count?.constant)) return undefined
    const text = textSql('$substrCP', value, context)
    const part = text && sql`substring(${text.sql}, ${from!.sql}::bigint + 1, ${count!.sql}::bigint)`
    return part && failing({ sql: part, type: { kind: 'string', absent: 'never' } }, text.fails)
  },
})
