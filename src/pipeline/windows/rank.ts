import { sql } from '../compile/sql.js'
import { ranking } from './ranking.js'

/** The place of a document; equal ones share a place and the places after them are left out. */
export const rank = ranking({
  name: '$rank',
  doc: {
    form: '{ $rank: {} }',
    meaning:
      'The place of a document in the order of sortBy, from 1. Equal documents share a place, and as many places after them are left out.',
    example: {
      documents: [{ score: 5 }, { score: 5 }, { score: 3 }],
      pipeline: [{ $setWindowFields: { sortBy: { score: -1 }, output: { place: { $rank: {} } } } }],
      result: [
        { score: 5, place: 1 },
        { score: 5, place: 1 },
        { score: 3, place: 3 },
      ],
    },
  },
  sort: 'one',
  run: partition => {
    let place = 1
    return Array.from({ length: partition.size }, (_, i) => {
      if (i > 0 && !partition.isPeer(i, i - 1)) place = i + 1
      return place
    })
  },
  sql: ({ peers }) => peers && sql`rank() over ${peers}`,
})
