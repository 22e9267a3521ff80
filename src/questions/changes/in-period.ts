import type { Periods } from './change.js'

const within = ({ from, until }: { readonly from: Date; readonly until: Date }) => ({
  $and: [{ $gte: ['$created_dt', from] }, { $lt: ['$created_dt', until] }],
})

/** Whether a call is in the period, and in the baseline, as expressions. */
export const inPeriod = ({ period }: Periods) => within(period)
export const inBaseline = ({ baseline }: Periods) => within(baseline)

/** The filter for calls of either period. */
export function eitherPeriod({ period, baseline, conditions }: Periods): object {
  const range = ({ from, until }: Periods['period']) => ({ created_dt: { $gte: from, $lt: until } })
  return { $match: { $and: [{ $or: [range(period), range(baseline)] }, ...conditions] } }
}

/** The filter for calls of one of them. */
export function onePeriod(periods: Periods, which: 'period' | 'baseline'): readonly object[] {
  const { from, until } = periods[which]
  return [{ created_dt: { $gte: from, $lt: until } }, ...periods.conditions]
}
