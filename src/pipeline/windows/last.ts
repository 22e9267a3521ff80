import { windowEnd } from './end.js'

export const last = windowEnd('$last', {
  form: '{ $last: <expression>, window: { … } }',
  meaning: "The value of the window's last document in the order of sortBy; null where the window is empty.",
  example: {
    documents: [
      { day: 1, score: 4 },
      { day: 2, score: 2 },
    ],
    pipeline: [{ $setWindowFields: { sortBy: { day: 1 }, output: { end: { $last: '$score' } } } }],
    result: [
      { day: 1, score: 4, end: 2 },
      { day: 2, score: 2, end: 2 },
    ],
  },
})
