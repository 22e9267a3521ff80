import { comparison } from './comparison.js'

export const eq = comparison({
  name: '$eq',
  holds: [0],
  doc: {
    form: '{ $eq: [<expression>, <expression>] }',
    meaning: 'Whether two values are equal: numbers by value, documents with their fields in order, arrays as wholes.',
    example: { expression: { $eq: ['$channel', 'phone'] }, document: { channel: 'phone' }, result: true },
  },
})
