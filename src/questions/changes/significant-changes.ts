import type { Compared } from '../../statistics/compare-periods.js'
import type { Tested } from '../../statistics/periods/test-outcome.js'
import { FEWEST_PAIRS } from '../../statistics/periods/usual-moves.js'
import { scoredAgentKind } from '../kinds.js'
import type { Found } from './change.js'
import type { PeriodsCompared } from './periods-compared.js'
import type { Measured, Panel } from './read-panel.js'

const RANK: Readonly<Record<Found['significance'], number>> = { high: 0, medium: 1, low: 2 }

/** "high" also has to stand out from how the whole team usually moves, which only earlier periods tell. */
function significanceOf({ q, teamQ }: Tested): Found['significance'] | undefined {
  if (q < 0.01 && teamQ < 0.05) return 'high'
  if (q < 0.05) return 'medium'
  return q < 0.1 ? 'low' : undefined
}

/** How large a change is, so that shares and means (of 1–5) rank together: means by their part of the scale. */
const size = ({ delta, isShare }: Found): number => Math.abs(delta) / (isShare ? 1 : 4)

const overall = (values: Float64Array, columns: number, column: number): number => {
  let sum = 0
  for (let at = column; at < values.length; at += columns) sum += values[at]!
  return sum
}

type Sides = Pick<Found, 'value' | 'baselineValue' | 'occurrences' | 'baselineOccurrences'>

/** What is counted in both periods, whoever took the calls. */
function sidesOf({ outcome }: Measured, { comparison: { columns, present } }: PeriodsCompared): Sides {
  const side = (column: number) => {
    const calls = overall(outcome.calls, columns, column)
    const sum = overall(outcome.sums, columns, column)
    return { value: calls > 0 ? sum / calls : undefined, occurrences: outcome.kind === 'share' ? sum : calls }
  }
  const [now, before] = [side(present.now), side(present.before)]
  return {
    value: now.value,
    baselineValue: before.value,
    occurrences: now.occurrences,
    baselineOccurrences: before.occurrences,
  }
}

function agentSides(
  { outcome }: Measured,
  agent: number,
  { comparison: { columns, present } }: PeriodsCompared,
): Sides {
  const [a, b] = [agent * columns + present.now, agent * columns + present.before]
  const [occurrences, baselineOccurrences] = [outcome.calls[a]!, outcome.calls[b]!]
  return {
    value: outcome.sums[a]! / occurrences,
    baselineValue: outcome.sums[b]! / baselineOccurrences,
    occurrences,
    baselineOccurrences,
  }
}

const directionOf = (isShare: boolean, { occurrences, baselineOccurrences }: Sides, delta: number) => {
  if (isShare && baselineOccurrences === 0) return 'new'
  if (isShare && occurrences === 0) return 'gone'
  return delta >= 0 ? 'up' : 'down'
}

/** What of everything tested is a change after correction, ranked by significance and then by size. */
export function significantChanges(
  { agents, measured }: Panel,
  compared: PeriodsCompared,
  { outcomes, agents: agentTests }: Compared,
  byAgent: Measured | undefined,
): readonly Found[] {
  const { earlier, hasHistory } = compared.comparison
  const earlierPairs = hasHistory && earlier.length >= FEWEST_PAIRS ? earlier.length : 0
  const found: Found[] = []
  const add = (
    test: Tested | undefined,
    sides: Sides,
    what: Pick<Found, 'category' | 'key' | 'kind' | 'id' | 'isShare'> & Partial<Found>,
  ) => {
    const significance = test && significanceOf(test)
    if (test === undefined || significance === undefined) return
    const { delta, p, q, usualMove, detectable, carrier } = test
    const carriedBy = carrier === undefined ? undefined : agents[carrier]?.agent_name
    found.push({
      ...what,
      ...sides,
      delta,
      p,
      q,
      usualMove,
      detectable,
      carrier,
      significance,
      earlierPairs,
      ...(carriedBy !== undefined && { carriedBy }),
      direction: directionOf(what.isShare, sides, delta),
      agentsCompared: test.agents,
      callsComparedShare: test.callsShare,
    })
  }
  for (const [i, one] of measured.entries()) {
    const { category, key, kind, id, outcome } = one
    add(outcomes[i], sidesOf(one, compared), { category, key, kind, id, isShare: outcome.kind === 'share' })
  }
  if (byAgent !== undefined) {
    for (const [agent, test] of agentTests.entries()) {
      if (test === undefined) continue
      const { agent_id: agentId, agent_name: key } = agents[agent]!
      add(test, agentSides(byAgent, agent, compared), {
        category: 'agents',
        key,
        agentId,
        agent,
        kind: scoredAgentKind,
        isShare: false,
        id: agents[agent]!,
      })
    }
  }
  return found.toSorted(
    (a, b) =>
      RANK[a.significance] - RANK[b.significance] ||
      size(b) - size(a) ||
      (`${a.category}${a.key}${a.agentId ?? ''}` < `${b.category}${b.key}${b.agentId ?? ''}` ? -1 : 1),
  )
}
