import { quantiles } from '../../accumulators/gatherings/quantiles.js'
import { percentileArguments } from '../../accumulators/percentile-arguments.js'
import { evaluateExpression, expressionToJson } from '../../evaluate-expression.js'
import { isArray } from '../../value.js'
import { type ExpressionDoc, expressionDoc } from '../expression-doc.js'
import type { ExpressionOperator } from '../expression-operator.js'

/** $median and $percentile over the elements of an array, or over one value. */
export function quantileOf(name: '$median' | '$percentile', doc: ExpressionDoc): ExpressionOperator {
  return {
    name,
    doc: expressionDoc(doc),
    parse(argument, context, parse) {
      const { input, shares } = percentileArguments(name, argument, context, parse)
      return {
        operator: name,
        operands: [input],
        evaluate: environment => {
          const gathering = quantiles(shares, found => (name === '$median' ? found[0]! : found))
          const value = evaluateExpression(input, environment)
          for (const one of isArray(value) ? value : [value]) gathering.add(one)
          return gathering.result()
        },
        sql: () => undefined,
        toJson: () => ({
          [name]: {
            input: expressionToJson(input),
            ...(name === '$percentile' ? { p: shares } : {}),
            method: 'approximate',
          },
        }),
      }
    },
  }
}
