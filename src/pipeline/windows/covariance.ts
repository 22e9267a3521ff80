import { evaluateExpression, expressionToJson } from '../evaluate-expression.js'
import { parseExpression } from '../expressions/parse-expression.js'
import type { OperatorDoc } from '../operator-doc.js'
import { at } from '../parse-context.js'
import { Refusal } from '../refusal.js'
import { type Value, double, isNumeric, toNumber } from '../value.js'
import type { WindowFunction } from './window-function.js'

/**
 * $covariancePop and $covarianceSamp of two numbers over a window; documents without both are passed over. Evaluated: the
 * engine's own covariances add in another order, so that last digits differ, and all of them where two numbers hardly vary
 * together and little is left of what is added.
 */
export function covariance(name: '$covariancePop' | '$covarianceSamp', doc: OperatorDoc): WindowFunction {
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
        sql: () => undefined,
        toJson: () => ({ [name]: operands.map(expressionToJson) }),
      }
    },
  }
}
