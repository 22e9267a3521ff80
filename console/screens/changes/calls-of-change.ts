import type { Answer } from '../../client/questions.js'
import { dateIn } from '../../look/format.js'
import type { Filters } from '../calls/filters.js'

export type Changes = Answer<'detect_changes'>
export type Change = Changes['changes'][number]

const ARGUMENTS = {
  signal: 'signal_key',
  guidance: 'guide_key',
  driver: 'driver',
  dimension: 'dimension',
  agent: 'agent_name',
  score: 'rated_on',
} as const satisfies Readonly<Record<Change['category'], keyof Filters>>

/** The calls that show a change: of the period, or of the time before when what they had is gone. */
export function callsOfChange(
  { category, key, direction }: Pick<Change, 'category' | 'key' | 'direction'>,
  { window, baseline }: Pick<Changes, 'window' | 'baseline'>,
): Filters {
  const { from, to, time_zone: zone } = direction === 'gone' ? baseline : window
  const isMean = category === 'agent' || category === 'score'
  return {
    [ARGUMENTS[category]]: key,
    date_from: dateIn(from, zone),
    date_to: dateIn(to, zone),
    ...(isMean && { sort: direction === 'up' ? 'score_desc' : 'score_asc' }),
  }
}

/** Whether its values are shares of calls; else they are means on the scale of scores. */
export const isShare = ({ category }: Pick<Change, 'category'>): boolean => category !== 'agent' && category !== 'score'
