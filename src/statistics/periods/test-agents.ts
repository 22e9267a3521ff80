import { interpolated, WORTH_INTERPOLATING } from '../interpolated.js'
import { ownFactor } from '../own-spread.js'
import type { Estimate, UsualSpread } from '../usual-spread.js'
import type { Comparison, Look } from './look.js'
import { FEWEST_VALUES, judged, type Test } from './test-outcome.js'
import { type Group, ratioOf, type RatioSums, ratioSums, type Team, type Weighed, weighed } from './usual-moves.js'

/** The mean of each agent, beside how the others moved earlier: what is looked for in agents is no part of what is usual. */
export function agentTestsOf(
  comparison: Comparison,
  team: Team,
  group: Group,
  means: UsualSpread,
): (Test | undefined)[] {
  const { agents, columns, least, present, earlier } = comparison
  const tests = Array.from<Test | undefined>({ length: agents })
  const without = means.withoutMember(earlier.length * agents, agents)
  const { cells } = group.present
  const usualOf = (agent: number): Estimate => {
    const others = agents > 1 ? without(agent) : means
    return others.cells > 0 ? others : means
  }
  const usuals = Array.from({ length: cells.size }, (_, i) => usualOf(cells.agent[i]!))
  const movedBy = movedByUsual(group, usuals)
  const placesOf = placesOfAgents(group, agents)
  for (let i = 0; i < cells.size; i += 1) {
    const agent = cells.agent[i]!
    const n1 = group.outcome.calls[agent * columns + present.now]!
    const n0 = group.outcome.calls[agent * columns + present.before]!
    if (Math.min(n1, n0) < FEWEST_VALUES || Math.max(n1, n0) < least || !(group.present.scale > 0)) continue
    const sampling = group.present.sigma2 / cells.weight[i]!
    const found = { delta: cells.difference[i]!, sampling, squaredWeights: 1, correction: 0, sigmaPart: sampling }
    const usual = usuals[i]!
    const { sums, moves } = movedBy(usual.spread)
    const ratio = ratioOf(group, agents > 1 ? less(sums, ratioSums(group, usual.spread, placesOf(agent))) : sums)
    const own = { ...group, usual, moves, factor: ownFactor(ratio, group.prior), freedom: ratio.freedom }
    tests[agent] = { ...judged(own, team, found), agents: 1, callsShare: 1, carrier: undefined }
  }
  return tests
}

const less = (all: RatioSums, some: RatioSums): RatioSums => ({
  sum: all.sum - some.sum,
  cells: all.cells - some.cells,
  information: all.information - some.information,
})

/** Where an agent stands in each earlier pair; undefined where it has no calls. */
function placesOfAgents({ earlier }: Look, agents: number): (agent: number) => readonly (number | undefined)[] {
  const places = earlier.map(({ cells }) => {
    const of = new Int32Array(agents).fill(-1)
    for (let i = 0; i < cells.size; i += 1) of[cells.agent[i]!] = i
    return of
  })
  return agent => places.map(of => (of[agent]! < 0 ? undefined : of[agent]))
}

/** How an outcome moved, whatever is usual. */
interface Moved {
  readonly sums: RatioSums
  readonly moves: readonly Weighed[]
}

/**
 * How an outcome moved earlier beside one of several usual spreads. All that hangs on the spread are sums over all agents that change smoothly
 * with it: of many agents, each with a usual spread of its own, they are interpolated.
 */
function movedByUsual(look: Look, usuals: readonly Estimate[]): (usual: number) => Moved {
  const exactly = (usual: number): Moved => ({
    sums: ratioSums(look, usual),
    moves: look.earlier.map(pair => weighed(pair, usual)),
  })
  const spreads = usuals.map(({ spread }) => spread)
  const [least, most] = spreads.reduce(([a, b], one) => [Math.min(a, one), Math.max(b, one)], [Infinity, 0])
  if (usuals.length < WORTH_INTERPOLATING || least === 0) return exactly
  const { cells, information } = ratioSums(look, most)
  // Without the one agent who moves, all others may be far steadier: by orders of magnitude they change smoothly still.
  const at = interpolated(Math.log(least), Math.log(most), logarithm => {
    const { sums, moves } = exactly(Math.exp(logarithm))
    return Float64Array.of(sums.sum, ...moves.flatMap(({ mean, total }) => [mean, total]))
  })
  return usual => {
    const [sum, ...moves] = at(Math.log(usual))
    return {
      sums: { sum: sum!, cells, information },
      moves: look.earlier.map((_, j) => ({ mean: moves[2 * j]!, total: moves[2 * j + 1]! })),
    }
  }
}
