import { sql } from '../compile/sql.js'
import { evaluateExpression, expressionToJson } from '../evaluate-expression.js'
import { parseExpression } from '../expressions/parse-expression.js'
import { eitherType } from '../given-type.js'
import type { Value } from '../value.js'
import type { WindowFunction } from './window-function.js'

/** The last value that was there. */
export const locf: WindowFunction = {
  name: '$locf',
  doc: {
    form: '{ $locf: <expression> }',
    meaning:
      'The value, or where it is null or missing the last one before that was not, in the order of sortBy (last observation carried forward); null where there was none.',
    example: {
      documents: [{ day: 1, open: 7 }, { day: 2 }, { day: 3, open: 5 }],
      pipeline: [{ $setWindowFields: { sortBy: { day: 1 }, output: { open: { $locf: '$open' } } } }],
      result: [
        { day: 1, open: 7 },
        { day: 2, open: 7 },
        { day: 3, open: 5 },
      ],
    },
  },
  window: 'none',
  sort: 'free',
  parse: (argument, context) => {
    const operand = parseExpression(argument, context)
    return {
      operands: [operand],
      gives: typeOf => eitherType([operand], typeOf),
      run: partition => {
        let last: Value = null
        return Array.from({ length: partition.size }, (_, i) => {
          last = evaluateExpression(operand, partition.environment(i)) ?? last
          return last
        })
      },
      sql: ({ context: compile, running }) => {
        const value = compile.expression(operand)
        // JSON null is no SQL NULL.
        if (
          value === undefined ||
          value.type.kind === 'open' ||
          value.type.kind === 'nothing' ||
          value.isInt !== undefined
        )
          return undefined
        return {
          sql: sql`last_value(${value.sql} ignore nulls) over ${running}`,
          type: { ...value.type, absent: value.type.absent === 'never' ? 'never' : 'null' },
          ...(value.fails === undefined ? {} : { fails: value.fails }),
        }
      },
      toJson: () => ({ $locf: expressionToJson(operand) }),
    }
  },
}
