import { windowEnd } from './end.js'

export const first = windowEnd('$first', {
  form: '{ $first: <expression>, window: { … } }',
  meaning: "The value of the window's first document in the order of sortBy; null where the window is empty.",
  example: {
    documents: [
      { day: 1, score: 4 },
      { day: 2, score: 2 },
    ],
    pipeline: [{ $setWindowFields: { sortBy: { day: 1 }, output: { start: { $first: '$score' } } } }],
    result: [
      { day: 1, score: 4, start: 4 },
      { day: 2, score: 2, start: 4 },
    ],
  },
})
