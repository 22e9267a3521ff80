import { comparison } from './comparison.js'

export const gt = comparison({
  name: '$gt',
  holds: [1],
  doc: {
    form: '{ $gt: [<expression>, <expression>] }',
    meaning:
      'Whether the first value is above the second; across types by the order of types, so that a string is above every number.',
    example: { expression: { $gt: ['$score', 3] }, document: { score: 3.5 }, result: true },
  },
})
