import { comparison } from './comparison.js'

export const gte = comparison({
  name: '$gte',
  holds: [0, 1],
  doc: {
    form: '{ $gte: [<expression>, <expression>] }',
    meaning: 'Whether the first value is above the second or equal to it.',
    example: { expression: { $gte: ['$score', 3.5] }, document: { score: 3.5 }, result: true },
  },
})
