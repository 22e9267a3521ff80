import { evaluateExpression, expressionToJson } from '../evaluate-expression.js'
import { ExpressionError } from '../expressions/expression-error.js'
import { parseExpression } from '../expressions/parse-expression.js'
import { compareValues } from '../order.js'
import { type Value, double, isNumeric, toNumber } from '../value.js'
import type { Partition, WindowFunction } from './window-function.js'

const NAME = '$linearFill'

/** The field sorted by as numbers: all numbers or all dates, none twice. */
function positions(partition: Partition): readonly number[] {
  const values = Array.from({ length: partition.size }, (_, i): number | bigint | Date | object => {
    const value = partition.sortValue(i)
    if (!isNumeric(value) && !(value instanceof Date)) {
      throw new ExpressionError(NAME, 'needs numbers or dates in the field that is sorted by')
    }
    return value
  }) as readonly Value[]
  for (const [i, value] of values.entries()) {
    if (i === 0) continue
    if (value instanceof Date !== values[i - 1] instanceof Date) {
      throw new ExpressionError(NAME, 'needs either numbers or dates in the field that is sorted by, not both')
    }
    if (compareValues(value, values[i - 1]) === 0) {
      throw new ExpressionError(NAME, 'needs every value of the field that is sorted by only once in a partition')
    }
  }
  return values.map(value => (value instanceof Date ? value.getTime() : toNumber(value as number)))
}

/** Fills gaps on the straight line between the values around them. */
export const linearFill: WindowFunction = {
  name: NAME,
  doc: {
    form: '{ $linearFill: <expression> }',
    meaning:
      'The number, or where it is null or missing the one on the straight line between the numbers before and after, by the field sorted by (numbers or dates, none twice); null at the ends.',
    example: {
      documents: [{ day: 1, open: 4 }, { day: 2 }, { day: 3, open: 8 }],
      pipeline: [{ $setWindowFields: { sortBy: { day: 1 }, output: { open: { $linearFill: '$open' } } } }],
      result: [
        { day: 1, open: 4 },
        { day: 2, open: 6 },
        { day: 3, open: 8 },
      ],
    },
  },
  window: 'none',
  sort: 'ascending',
  parse: (argument, context) => {
    const operand = parseExpression(argument, context)
    return {
      operands: [operand],
      run: partition => {
        const xs = positions(partition)
        const ys = xs.map((_, i) => evaluateExpression(operand, partition.environment(i)) ?? null)
        if (ys.some(y => y !== null && !isNumeric(y))) throw new ExpressionError(NAME, 'fills numbers only')
        let before = -1
        let after = 0
        return ys.map((y, i) => {
          if (y !== null) {
            before = i
            return y
          }
          if (after <= i) after = ys.findIndex((one, place) => place > i && one !== null)
          if (before === -1 || after === -1) {
            if (after === -1) after = ys.length
            return null
          }
          if (after >= ys.length) return null
          const [low, high] = [toNumber(ys[before] as number), toNumber(ys[after] as number)]
          return double(low + (xs[i]! - xs[before]!) * ((high - low) / (xs[after]! - xs[before]!)))
        })
      },
      sql: () => undefined,
      toJson: () => ({ [NAME]: expressionToJson(operand) }),
    }
  },
}
