import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import type { TimeSpan } from '../../src/pipeline/index.js'
import type { Asker } from '../../src/questions/asker.js'
import { settledApart } from '../../src/questions/settled.js'

const HOUR_MS = 3_600_000
const now = Date.parse('2026-03-30T09:30:00Z')
const at = (hours: number) => new Date(now + hours * HOUR_MS)

function apart(spans: readonly TimeSpan[], keepsSettled = true) {
  return settledApart({ now, keepsSettled, project: { timezone: 'Europe/Berlin' } } as Asker, spans)
}

it('what is over, the two days before today and today are asked for by themselves, each as long as the clocks say', () => {
  // Clocks there went an hour ahead in the night to Sunday the 29th.
  const [daysBefore, today] = [new Date('2026-03-27T23:00:00Z'), new Date('2026-03-29T22:00:00Z')]
  expect(apart([{}])).toEqual([
    { spans: [{ before: daysBefore }], of: [0] },
    { spans: [{ from: daysBefore, before: today }], of: [0] },
    { spans: [{ from: today }], of: [0] },
  ])
  expect(apart([{ before: today }])).toHaveLength(2)
  expect(apart([{ from: today }])).toHaveLength(1)
})

it('where nothing is kept all is asked for together', () => {
  const spans = [{ before: at(-100) }, { from: at(-100) }]
  expect(apart(spans, false)).toEqual([{ spans, of: [0, 1] }])
})

const hour = fc.option(fc.integer({ min: -200, max: 48 }), { nil: undefined })
const span = fc.tuple(hour, hour).map(([from, before]): TimeSpan => ({
  ...(from !== undefined && { from: at(from) }),
  ...(before !== undefined && { before: at(before) }),
}))

it('every instant of a time is in one part of it, and no other is', () => {
  const isIn = (instant: Date, { from, before }: TimeSpan) =>
    (from === undefined || instant >= from) && (before === undefined || instant < before)
  fc.assert(
    fc.property(fc.array(span, { minLength: 1, maxLength: 4 }), fc.integer({ min: -210, max: 60 }), (spans, hours) => {
      const instant = at(hours + 0.5)
      const found = apart(spans).flatMap(part =>
        part.spans.flatMap((one, i) => (isIn(instant, one) ? [part.of[i]!] : [])),
      )
      const expected = spans.flatMap((one, i) => (isIn(instant, one) ? [i] : []))
      expect(found.toSorted((a, b) => a - b)).toEqual(expected)
    }),
  )
})
