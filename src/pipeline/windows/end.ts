import type { SqlType } from '../compile/types.js'
import { sql } from '../compile/sql.js'
import { evaluateExpression, expressionToJson } from '../evaluate-expression.js'
import { parseExpression } from '../expressions/parse-expression.js'
import { eitherType } from '../given-type.js'
import type { OperatorDoc } from '../operator-doc.js'
import type { WindowFunction } from './window-function.js'

/** $first and $last of a window: the value of its document at an end; null where the window is empty. */
export function windowEnd(name: '$first' | '$last', doc: OperatorDoc): WindowFunction {
  return {
    name,
    doc,
    window: 'optional',
    sort: 'any',
    parse: (argument, context) => {
      const operand = parseExpression(argument, context)
      return {
        operands: [operand],
        gives: typeOf => eitherType([operand], typeOf),
        run: partition =>
          Array.from({ length: partition.size }, (_, i) => {
            const [from, to] = partition.frame(i)
            if (from === to) return null
            return evaluateExpression(operand, partition.environment(name === '$first' ? from : to - 1))
          }),
        sql: ({ context: compile, framed, holdsCurrent }) => {
          const value = compile.expression(operand)
          if (value === undefined || framed === undefined || value.isInt !== undefined || !holdsCurrent)
            return undefined
          if (value.type.kind === 'nothing') return undefined
          const type: SqlType = value.type
          const call = name === '$first' ? sql`first_value` : sql`last_value`
          return {
            sql: sql`${call}(${value.sql}) over ${framed}`,
            type,
            ...(value.fails === undefined ? {} : { fails: value.fails }),
          }
        },
        toJson: () => ({ [name]: expressionToJson(operand) }),
      }
    },
  }
}
