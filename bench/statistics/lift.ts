import { FEWEST_AGENT_CALLS } from '../../src/evaluation/lift/agent-effects.js'
import { fitLift, logOddsOfShare } from '../../src/evaluation/lift/fit-lift.js'
import { knownEffects } from '../../src/evaluation/lift/known-effects.js'
import { effectsVariance } from '../../src/statistics/effects-variance.js'
import { meanInterval } from '../../src/statistics/mean-interval.js'
import { COUNTS, probability } from '../../src/evaluation/lift/fit-effects.js'
import { FOLDS, type FoldFit, type LiftFit, type LiftGroups } from '../../src/evaluation/lift/lift-groups.js'
import { liftOf } from '../../src/evaluation/lift/lift-of.js'
import { TOLD_ERRORS } from '../../src/evaluation/lift/lifts-by.js'
import { shownBy } from '../../src/evaluation/lift/shown-by.js'
import { Chance } from './chance.js'

/** A world in which it is known what signals do, and what agents do that no signal shows. */
interface LiftWorld {
  readonly calls: number
  readonly agents: number
  readonly signals: number
  /**
   * What each of the first few signals adds to the log odds, the others adding nothing; or the standard deviation of what
   * each adds, drawn anew in each world.
   */
  readonly effects: readonly number[] | number
  /** Standard deviation of what agents add that no signal shows. */
  readonly skill: number
}

export interface LiftCell {
  readonly world: LiftWorld
  readonly worlds: number
  readonly seed: number
}

export interface LiftFound {
  /** Percent of the calls with a band beyond neutral. */
  readonly banded: number
  /** Percent of the calls that are told from none on the wrong side, or where there is nothing to tell. */
  readonly wrong: number
  /** Percent of the calls whose interval holds what their signals add to the log odds. */
  readonly held: number
  /** Percent of the agents whose interval of lift holds what theirs is over many calls. */
  readonly averageHeld: number
  /** The same of an interval that knows of the calls' spread alone. */
  readonly spreadHeld: number
  /** Percent of the agents whose effect's interval holds what they do that no signal shows; NaN where all have too few calls. */
  readonly agentHeld: number
  /** Percent of the agents whose effect's interval leaves out 0. */
  readonly agentTold: number
  /** Mean of |an agent's average lift - what it should be|. */
  readonly credit: number
  /** What was found of the effects, as a part of what they are; 0 without effects. */
  readonly found: number
}

const CONTEXTS = 6
const LIFTS = { low: -1, high: 1, prior: 0.15 }
const ABSENT = 1
const PRESENT = 3

/**
 * What the signals of each call add to the log odds of its context, with its standard error, as the service finds it; and
 * the share of its context. Each call is a group of its own, in the fold of its number.
 */
function crossFitted(
  groups: LiftGroups,
  folds: readonly FoldFit[],
): (call: number) => { share: number; offset: number; logOdds: number; error: number } {
  return call => {
    const fold = folds[foldOf(call, groups.agents)]!
    const states = groups.states.subarray(call * groups.features, (call + 1) * groups.features)
    const context = groups.context[call]!
    return { share: fold.shares[context]!, offset: fold.offsets[context]!, ...shownBy(fold, states) }
  }
}

