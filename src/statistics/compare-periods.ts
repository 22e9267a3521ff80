import { benjaminiHochberg } from './benjamini-hochberg.js'
import { ownFactor, priorFreedom } from './own-spread.js'
import { type Comparison, lookAt, type Outcome } from './periods/look.js'
import { agentTestsOf } from './periods/test-agents.js'
import { type Tested, testOf } from './periods/test-outcome.js'
import { type Group, ratioOf, ratioSums, spreadOf, teamOf, weighed } from './periods/usual-moves.js'
import { studentQuantile } from './student.js'
import type { Estimate } from './usual-spread.js'

/** Shares of which it is asked what change would have been found. */
export interface AskedShares {
  readonly shares: readonly number[]
  /** Calls they are shares of, agents x columns. */
  readonly calls: Float64Array
}

/** What a comparison found. */
export interface Compared {
  /** Undefined for what is not tested. */
  readonly outcomes: readonly (Tested | undefined)[]
  /** By agent, of the outcome `byAgent`. */
  readonly agents: readonly (Tested | undefined)[]
  readonly tests: number
  /** Of each share that was asked for, the difference that would have been found four times in five; undefined without tests. */
  readonly detectableShares: readonly (number | undefined)[]
}

const POWER_T = 0.84

/**
 * Tests whether anything changed within agents, beyond chance and beyond what usually happens, as one family: every
 * outcome, and the mean of each agent in one of them (docs/statistics.md).
 * @param byAgent number of the outcome that is looked at agent by agent too
 */
export function comparePeriods(
  comparison: Comparison,
  outcomes: readonly Outcome[],
  byAgent: number | undefined,
  asked?: AskedShares,
): Compared {
  const looked = outcomes.map(outcome => lookAt(comparison, outcome))
  const shares = spreadOf(comparison, looked, 'share')
  const means = spreadOf(comparison, looked, 'mean')
  const spreads = { share: shares, mean: means }
  const ratios = looked.map(one => ratioOf(one, ratioSums(one, spreads[one.kind].spread)))
  const priors = {
    share: priorFreedom(ratios.filter((_, i) => looked[i]!.kind === 'share')),
    mean: priorFreedom(ratios.filter((_, i) => looked[i]!.kind === 'mean')),
  }
  const groups = looked.map((one, i): Group => {
    const [usual, prior] = [spreads[one.kind], priors[one.kind]]
    const moves = one.earlier.map(pair => weighed(pair, usual.spread))
    return { ...one, usual, moves, factor: ownFactor(ratios[i]!, prior), prior, freedom: ratios[i]!.freedom }
  })
  const teams = { share: teamOf(comparison, groups, 'share'), mean: teamOf(comparison, groups, 'mean') }
  const tests = groups.map(group =>
    group.outcome.isUntested === true ? undefined : testOf(comparison, group, teams[group.kind]),
  )
  const ofAgent = byAgent === undefined ? undefined : groups[byAgent]
  const agentTests = ofAgent === undefined ? [] : agentTestsOf(comparison, teams.mean, ofAgent, means)
  const all = [...tests, ...agentTests]
  const done = all.filter(test => test !== undefined)
  const qs = benjaminiHochberg(done.map(test => test.p))
  const teamQs = benjaminiHochberg(done.map(test => test.teamP))
  let at = 0
  const corrected = all.map((test): Tested | undefined => {
    if (test === undefined) return undefined
    const { teamP: _, freedom, ...rest } = test
    const detectable = detectableBy(test.error, freedom, done.length)
    const found = { ...rest, q: qs[at]!, teamQ: teamQs[at]!, detectable }
    at += 1
    return found
  })
  return {
    outcomes: corrected.slice(0, tests.length),
    agents: corrected.slice(tests.length),
    tests: done.length,
    detectableShares:
      asked?.shares.map(share =>
        done.length === 0
          ? undefined
          : detectableShare(comparison, shares, { share, calls: asked.calls, tests: done.length }),
      ) ?? [],
  }
}

const detectableBy = (error: number, freedom: number, tests: number): number =>
  (studentQuantile(1 - 0.025 / tests, freedom) + POWER_T) * error

/** As judged for a share that moves as usual. */
function detectableShare(
  { agents, columns, present: { now, before } }: Comparison,
  usual: Estimate,
  { share, calls, tests }: { readonly share: number; readonly calls: Float64Array; readonly tests: number },
): number | undefined {
  const information = share * (1 - share)
  const scale = information ** 2
  let precision = 0
  let squares = 0
  for (let g = 0; g < agents; g += 1) {
    const n1 = calls[g * columns + now]!
    const n0 = calls[g * columns + before]!
    if (n1 === 0 || n0 === 0) continue
    const w = 1 / ((information * (n1 + n0)) / (n1 * n0) + usual.spread * scale)
    precision += w
    squares += w * w
  }
  if (precision === 0) return undefined
  const variance = 1 / precision
  const uncertain = (squares / precision ** 2) ** 2 * scale ** 2 * usual.variance
  return detectableBy(Math.sqrt(variance), uncertain > 0 ? (2 * variance ** 2) / uncertain : Infinity, tests)
}
