import { comparison } from './comparison.js'

export const lt = comparison({
  name: '$lt',
  holds: [-1],
  doc: {
    form: '{ $lt: [<expression>, <expression>] }',
    meaning: 'Whether the first value is below the second; null is below every value, a missing field below null.',
    example: { expression: { $lt: ['$score', 3] }, document: { score: 3.5 }, result: false },
  },
})
