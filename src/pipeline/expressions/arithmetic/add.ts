import { DATE } from '../../given-type.js'
import { arithmetic } from './arithmetic.js'

/** The sum; a date and milliseconds give a date. */
export const add = arithmetic({
  name: '$add',
  doc: {
    form: '{ $add: [<number or date>, …] }',
    meaning:
      'The sum; a date and numbers give the date so many milliseconds later. Null or missing makes it null. Integers stay integers and widen.',
    example: {
      expression: { $add: ['$hold_s', '$talk_s', 1] },
      document: { hold_s: 20, talk_s: 100.5 },
      result: 121.5,
    },
  },
  arity: [0, Infinity],
  integers: (a, b) => a + b,
  doubles: (a, b) => a + b,
  bits: (a, b) => Math.max(a, b) + 1,
  gives: (operands, typeOf) => (operands.some(one => typeOf(one)?.kind === 'date') ? DATE : undefined),
  sign: '+',
  neutral: 0,
})
