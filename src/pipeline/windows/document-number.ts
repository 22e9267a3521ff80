import { sql } from '../compile/sql.js'
import { ranking } from './ranking.js'

export const documentNumber = ranking({
  name: '$documentNumber',
  doc: {
    form: '{ $documentNumber: {} }',
    meaning:
      'The number of a document in its partition in the order of sortBy, from 1. Equal documents get different numbers.',
    example: {
      documents: [
        { agent: 'Ana', day: 2 },
        { agent: 'Ana', day: 1 },
      ],
      pipeline: [
        { $setWindowFields: { partitionBy: '$agent', sortBy: { day: 1 }, output: { n: { $documentNumber: {} } } } },
      ],
      result: [
        { agent: 'Ana', day: 1, n: 1 },
        { agent: 'Ana', day: 2, n: 2 },
      ],
    },
  },
  sort: 'one',
  run: partition => Array.from({ length: partition.size }, (_, i) => i + 1),
  sql: ({ ordered }) => sql`row_number() over ${ordered}`,
})
