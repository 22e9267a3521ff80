import type { Rubric } from '../rubric/rubric.js'
import type { SignalFound } from './evaluate-signals.js'
import type { Reading } from './reading.js'

/** A signal's part in the score. */
export interface Contribution {
  readonly found: SignalFound
  /** 1 good, 0.5 unclear, 0 bad, or what the rubric says it is worth. */
  readonly value: number
  /** Share of the whole score that hangs on it, 0–1. */
  readonly share: number
}

export interface Scored {
  /** 1–5, to 0.1, before caps; undefined where nothing that weighs applies. */
  readonly score: number | undefined
  readonly dimensions: readonly { readonly key: string; readonly name: string; readonly value: number }[]
  readonly contributions: readonly Contribution[]
}

/** Of the signals of one dimension. */
interface Sum {
  good: number
  all: number
  /** The dimension's part in the score; 0 for what is none. */
  part: number
}

/** What a signal counts that is not absent, where its rubric says so. */
function worthOf({ compiled: { worth } }: SignalFound, reading: Reading): number | undefined {
  return worth.find(({ when }) => when.find(reading).truth === 'yes')?.counts
}

/** To 0.1, halves up; decimal fractions that fall a hair short of a half count as the half. */
export function toTenths(value: number): number {
  return Math.round(value * 10 + 1e-9) / 10
}

/**
 * Dimension = 1 + 4 x sum(weight x value) / sum(weight) over the signals that apply; score = the dimensions' weighted
 * mean. Both to 0.1, the score from the unrounded dimensions.
 */
export function scoreCall({ dimensions }: Rubric, reading: Reading, found: readonly SignalFound[]): Scored {
  const sums = new Map<string, Sum>()
  const weighed: { readonly found: SignalFound; readonly value: number; readonly sum: Sum }[] = []
  for (const one of found) {
    const { category, weight, negative } = one.compiled.signal
    if (weight === 0) continue
    const usual = one.state === 'unclear' ? 0.5 : (one.state === 'present') === negative ? 0 : 1
    const value = one.state === 'absent' ? usual : (worthOf(one, reading) ?? usual)
    let sum = sums.get(category)
    if (sum === undefined) {
      sum = { good: 0, all: 0, part: 0 }
      sums.set(category, sum)
    }
    sum.good += weight * value
    sum.all += weight
    weighed.push({ found: one, value, sum })
  }
  const applying = dimensions.flatMap(({ key, name, weight }) => {
    const sum = sums.get(key)
    return sum === undefined ? [] : [{ key, name, weight, value: 1 + (4 * sum.good) / sum.all }]
  })
  const weights = applying.reduce((total, { weight }) => total + weight, 0)
  const mean = applying.reduce((total, { weight, value }) => total + weight * value, 0) / weights
  for (const { key, weight } of applying) sums.get(key)!.part = weight / weights
  return {
    score: weights === 0 ? undefined : toTenths(mean),
    dimensions: applying.map(({ key, name, value }) => ({ key, name, value: toTenths(value) })),
    contributions: weighed.map(({ found: one, value, sum }) => {
      return { found: one, value, share: sum.part * (one.compiled.signal.weight / sum.all) }
    }),
  }
}
