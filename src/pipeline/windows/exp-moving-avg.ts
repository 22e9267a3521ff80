import { evaluateExpression, expressionToJson } from '../evaluate-expression.js'
import { parseExpression } from '../expressions/parse-expression.js'
import { readLiteral } from '../extended-json.js'
import { at } from '../parse-context.js'
import { Refusal } from '../refusal.js'
import { readOptions } from '../stages/read-options.js'
import { double, isNumeric, toNumber } from '../value.js'
import type { WindowFunction } from './window-function.js'

function readAlpha(n: unknown, alpha: unknown, where: string): number {
  if ((n === undefined) === (alpha === undefined)) throw new Refusal(where, '$expMovingAvg takes either N or alpha')
  const value = readLiteral(n ?? alpha, where)
  const number = isNumeric(value) ? toNumber(value) : Number.NaN
  if (n !== undefined) {
    if (!Number.isInteger(number) || number < 1) throw new Refusal(`${where}.N`, 'is a whole number from 1')
    return 2 / (number + 1)
  }
  if (!(number > 0 && number < 1)) throw new Refusal(`${where}.alpha`, 'is a number between 0 and 1, both excluded')
  return number
}

export const expMovingAvg: WindowFunction = {
  name: '$expMovingAvg',
  doc: {
    form: '{ $expMovingAvg: { input: <expression>, N: <whole number> } } or { $expMovingAvg: { input: <expression>, alpha: <number> } }',
    meaning:
      'The exponential moving average in the order of sortBy: alpha times the value plus 1 - alpha times the average so far, where alpha is 2 / (N + 1). What is not a number is passed over.',
    example: {
      documents: [
        { day: 1, calls: 10 },
        { day: 2, calls: 20 },
      ],
      pipeline: [
        {
          $setWindowFields: {
            sortBy: { day: 1 },
            output: { trend: { $expMovingAvg: { input: '$calls', alpha: 0.5 } } },
          },
        },
      ],
      result: [
        { day: 1, calls: 10, trend: 10 },
        { day: 2, calls: 20, trend: 15 },
      ],
    },
  },
  window: 'none',
  sort: 'any',
  parse: (argument, context) => {
    const options = readOptions(argument, '$expMovingAvg', ['input', 'N', 'alpha'], context)
    if (options.input === undefined) throw new Refusal(context.where, '$expMovingAvg needs input')
    const input = parseExpression(options.input, at(context, 'input'))
    const alpha = readAlpha(options.N, options.alpha, context.where)
    return {
      operands: [input],
      run: partition => {
        let average: number | undefined
        return Array.from({ length: partition.size }, (_, i) => {
          const value = evaluateExpression(input, partition.environment(i))
          if (isNumeric(value)) {
            const number = toNumber(value)
            average = average === undefined ? number : number * alpha + average * (1 - alpha)
          }
          return average === undefined ? null : double(average)
        })
      },
      // Each value depends on the one before: no window of the engine's.
      sql: () => undefined,
      toJson: () => ({ $expMovingAvg: { input: expressionToJson(input), alpha } }),
    }
  },
}
