import { numbersSql } from '../accumulators/numbers-sql.js'
import { firstFailure } from '../compile/fails.js'
import { sql } from '../compile/sql.js'
import { isBounded } from '../compile/types.js'
import { evaluateExpression, expressionToJson } from '../evaluate-expression.js'
import { parseExpression } from '../expressions/parse-expression.js'
import type { OperatorDoc } from '../operator-doc.js'
import { at } from '../parse-context.js'
import { Refusal } from '../refusal.js'
import { type Value, double, isNumeric, toNumber } from '../value.js'
import type { WindowFunction } from './window-function.js'

/**
 * $covariancePop and $covarianceSamp of two numbers over a window; documents without both are passed over. The engine adds in
 * another order, so that last digits may differ, as they do of its deviations.
 */
export function covariance(name: '$covariancePop' | '$covarianceSamp', doc: OperatorDoc): WindowFunction {
  const engine = name === '$covarianceSamp' ? sql`covar_samp` : sql`covar_pop`
  const less = name === '$covarianceSamp' ? 1 : 0
  const value = (pairs: readonly (readonly [number, number])[]): Value => {
    const count = pairs.length - less
    if (pairs.length === 0 || count <= 0) return null
    const meanX = pairs.reduce((sum, [x]) => sum + x, 0) / pairs.length
    const meanY = pairs.reduce((sum, [, y]) => sum + y, 0) / pairs.length
    return double(pairs.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0) / count)
  }
  return {
    name,
    doc,
    window: 'optional',
    sort: 'free',
    parse: (argument, context) => {
      if (!Array.isArray(argument) || argument.length !== 2) {
        throw new Refusal(context.where, `${name} takes an array of two expressions`)
      }
      const operands = argument.map((item: unknown, i) => parseExpression(item, at(context, i)))
      return {
        operands,
        run: partition => {
          const pairs = Array.from({ length: partition.size }, (_, i): readonly [number, number] | undefined => {
            const [x, y] = operands.map(operand => evaluateExpression(operand, partition.environment(i)))
            return isNumeric(x) && isNumeric(y) ? [toNumber(x), toNumber(y)] : undefined
          })
          return pairs.map((_, i) => value(pairs.slice(...partition.frame(i)).filter(pair => pair !== undefined)))
        },
        sql: ({ context: compile, whole, framed, ranged }) => {
          const [x, y] = operands.map(operand => compile.expression(operand))
          const over = whole ?? framed ?? ranged
          if (x === undefined || y === undefined || over === undefined) return undefined
          const [a, b] = [numbersSql(x), numbersSql(y)]
          if (a === 'nothing' || b === 'nothing') return { sql: sql`null`, type: { kind: 'nothing', absent: 'null' } }
          // The engine raises where products overflow.
          if (!isBounded(a.type) || !isBounded(b.type)) return undefined
          const fails = firstFailure([x.fails, y.fails])
          return {
            sql: sql`${engine}(${b.sql}::double, ${a.sql}::double) over ${over}`,
            type: { kind: 'double', finite: true, absent: 'null' },
            ...(fails === undefined ? {} : { fails }),
          }
        },
        toJson: () => ({ [name]: operands.map(expressionToJson) }),
      }
    },
  }
}
