import { describe, expect, test } from 'vitest'
import { periodsCompared, type PeriodsCompared } from '../../../src/questions/changes/periods-compared.js'

// What a comparison rests on: which times are held against which.

const span = (from: string, until: string) => ({ from: Date.parse(from), until: Date.parse(until) })
const hour = (at: number) => new Date(at).toISOString().slice(0, 13)
/** From and until of what a column holds, all pieces of it being neighbours. */
const held = ({ columns, pieces }: PeriodsCompared, column: number) => {
  const of = columns[column]!.map(piece => pieces[piece]!)
  return [hour(of[0]!.from), hour(of.at(-1)!.until)]
}

describe('a day that has begun counts as one', () => {
  test('in thirds of periods that end within a day', () => {
    const window = span('2026-11-01', '2026-11-23T15:00Z')
    const parts = [span('2026-10-01', '2026-10-23T15:00Z')]
    const compared = periodsCompared({ window, parts }, Date.parse('2026-10-01'), 'UTC')
    expect(compared.comparison.hasHistory).toBe(false)
    expect(compared.comparison.earlier.map(({ now }) => held(compared, now))).toEqual([
      ['2026-11-09T00', '2026-11-16T00'],
      ['2026-11-16T00', '2026-11-23T15'],
      ['2026-10-09T00', '2026-10-16T00'],
      ['2026-10-16T00', '2026-10-23T15'],
    ])
  })

  test('of three begun days there are thirds', () => {
    const window = span('2026-11-09', '2026-11-11T12:00Z')
    const parts = [span('2026-11-02', '2026-11-04T12:00Z')]
    const compared = periodsCompared({ window, parts }, Date.parse('2026-11-02'), 'UTC')
    expect(compared.comparison.earlier).toHaveLength(4)
  })

  test('in how far apart earlier pairs are: their periods have nothing in common', () => {
    const window = span('2026-11-09', '2026-11-11T12:00Z')
    const parts = [span('2026-08-01', '2026-11-09')]
    const compared = periodsCompared({ window, parts }, Date.parse('2026-01-01'), 'UTC')
    const later = compared.comparison.earlier.map(({ now }) => held(compared, now))
    expect(later.slice(0, 2)).toEqual([
      ['2026-11-06T00', '2026-11-08T12'],
      ['2026-11-03T00', '2026-11-05T12'],
    ])
  })
})
