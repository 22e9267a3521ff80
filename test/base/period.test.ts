import { describe, expect, test } from 'vitest'
import { readPeriod } from '../../src/base/period.js'

// A Wednesday, 14:30 in Berlin (summer time).
const NOW = Date.parse('2026-05-13T12:30:00Z')

const read = (text: string, zone = 'Europe/Berlin', now = NOW) => {
  const { from, until, before } = readPeriod(text, 'period', now, zone)
  return [from, until, before.from, before.until].map(instant => new Date(instant).toISOString().replace('.000Z', 'Z'))
}

describe('a period is read in the project’s calendar and compared with the one before', () => {
  test.each<[string, string[]]>([
    ['today', ['2026-05-12T22:00:00Z', '2026-05-13T12:30:00Z', '2026-05-11T22:00:00Z', '2026-05-12T12:30:00Z']],
    ['yesterday', ['2026-05-11T22:00:00Z', '2026-05-12T22:00:00Z', '2026-05-10T22:00:00Z', '2026-05-11T22:00:00Z']],
    ['this week', ['2026-05-10T22:00:00Z', '2026-05-13T12:30:00Z', '2026-05-03T22:00:00Z', '2026-05-06T12:30:00Z']],
    ['last week', ['2026-05-03T22:00:00Z', '2026-05-10T22:00:00Z', '2026-04-26T22:00:00Z', '2026-05-03T22:00:00Z']],
    ['Last  Month', ['2026-03-31T22:00:00Z', '2026-04-30T22:00:00Z', '2026-02-28T23:00:00Z', '2026-03-31T22:00:00Z']],
    ['last quarter', ['2025-12-31T23:00:00Z', '2026-03-31T22:00:00Z', '2025-09-30T22:00:00Z', '2025-12-31T23:00:00Z']],
    ['this year', ['2025-12-31T23:00:00Z', '2026-05-13T12:30:00Z', '2024-12-31T23:00:00Z', '2025-05-13T12:30:00Z']],
    ['last 7 days', ['2026-05-05T22:00:00Z', '2026-05-12T22:00:00Z', '2026-04-28T22:00:00Z', '2026-05-05T22:00:00Z']],
    ['last 1 week', ['2026-05-05T22:00:00Z', '2026-05-12T22:00:00Z', '2026-04-28T22:00:00Z', '2026-05-05T22:00:00Z']],
    ['2026-03', ['2026-02-28T23:00:00Z', '2026-03-31T22:00:00Z', '2026-01-31T23:00:00Z', '2026-02-28T23:00:00Z']],
    ['2026-03-29', ['2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z', '2026-03-27T23:00:00Z', '2026-03-28T23:00:00Z']],
    ['2026-W01', ['2025-12-28T23:00:00Z', '2026-01-04T23:00:00Z', '2025-12-21T23:00:00Z', '2025-12-28T23:00:00Z']],
    // Ten local days that hold the change to summer time are an hour short; so the ten before are not.
    [
      '2026-03-25 to 2026-04-03',
      ['2026-03-24T23:00:00Z', '2026-04-03T22:00:00Z', '2026-03-14T23:00:00Z', '2026-03-24T23:00:00Z'],
    ],
  ])('%s', (text, expected) => {
    expect(read(text)).toEqual(expected)
  })

  test('a long month so far is compared with all of a short one, never with days of the month itself', () => {
    expect(read('this month', 'UTC', Date.parse('2026-03-31T10:00:00Z'))).toEqual([
      '2026-03-01T00:00:00Z',
      '2026-03-31T10:00:00Z',
      '2026-02-01T00:00:00Z',
      '2026-02-28T10:00:00Z',
    ])
  })

  test('a midnight that does not exist moves forward', () => {
    // In Beirut the clock jumps from midnight to one on 2026-03-29.
    expect(read('2026-03-29 to 2026-03-29', 'Asia/Beirut')[0]).toBe('2026-03-28T22:00:00Z')
  })
})

test.each([
  '',
  'soon',
  'last 0 days',
  'last 9999 days',
  '2026-13',
  '2026-W54',
  '2025-W53',
  '2026-02-30 to 2026-03-01',
  'next week',
])('%j is refused with the forms there are', text => {
  expect(() => read(text)).toThrow(/"period".*last N days.*2026-W10/)
})

test('two dates in the wrong order are refused by naming both', () => {
  expect(() => read('2026-03-02 to 2026-03-01')).toThrow('Argument "period": "2026-03-02" is after "2026-03-01"')
})
