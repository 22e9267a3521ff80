import { Refusal } from '../../refusal.js'
import { expressionDoc } from '../expression-doc.js'
import type { ExpressionOperator } from '../expression-operator.js'

export const rand: ExpressionOperator = {
  name: '$rand',
  doc: expressionDoc({
    form: '{ $rand: {} }',
    meaning: 'A random number from 0 up to, but not including, 1; a new one for each document.',
    example: { expression: { $lt: [{ $rand: {} }, 1] }, result: true },
  }),
  parse(argument, context) {
    const empty =
      typeof argument === 'object' &&
      argument !== null &&
      !(argument instanceof Date) &&
      Object.keys(argument).length === 0
    if (!empty) throw new Refusal(context.where, '$rand takes an empty object')
    return {
      operator: '$rand',
      operands: [],
      evaluate: () => Math.random(),
      // A step may be read twice, and the engine would draw again; the evaluator draws once a document.
      sql: () => undefined,
      toJson: () => ({ $rand: {} }),
    }
  },
}
