import type { Answer } from '../../client/questions.js'

export type Agent = Answer<'get_agent_performance'>['agents'][number]

/** Agents with fewer calls are listed apart, and have no place. */
export const MIN_CALLS = 10
const SCALE = [1, 5] as const

/** A scale on which the intervals of all agents can be told apart: whole halves around them, within that of scores. */
export function scaleOf(agents: readonly Agent[]): readonly [number, number] {
  const ends = agents.flatMap(one => one.score_interval_95 ?? one.average_score ?? [])
  if (ends.length === 0) return SCALE
  const [low, high] = [Math.floor(Math.min(...ends) * 2) / 2, Math.ceil(Math.max(...ends) * 2) / 2]
  return [Math.max(SCALE[0], low), Math.min(SCALE[1], Math.max(high, low + 1))]
}
