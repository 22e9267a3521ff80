import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Schedule } from '../../src/tasks/schedule.js'
import { refusal } from '../support/access.js'

const at = (text: string) => Date.parse(text)
const times = (cron: string, zone: string, from: string, count = 3) =>
  Schedule.read(cron, zone, at(from)).nextTimes(count, at(from))

describe('times', () => {
  it('are of the zone', () => {
    expect(times('30 6 * * 1', 'Europe/Berlin', '2026-11-21T12:00:00Z')).toEqual([
      '2026-11-23T05:30:00.000Z',
      '2026-11-30T05:30:00.000Z',
      '2026-12-07T05:30:00.000Z',
    ])
    expect(times('@daily', 'Asia/Kolkata', '2026-11-21T12:00:00Z', 1)).toEqual(['2026-11-21T18:30:00.000Z'])
  })

  it('that are left out where clocks go forward are due at the first instant after the gap', () => {
    expect(times('30 2 * * *', 'Europe/Berlin', '2026-03-28T00:00:00Z')).toEqual([
      '2026-03-28T01:30:00.000Z',
      '2026-03-29T01:00:00.000Z',
      '2026-03-30T00:30:00.000Z',
    ])
  })

  it('that come twice where clocks go back are due once', () => {
    expect(times('30 2,14 * * *', 'Europe/Berlin', '2026-10-24T13:00:00Z')).toEqual([
      '2026-10-25T00:30:00.000Z',
      '2026-10-25T13:30:00.000Z',
      '2026-10-26T01:30:00.000Z',
    ])
  })

  it('of steps go by elapsed time through both', () => {
    expect(times('*/30 * * * *', 'Europe/Berlin', '2026-03-29T00:30:00Z')).toEqual([
      '2026-03-29T01:00:00.000Z',
      '2026-03-29T01:30:00.000Z',
      '2026-03-29T02:00:00.000Z',
    ])
    expect(times('0 * * * *', 'Europe/Berlin', '2026-10-24T23:30:00Z')).toEqual([
      '2026-10-25T00:00:00.000Z',
      '2026-10-25T01:00:00.000Z',
      '2026-10-25T02:00:00.000Z',
    ])
  })

  it('come strictly one after the other, whatever the fields and the zone', () => {
    const field = (low: number, high: number) =>
      fc.oneof(
        fc.constant('*'),
        fc.integer({ min: low, max: high }).map(String),
        fc.integer({ min: 2, max: 20 }).map(n => `*/${n}`),
      )
    const zone = fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu')
    fc.assert(
      fc.property(
        field(0, 59),
        field(0, 23),
        zone,
        fc.date({ min: new Date('2025-01-01'), max: new Date('2028-01-01'), noInvalidDate: true }),
        (minute, hour, timeZone, from) => {
          const found = Schedule.read(`${minute} ${hour} * * *`, timeZone, from.getTime()).nextTimes(6, from.getTime())
          const instants = [from.getTime(), ...found.map(at)]
          expect(found).toHaveLength(6)
          expect(instants.every((one, i) => i === 0 || one > instants[i - 1]!)).toBe(true)
        },
      ),
      { numRuns: 60 },
    )
  })
})

describe('what is no schedule', () => {
  const now = at('2026-11-21T12:00:00Z')
  const said = (cron: string) => refusal(() => Schedule.read(cron, 'UTC', now))

  it('is refused with the reason and the forms', async () => {
    expect(await said('61 * * * *')).toBe(
      'invalid_input: Schedule "61 * * * *" is not a cron expression (Invalid value for minute: 61): five fields (minute, hour, day of the month, month, day of the week), six with seconds first, or a word such as @daily',
    )
    for (const wrong of ['', 'x', 'a b c d e', '* * *', '* * * * * * *', '*/0 * * * *', '5-1 * * * *', '@reboot']) {
      expect(await said(wrong)).toMatch(/^invalid_input: Schedule .* is not a cron expression/)
    }
  })

  it('is one that names no time that comes, and a date', async () => {
    expect(await said('0 0 30 2 *')).toBe('invalid_input: Schedule "0 0 30 2 *" names no time that ever comes')
    expect(await said('2026-12-01T00:00:00')).toMatch(/is not a cron expression: five fields/)
  })
})