/** What is made of calls whose outcomes follow known chances. */
export function liftCell({ world, worlds, seed }: LiftCell): LiftFound {
  const chance = new Chance(seed)
  const sums = { banded: 0, wrong: 0, held: 0, credit: 0, found: 0, true: 0 }
  const agents = { averageHeld: 0, spreadHeld: 0, agentHeld: 0, agentTold: 0, told: 0 }
  for (let n = 0; n < worlds; n += 1) {
    const { groups, shown, lifts, averages, skills } = draw(world, chance)
    const fit = fitLift(groups)
    const lookAt = crossFitted(groups, fit.folds)
    const found: number[][] = averages.map(() => [])
    const error = new Float64Array(world.agents)
    for (let call = 0; call < world.calls; call += 1) {
      const seen = lookAt(call)
      const behavioral = seen.offset + seen.logOdds
      const differs = behavioral - logOddsOfShare(seen.share)
      const isTold = Math.abs(differs) > TOLD_ERRORS * seen.error
      const p = probability(behavioral)
      const { lift, lift_band: band } = liftOf(seen.share, p, isTold)
      const truth = shown[call]!
      if (band !== undefined && band !== 'neutral') sums.banded += 1
      if (isTold && Math.sign(differs) !== Math.sign(truth)) sums.wrong += 1
      if (Math.abs(seen.logOdds - truth) <= TOLD_ERRORS * seen.error + 1e-9) sums.held += 1
      sums.found += seen.logOdds * truth
      sums.true += truth * truth
      found[groups.agent[call]!]!.push(p - seen.share)
      error[groups.agent[call]!]! += (lift - lifts[call]!) / (world.calls / world.agents)
    }
    const { average, spread } = averagesHeld(groups, fit, found, averages)
    agents.averageHeld += average
    agents.spreadHeld += spread
    for (const [who, skill] of skills.entries()) {
      if (fit.agents.calls[who]! < FEWEST_AGENT_CALLS) continue
      agents.told += 1
      const [low, high] = [fit.agents.lows[who]!, fit.agents.highs[who]!]
      if (low <= skill && skill <= high) agents.agentHeld += 1
      if (low > 0 || high < 0) agents.agentTold += 1
    }
    sums.credit += error.reduce((sum, one) => sum + Math.abs(one), 0) / world.agents
  }
  const percent = (count: number) => (100 * count) / (worlds * world.calls)
  const ofAgents = (count: number) => (100 * count) / (worlds * world.agents)
  return {
    averageHeld: ofAgents(agents.averageHeld),
    spreadHeld: ofAgents(agents.spreadHeld),
    agentHeld: (100 * agents.agentHeld) / agents.told,
    agentTold: (100 * agents.agentTold) / agents.told,
    banded: percent(sums.banded),
    wrong: percent(sums.wrong),
    held: percent(sums.held),
    credit: sums.credit / worlds,
    found: sums.true === 0 ? 0 : sums.found / sums.true,
  }
}

/** An agent's calls are in all folds. */
const foldOf = (call: number, agents: number) => Math.floor(call / agents) % FOLDS

/** How many agents' intervals of their average lift, made as the service makes them, hold the true one. */
function averagesHeld(groups: LiftGroups, fit: LiftFit, found: readonly number[][], averages: readonly number[]) {
  const { features, agents } = groups
  const effects = knownEffects(
    Array.from({ length: features }, (_, j) => `sig.${j}`),
    fit.folds,
  )
  const slopes = averages.map(() => ({
    sums: Array.from({ length: features }, () => 0),
    squares: Array.from({ length: features }, () => 0),
  }))
  for (let call = 0; call < groups.context.length; call += 1) {
    const who = groups.agent[call]!
    const share = fit.folds[foldOf(call, agents)]!.shares[groups.context[call]!]!
    const p = share + found[who]![Math.floor(call / agents)]!
    for (let j = 0; j < features; j += 1) {
      const slope = p * (1 - p) * (COUNTS[groups.states[call * features + j]!]! - effects.means[j]!)
      slopes[who]!.sums[j]! += slope
      slopes[who]!.squares[j]! += slope ** 2
    }
  }
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const squaresOf = (values: readonly number[]) => values.reduce((sum, value) => sum + (value - mean(values)) ** 2, 0)
  const pool = {
    squares: found.reduce((sum, own) => sum + squaresOf(own), 0),
    freedom: groups.context.length - agents,
    designEffect: 1,
  }
  const held = { average: 0, spread: 0 }
  for (const [who, truth] of averages.entries()) {
    const own = found[who]!
    const count = own.length
    const deviation = count > 1 ? Math.sqrt(squaresOf(own) / (count - 1)) : 0
    const shared = effectsVariance(effects, { values: count, ...slopes[who]! })
    const holds = (by: number) => {
      const [low, high] = meanInterval({ count, mean: mean(own), deviation }, pool, LIFTS, { shared: by })!
      return low <= truth && truth <= high
    }
    if (holds(shared)) held.average += 1
    if (holds(0)) held.spread += 1
  }
  return held
}

/** Calls that an agent's true average is taken of. */
const MANY_CALLS = 2_400

