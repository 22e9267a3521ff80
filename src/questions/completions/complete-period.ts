import { type Complete, firstOf } from '../completion.js'

const PERIODS = [
  'last week',
  'this week',
  'last 7 days',
  'last 30 days',
  'last month',
  'this month',
  'last quarter',
  'yesterday',
  'today',
]

/** Common periods that contain what was typed. */
export const completePeriod: Complete = (_asker, typed) =>
  Promise.resolve(firstOf(PERIODS.filter(period => period.includes(typed.trim().toLowerCase()))))
