import { describe, expect, test } from 'vitest'
import { COUNTS, coverage, KINDS, TEAMS } from '../../bench/statistics/coverage.js'

// A part of `npm run bench:statistics`: how often the interval of an agent's mean holds the true one.

const INTERVALS = 600
/** Standard errors of a percentage of so many intervals by which it may miss the bar by chance. */
const CHANCE = 3 * Math.sqrt((95 * 5) / INTERVALS)

describe.each(Object.entries(TEAMS))('%s', (_, team) => {
  test.each(Object.keys(KINDS))('scores that are %s: 95 % intervals hold the true mean', kind => {
    for (const [i, calls] of COUNTS.entries()) {
      const { held, flat } = coverage(kind, team, { calls, intervals: INTERVALS, seed: i + 1 })
      expect([calls, flat]).toEqual([calls, 0])
      expect([calls, held > team.least - CHANCE]).toEqual([calls, true])
      expect([calls, held < team.most + CHANCE]).toEqual([calls, true])
    }
  })
})