function draw({ calls, agents, signals, effects: given, skill }: LiftWorld, chance: Chance) {
  const effects = typeof given === 'number' ? Array.from({ length: signals }, () => given * chance.normal()) : given
  const skills = Array.from({ length: agents }, () => skill * chance.normal())
  const rates = Array.from({ length: agents * signals }, () => chance.within(0.2, 0.8))
  const bases = Array.from({ length: CONTEXTS }, () => chance.normal())
  const context = new Int32Array(calls)
  const agent = new Int32Array(calls)
  const states = new Uint8Array(calls * signals)
  const shown = new Float64Array(calls)
  const lifts = new Float64Array(calls)
  const counts = new Uint32Array(calls * FOLDS)
  const positives = new Uint32Array(calls * FOLDS)
  // What agents do that no signal shows draws everyone's chances together (Zeger, Liang and Albert, 1988).
  const spread = skill ** 2
  const towards = 1 / Math.sqrt(1 + 0.346 * spread)
  const rateOf = (j: number) =>
    Array.from({ length: agents }, (_, who) => rates[who * signals + j]!).reduce((sum, one) => sum + one, 0) / agents
  const means = Array.from({ length: signals }, (_, j) => rateOf(j))
  for (let call = 0; call < calls; call += 1) {
    const who = call % agents
    const about = Math.floor(chance.within(0, CONTEXTS))
    let added = 0
    for (let j = 0; j < signals; j += 1) {
      const isPresent = chance.unit() < rates[who * signals + j]!
      states[call * signals + j] = isPresent ? PRESENT : ABSENT
      added += (effects[j] ?? 0) * ((isPresent ? 1 : 0) - means[j]!)
    }
    context[call] = about
    agent[call] = who
    shown[call] = towards * added
    lifts[call] = probability(bases[about]! + towards * added) - probability(bases[about]!)
    const fold = call * FOLDS + foldOf(call, agents)
    counts[fold] = 1
    positives[fold] = chance.unit() < probability(bases[about]! + added + skills[who]!) ? 1 : 0
  }
  const groups: LiftGroups = {
    features: signals,
    contexts: CONTEXTS,
    agents,
    context,
    agent,
    states,
    calls: counts,
    positives,
  }
  // How much likelier a good outcome is in many calls of each agent, whoever takes them, than in all calls of their contexts.
  const good = skills.map((_, who) => {
    const chances = bases.map(() => 0)
    for (let n = 0; n < MANY_CALLS; n += 1) {
      let added = bases[n % CONTEXTS]!
      for (let j = 0; j < signals; j += 1) {
        added += (effects[j] ?? 0) * ((chance.unit() < rates[who * signals + j]! ? 1 : 0) - means[j]!)
      }
      const ofAll = skills.reduce((sum, one) => sum + probability(added + one), 0) / agents
      chances[n % CONTEXTS]! += (CONTEXTS * ofAll) / MANY_CALLS
    }
    return chances
  })
  const usual = bases.map((_, one) => good.reduce((sum, own) => sum + own[one]!, 0) / agents)
  const averages = good.map(own => own.reduce((sum, one, at) => sum + one - usual[at]!, 0) / CONTEXTS)
  // What each agent moves in their own calls, beside what all agents would on average.
  const own = skills.map(() => ({ moved: 0, calls: 0 }))
  for (let call = 0; call < calls; call += 1) {
    const who = agent[call]!
    const before = bases[context[call]!]! + shown[call]! / towards
    const all = skills.reduce((sum, one) => sum + probability(before + one), 0) / agents
    own[who]!.moved += probability(before + skills[who]!) - all
    own[who]!.calls += 1
  }
  return { groups, shown, lifts, averages, skills: own.map(one => one.moved / one.calls) }
}

const SKILL = 0.8
/** Of three signals that do something. */
const EFFECTS = [1, -0.8, 0.5]

const WORLDS = { nothing: [], three: EFFECTS, all: 0.5 } as const
/** What signals do: nothing; three of them something; each something. */
export type LiftKind = keyof typeof WORLDS
const LIFT_KINDS = ['nothing', 'three', 'all'] as const

/** Sizes of projects whose lifts are held to account, and how many of them. */
export const LIFT_CELLS: readonly { readonly kind: LiftKind; readonly cell: LiftCell }[] = LIFT_KINDS.flatMap(kind =>
  [
    { calls: 60, worlds: 60 },
    { calls: 100, worlds: 60 },
    { calls: 300, worlds: 60 },
    { calls: 2_500, worlds: 30 },
  ].flatMap(({ calls, worlds }) =>
    [3, 12, 30].flatMap(agents =>
      [5, 20].map(signals => ({
        kind,
        cell: {
          world: { calls, agents, signals, effects: WORLDS[kind], skill: SKILL },
          worlds,
          seed: calls + agents + signals,
        },
      })),
    ),
  ),
)

/** Most percent of calls that may have a band by chance, where signals do nothing. */
export const ALLOWED_BANDED = 5
/** Least percent of agents whose intervals hold; most is what little data leaves open. */
export const ALLOWED_HELD = 93
