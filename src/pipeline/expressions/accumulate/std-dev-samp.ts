import { deviation } from '../../accumulators/gatherings/deviation.js'
import { deviationOfSql } from './deviation-of-sql.js'
import { overValues } from './over-values.js'

export const stdDevSampOf = overValues({
  name: '$stdDevSamp',
  doc: {
    form: '{ $stdDevSamp: <array> } or { $stdDevSamp: [<expression>, …] }',
    meaning: 'The standard deviation of the numbers as a sample; null for fewer than two.',
    example: { expression: { $stdDevSamp: '$n' }, document: { n: [1, 2, 3] }, result: 1 },
  },
  start: () => deviation('sample'),
  sql: (list, of) => deviationOfSql('sample', list, of),
})
