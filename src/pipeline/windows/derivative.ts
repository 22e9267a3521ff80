import { double } from '../value.js'
import { rate } from './rate.js'

/** How fast a value changes over a window. */
export const derivative = rate({
  name: '$derivative',
  doc: {
    form: '{ $derivative: { input: <expression>, unit: <time unit> }, window: { … } }',
    meaning:
      'The mean rate of change over the window: the difference of its last and first input by the difference of the field sorted by, per unit where that holds dates. Null where the difference is 0.',
    example: {
      documents: [
        { at: { $date: '2026-03-01T00:00:00Z' }, open: 10 },
        { at: { $date: '2026-03-01T02:00:00Z' }, open: 16 },
      ],
      pipeline: [
        {
          $setWindowFields: {
            sortBy: { at: 1 },
            output: { perHour: { $derivative: { input: '$open', unit: 'hour' }, window: { documents: [-1, 0] } } },
          },
        },
        { $project: { open: 1, perHour: 1 } },
      ],
      result: [
        { open: 10, perHour: null },
        { open: 16, perHour: 3 },
      ],
    },
  },
  window: 'required',
  value: (point, from, to, millis) => {
    if (from === to) return null
    const first = point(from)
    const last = point(to - 1)
    const run = last.x - first.x
    return run === 0 ? null : double(((last.y - first.y) / run) * millis)
  },
})
