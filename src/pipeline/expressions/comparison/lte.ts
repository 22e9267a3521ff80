import { comparison } from './comparison.js'

export const lte = comparison({
  name: '$lte',
  holds: [-1, 0],
  doc: {
    form: '{ $lte: [<expression>, <expression>] }',
    meaning: 'Whether the first value is below the second or equal to it.',
    example: { expression: { $lte: ['$score', 3.5] }, document: { score: 3.5 }, result: true },
  },
})
