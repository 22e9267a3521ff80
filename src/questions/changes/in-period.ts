import type { CallsOf } from '../counted.js'
import type { Periods } from './change.js'

/** The calls of the period, or of the baseline. */
export function onePeriod({ period, baseline, agents, trust }: Periods, which: 'period' | 'baseline'): CallsOf {
  const dates = which === 'period' ? [period] : baseline
  return { filter: trust, spans: dates.map(({ from, until }) => ({ from, before: until })), agents }
}
