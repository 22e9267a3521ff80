import { describe, expect, test } from 'vitest'
import { Random } from '../../../src/ingest/generate/random.js'
import type { Tested } from '../../../src/questions/changes/change.js'
import { driverKind } from '../../../src/questions/kinds.js'
import { significantChanges } from '../../../src/questions/changes/significant-changes.js'
import { compareShares } from '../../../src/questions/statistics/compare-shares.js'

const DATA_SETS = 600
const SIGNALS = 100

/** How many of so many calls show something of a given probability. */
function occurrences(calls: number, probability: number, random: Random): number {
  let hits = 0
  for (let i = 0; i < calls; i += 1) if (random.unit() < probability) hits += 1
  return hits
}

function tested(key: string, calls: number, before: number, now: number, random: Random): Tested {
  const hits = occurrences(calls, now, random)
  const baseline = occurrences(calls, before, random)
  return {
    category: 'signals',
    key,
    value: hits / calls,
    baselineValue: baseline / calls,
    occurrences: hits,
    baselineOccurrences: baseline,
    p: compareShares({ hits, of: calls }, { hits: baseline, of: calls }),
    isShare: true,
    kind: driverKind,
    id: undefined,
  }
}

/** The most that a share of `p` shows in so many trials, but for one in about a thousand (three deviations). */
const bound = (trials: number, p: number) => trials * p + 3 * Math.sqrt(trials * p * (1 - p))

describe('among 100 signals that change only by chance', () => {
  test.each([60, 400])('periods of %i calls: hardly any data set shows a change', calls => {
    const random = new Random(calls)
    let high = 0
    let mediumOrHigh = 0
    for (let set = 0; set < DATA_SETS; set += 1) {
      const all = Array.from({ length: SIGNALS }, (_, i) => {
        const probability = 0.02 + (0.6 * i) / SIGNALS
        return tested(`sig.${i}`, calls, probability, probability, random)
      })
      const found = new Set(significantChanges(all).map(change => change.significance))
      if (found.has('high')) high += 1
      if (found.has('high') || found.has('medium')) mediumOrHigh += 1
    }
    expect(high).toBeLessThanOrEqual(bound(DATA_SETS, 0.01))
    expect(mediumOrHigh).toBeLessThanOrEqual(bound(DATA_SETS, 0.05))
  })
})

describe('a share that really doubled, from 10 % to 20 %, among 99 that did not', () => {
  test.each([
    [150, 0.05],
    [500, 0.75],
    [1500, 0.99],
  ])('with %i calls a period it is found at least %d of the time', (calls, least) => {
    const random = new Random(calls + 1)
    const sets = 60
    let found = 0
    for (let set = 0; set < sets; set += 1) {
      const all = Array.from({ length: SIGNALS }, (_, i) =>
        i === 0
          ? tested('sig.planted', calls, 0.1, 0.2, random)
          : tested(`sig.${i}`, calls, 0.1 + i / 300, 0.1 + i / 300, random),
      )
      if (significantChanges(all).some(change => change.key === 'sig.planted' && change.direction === 'up')) found += 1
    }
    expect(found / sets).toBeGreaterThanOrEqual(least)
  })
})

describe('the direction of a change', () => {
  const share = (occurrencesNow: number, occurrencesBefore: number): Tested => ({
    category: 'signals',
    key: 'sig.x',
    value: occurrencesNow / 1000,
    baselineValue: occurrencesBefore / 1000,
    occurrences: occurrencesNow,
    baselineOccurrences: occurrencesBefore,
    p: 1e-6,
    isShare: true,
    kind: driverKind,
    id: undefined,
  })

  test.each([
    [50, 0, 'new'],
    [0, 50, 'gone'],
    [80, 20, 'up'],
    [20, 80, 'down'],
  ])('%i now and %i before is %s', (now, before, direction) => {
    expect(significantChanges([share(now, before)])[0]?.direction).toBe(direction)
  })
})
