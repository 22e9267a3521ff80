import { isObject } from '../../base/is-object.js'
import { sql } from '../compile/sql.js'
import { Refusal } from '../refusal.js'
import { accumulatorDoc } from './accumulator-doc.js'
import type { Accumulator } from './accumulator.js'

export const count: Accumulator = {
  name: '$count',
  doc: accumulatorDoc({
    form: '{ $count: {} }',
    meaning: 'The number of documents.',
    example: { accumulator: { $count: {} }, documents: [{ n: 7 }, {}], result: 2 },
  }),
  parse: (argument, context) => {
    if (!isObject(argument) || Object.keys(argument).length > 0)
      throw new Refusal(context.where, '$count takes an empty object in $group')
    return {
      operands: [],
      start: () => {
        let documents = 0
        return {
          add: () => {
            documents += 1
          },
          result: () => documents,
        }
      },
      sql: () => ({ sql: sql`count(*)`, type: { kind: 'int', bits: 53, absent: 'never' } }),
      toJson: () => ({ $count: {} }),
    }
  },
}
