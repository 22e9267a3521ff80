import { double } from '../value.js'
import { compensatedSum } from '../accumulators/gatherings/compensated-sum.js'
import { rate } from './rate.js'

/** The area under a value over a window. */
export const integral = rate({
  name: '$integral',
  doc: {
    form: '{ $integral: { input: <expression>, unit: <time unit> }, window: { … } }',
    meaning:
      'The area under the input over the window by the trapezoidal rule, in units of time where the field sorted by holds dates. 0 for a single document.',
    example: {
      documents: [
        { hour: 0, load: 2 },
        { hour: 2, load: 4 },
      ],
      pipeline: [{ $setWindowFields: { sortBy: { hour: 1 }, output: { area: { $integral: { input: '$load' } } } } }],
      result: [
        { hour: 0, load: 2, area: 6 },
        { hour: 2, load: 4, area: 6 },
      ],
    },
  },
  window: 'optional',
  value: (point, from, to, millis) => {
    if (from === to) return null
    const area = compensatedSum()
    let before = point(from)
    for (let place = from + 1; place < to; place += 1) {
      const next = point(place)
      area.add(((before.y + next.y) * (next.x - before.x)) / 2)
      before = next
    }
    return double(area.result() / millis)
  },
})
