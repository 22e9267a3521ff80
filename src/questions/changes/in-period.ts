import type { Dates, Periods } from './change.js'

const within = ({ from, until }: Dates) => ({
  $and: [{ $gte: ['$created_dt', from] }, { $lt: ['$created_dt', until] }],
})

const anyOf = (conditions: readonly object[]): object =>
  conditions.length === 1 ? conditions[0]! : { $or: [...conditions] }

/** Whether a call is in the period, and in the baseline, as expressions. */
export const inPeriod = ({ period }: Periods) => within(period)
export const inBaseline = ({ baseline }: Periods) => anyOf(baseline.map(within))

const range = ({ from, until }: Dates) => ({ created_dt: { $gte: from, $lt: until } })

/** The filter for calls of either period. */
export function eitherPeriod({ period, baseline, conditions }: Periods): object {
  return { $match: { $and: [{ $or: [period, ...baseline].map(range) }, ...conditions] } }
}

/** The filter for calls of one of them. */
export function onePeriod({ period, baseline, conditions }: Periods, which: 'period' | 'baseline'): readonly object[] {
  return [which === 'period' ? range(period) : anyOf(baseline.map(range)), ...conditions]
}
