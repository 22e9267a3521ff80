import { join, sql } from '../../compile/sql.js'
import { given, take } from '../../compile/take.js'
import { boundedText } from '../bounded.js'
import { eager } from '../eager.js'
import { wrongType } from '../wrong-type.js'

/** Texts one after the other. */
export const concat = eager({
  name: '$concat',
  doc: {
    form: '{ $concat: [<string>, …] }',
    meaning:
      'The strings one after the other. Null or missing makes it null; what is no string is an error: use $toString.',
    example: {
      expression: { $concat: ['$agent_id', ': ', '$title'] },
      document: { agent_id: 'ana', title: 'Refund' },
      result: 'ana: Refund',
    },
  },
  arity: [0, Infinity],
  evaluate: (...values) => {
    let text = ''
    for (const value of values) {
      if (value === undefined || value === null) return null
      if (typeof value !== 'string') throw wrongType('$concat', 'strings', value)
      text = boundedText('$concat', text + value)
    }
    return text
  },
  sql: operands => {
    if (operands.length === 0) return undefined
    const taken = take(operands, { operator: '$concat', wanted: 'string', wants: 'strings', nulls: 'null in order' })
    if (taken === undefined) return undefined
    const texts = taken.operands.map(one => one.sql)
    return given(taken, texts.length === 1 ? texts[0]! : sql`(${join(texts, ' || ')})`, { kind: 'string' })
  },
})
