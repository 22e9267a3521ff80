import { deviation } from '../../accumulators/gatherings/deviation.js'
import { deviationOfSql } from './deviation-of-sql.js'
import { overValues } from './over-values.js'

export const stdDevPopOf = overValues({
  name: '$stdDevPop',
  doc: {
    form: '{ $stdDevPop: <array> } or { $stdDevPop: [<expression>, …] }',
    meaning: 'The standard deviation of the numbers as a whole population; null when there are none.',
    example: { expression: { $stdDevPop: '$n' }, document: { n: [2, 4] }, result: 1 },
  },
  start: () => deviation('population'),
  sql: (list, of) => deviationOfSql('population', list, of),
})
