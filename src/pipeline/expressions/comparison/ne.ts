import { comparison } from './comparison.js'

export const ne = comparison({
  name: '$ne',
  holds: [-1, 1],
  doc: {
    form: '{ $ne: [<expression>, <expression>] }',
    meaning: 'Whether two values differ.',
    example: { expression: { $ne: ['$channel', 'phone'] }, document: { channel: 'chat' }, result: true },
  },
})
