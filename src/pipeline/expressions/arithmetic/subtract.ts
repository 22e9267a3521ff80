import { DATE } from '../../given-type.js'
import { isNumeric } from '../../value.js'
import { arithmetic } from './arithmetic.js'

/** The difference; of two dates in milliseconds. */
export const subtract = arithmetic({
  name: '$subtract',
  doc: {
    form: '{ $subtract: [<number or date>, <number or date>] }',
    meaning:
      'The difference: of two dates in milliseconds, of a date and a number the date so many milliseconds earlier. Null or missing makes it null.',
    example: {
      expression: { $subtract: ['$score', '$predicted_csat'] },
      document: { score: 4.5, predicted_csat: 4 },
      result: 0.5,
    },
  },
  arity: [2, 2],
  integers: (a, b) => a - b,
  doubles: (a, b) => a - b,
  bits: (a, b) => Math.max(a, b) + 1,
  // Of two dates it is a number.
  gives: ([from, amount], typeOf) =>
    amount?.kind === 'literal' && isNumeric(amount.value) && from && typeOf(from)?.kind === 'date' ? DATE : undefined,
  sign: '-',
  neutral: 0,
})
