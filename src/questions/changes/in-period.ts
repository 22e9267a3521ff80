import type { Dates, Periods } from './change.js'

const range = ({ from, until }: Dates) => ({ created_dt: { $gte: from, $lt: until } })

const anyOf = (conditions: readonly object[]): object =>
  conditions.length === 1 ? conditions[0]! : { $or: [...conditions] }

/** The filter for calls of the period, or of the baseline. */
export function onePeriod(
  { period, baseline, agents, trust }: Periods,
  which: 'period' | 'baseline',
): readonly object[] {
  return [which === 'period' ? range(period) : anyOf(baseline.map(range)), ...agents, trust]
}
