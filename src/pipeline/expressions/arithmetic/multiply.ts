import { arithmetic } from './arithmetic.js'

export const multiply = arithmetic({
  name: '$multiply',
  doc: {
    form: '{ $multiply: [<number>, …] }',
    meaning: 'The product. Null or missing makes it null. Integers stay integers and widen.',
    example: { expression: { $multiply: ['$score', 20] }, document: { score: 4.5 }, result: 90 },
  },
  arity: [0, Infinity],
  integers: (a, b) => a * b,
  doubles: (a, b) => a * b,
  bits: (a, b) => a + b,
  sign: '*',
  neutral: 1,
})
