import { expect, test } from 'vitest'
import { readBound } from '../../src/base/window.js'

// A Wednesday, a quarter past midnight in Berlin (summer time).
const calendar = { timeZone: 'Europe/Berlin', now: Date.parse('2026-05-12T22:15:00Z') }

test.each([
  ['2026-10-25', '2026-10-24T22:00:00.000Z', '2026-10-25T23:00:00.000Z'],
  ['2026-05-13T08:00:00+02:00', '2026-05-13T06:00:00.000Z', '2026-05-13T06:00:00.001Z'],
])('%s', (text, from, until) => {
  const bound = readBound(text, 'date_from', calendar)
  expect([bound.from, bound.until].map(instant => new Date(instant).toISOString())).toEqual([from, until])
})

// Who writes a period means dates that are easily told; who writes anything else may not know the day.
test.each([
  ['yesterday', '"yesterday"; that is 2026-05-12, and today is 2026-05-13 (Europe/Berlin)'],
  ['Last week', '"Last week"; that is 2026-05-04 to 2026-05-10, and today is'],
  ['this month', '"this month"; that is 2026-05-01 to 2026-05-13, and today is'],
  ['2026-02', '"2026-02"; that is 2026-02-01 to 2026-02-28, and today is'],
  ['2026-W19', '"2026-W19"; that is 2026-05-04 to 2026-05-10, and today is'],
  ['2026-05-01T08:30:00', '"2026-05-01T08:30:00"; that is 2026-05-01T08:30:00+02:00, and today is'],
  ['2026-01-09 08:30', '"2026-01-09 08:30"; that is 2026-01-09T08:30:00+01:00, and today is'],
  ['Monday', '"Monday"; today is 2026-05-13 (Europe/Berlin)'],
  ['20/11/2026', '"20/11/2026"; today is 2026-05-13 (Europe/Berlin)'],
  ['2026-02-30', '"2026-02-30"; today is 2026-05-13 (Europe/Berlin)'],
  ['', '""; today is 2026-05-13 (Europe/Berlin)'],
])('%j is no date; the error says which are meant', (text, said) => {
  const known =
    'Argument "date_to" is neither a date (2026-03-01) nor a date-time with an offset (2026-03-01T12:00:00Z): '
  expect(() => readBound(text, 'date_to', calendar)).toThrow(known + said)
})
