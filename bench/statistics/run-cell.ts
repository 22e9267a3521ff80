import { comparePeriods } from '../../src/statistics/compare-periods.js'
import { Chance } from './chance.js'
import { drawWorld, type Effect, type Size, type Windows, type World, type WorldRules } from './world.js'

/** How many of the worlds had something that stood out, where nothing had changed. */
export interface FalseAlarms {
  readonly any: number
  readonly medium: number
  readonly high: number
}

/** What a method says of each outcome, then of each agent; undefined where it tests nothing. */
export type Method = (world: World) => readonly ({ readonly q: number; readonly teamQ: number } | undefined)[]

/** The tests of detect_changes. */
export const withinAgents: Method = ({ comparison, outcomes, byAgent }) => {
  const found = comparePeriods(comparison, outcomes, byAgent)
  return [...found.outcomes, ...found.agents]
}

export interface NullCell {
  readonly rules: WorldRules
  readonly size: Size
  readonly windows: Windows
  readonly worlds: number
  readonly seed: number
}

/** In percent of the worlds. */
export function falseAlarms(
  { rules, size, windows, worlds, seed }: NullCell,
  method: Method = withinAgents,
): FalseAlarms {
  let [any, medium, high] = [0, 0, 0]
  const chance = new Chance(seed)
  for (let world = 0; world < worlds; world += 1) {
    const found = method(drawWorld(rules, size, windows, chance)).filter(test => test !== undefined)
    if (found.some(({ q }) => q < 0.1)) any += 1
    if (found.some(({ q }) => q < 0.05)) medium += 1
    if (found.some(({ q, teamQ }) => q < 0.01 && teamQ < 0.05)) high += 1
  }
  const percent = (count: number) => (100 * count) / worlds
  return { any: percent(any), medium: percent(medium), high: percent(high) }
}

export interface PowerCell {
  readonly size: Size
  readonly windows: Windows
  readonly worlds: number
  readonly seed: number
  readonly effect: Effect
  /** Usual share of the outcome. */
  readonly share?: number
}

const FIXED_EFFECTS: WorldRules = { icc: 0.2 }

/** Percent of the worlds in which a true change stands out with q < 0.05; agents differ, and stay as they are. */
export function power(
  { size, windows, worlds, seed, effect, share }: PowerCell,
  method: Method = withinAgents,
): number {
  const chance = new Chance(seed)
  const fixed = new Map(share === undefined ? [] : [[effect.outcome, share]])
  let found = 0
  for (let n = 0; n < worlds; n += 1) {
    const world = drawWorld(FIXED_EFFECTS, size, windows, chance, [effect], fixed)
    const at = effect.agent === undefined ? effect.outcome : world.outcomes.length + effect.agent
    const test = method(world)[at]
    if (test !== undefined && test.q < 0.05) found += 1
  }
  return (100 * found) / worlds
}
