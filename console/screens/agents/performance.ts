import { queryOptions } from '@tanstack/react-query'
import { ask } from '../../client/ask.js'
import type { Answer, Args } from '../../client/questions.js'
import { allAgents } from './all-agents.js'

export type Agent = Answer<'get_agent_performance'>['agents'][number]

/** Agents with fewer calls are listed apart, and have no place. */
export const MIN_CALLS = 10
/** The most that get_agent_performance gives at once. */
const PAGE_AGENTS = 200

/** How all agents are doing, page by page. */
export function performanceOfAll(args: Omit<Args<'get_agent_performance'>, 'limit' | 'cursor'>) {
  return queryOptions<Answer<'get_agent_performance'>>({
    queryKey: ['get_agent_performance', 'all', args],
    queryFn: ({ signal }) =>
      allAgents(cursor => ask('get_agent_performance', { ...args, limit: PAGE_AGENTS, cursor }, signal)),
  })
}

const SCALE = [1, 5] as const

/** A scale on which the intervals of all agents can be told apart: whole halves around them, within that of scores. */
export function scaleOf(agents: readonly Agent[]): readonly [number, number] {
  const ends = agents.flatMap(one => one.score_interval_95 ?? one.average_score ?? [])
  if (ends.length === 0) return SCALE
  const [low, high] = [Math.floor(Math.min(...ends) * 2) / 2, Math.ceil(Math.max(...ends) * 2) / 2]
  return [Math.max(SCALE[0], low), Math.min(SCALE[1], Math.max(high, low + 1))]
}
