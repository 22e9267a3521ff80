import { describe, expect, test } from 'vitest'
import { ALLOWED, ALLOWED_WORST, MONTHS, NULL_WORLDS, POWER } from '../../bench/statistics/promises.js'
import { pooledTests } from '../../bench/statistics/pooled-tests.js'
import { falseAlarms, type Method, power, withinAgents } from '../../bench/statistics/run-cell.js'
import type { Windows } from '../../bench/statistics/world.js'
import { isTried, sized } from '../support/whole.js'

// A part of `npm run bench:statistics`, with fixed seeds: what detect_changes calls a change where nothing changed, and
// how much of what did change it finds.

/**
 * Of each cell. A mean of three cells is then known to 2 % of worlds where 4 % have something that stands out, so that 12 %
 * is four standard errors away, and a method that says it of 20 % is told; tests that take calls as independent say it of 40 % and more.
 */
const WORLDS = 40
/** What is found has to be known closer: to 8 % of worlds at a half, 5 % at nine in ten. */
const POWER_WORLDS = sized(35, 50)
/** Those are told from fewer. */
const POOLED_WORLDS = sized(14, 20)
const SIZES = [
  { calls: 500, agents: 3 },
  { calls: 500, agents: 12 },
  { calls: 2_500, agents: 12 },
]

interface Tried {
  readonly method?: Method
  readonly windows?: Windows
  readonly worlds?: number
}

/** What of the promise is broken in a world, in words. */
function broken(
  name: string,
  { method = withinAgents, windows = MONTHS, worlds = WORLDS }: Tried = {},
): readonly string[] {
  const rules = NULL_WORLDS[name]!
  const cells = SIZES.map((size, i) => falseAlarms({ rules, size, windows, worlds, seed: i + 1 }, method))
  return (['any', 'medium', 'high'] as const).flatMap(level => {
    const all = cells.map(cell => cell[level])
    const mean = all.reduce((sum, one) => sum + one, 0) / all.length
    const worst = Math.max(...all)
    const most = level === 'any' ? Infinity : ALLOWED_WORST[level]
    return mean <= ALLOWED[level] && worst <= most ? [] : [`${level}: mean ${mean}, worst ${worst}`]
  })
}

describe('where nothing changed, hardly anything stands out', () => {
  test.each(Object.keys(NULL_WORLDS).filter((_, row) => isTried(row, 0, 2)))('%s', name => {
    expect(broken(name)).toEqual([])
  })

  test('without earlier calls nothing is high, and hardly anything stands out', () => {
    const windows = { ...MONTHS, pairs: 0 }
    for (const name of ['d: agents drift', 'c: a third of the agents is replaced'].slice(0, sized(1, 2))) {
      expect(broken(name, { windows })).toEqual([])
      const cell = { rules: NULL_WORLDS[name]!, size: SIZES[2]!, windows, worlds: 20, seed: 9 }
      expect(falseAlarms(cell).high).toBe(0)
    }
  })

  test('of tests that take calls as independent this could not be said', () => {
    const tried = { method: pooledTests, worlds: POOLED_WORLDS }
    for (const name of ['c: a third of the agents is replaced', 'd: agents drift', 'e: both']) {
      expect(broken(name, tried)).toHaveLength(3)
    }
    expect(broken('a: independent calls', { method: pooledTests })).toEqual([])
  })
})

describe('what changed is found', () => {
  test.each(POWER.flatMap(one => one.least.filter(([, least]) => least > 0).map(cell => ({ ...one, cell }))))(
    '$name, $cell.0.calls calls of $cell.0.agents agents',
    ({ effect, share, cell: [size, least] }) => {
      const given = { size, windows: MONTHS, worlds: POWER_WORLDS, seed: 3, effect }
      expect(power(share === undefined ? given : { ...given, share })).toBeGreaterThanOrEqual(least)
    },
  )
})
