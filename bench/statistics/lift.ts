import { fitLift, logOddsOfShare } from '../../src/evaluation/lift/fit-lift.js'
import { probability } from '../../src/evaluation/lift/fit-effects.js'
import { FOLDS, type LiftFit, type LiftGroups } from '../../src/evaluation/lift/lift-groups.js'
import { liftOf } from '../../src/evaluation/lift/lift-of.js'
import { shownBy, TOLD_ERRORS } from '../../src/evaluation/lift/lifts-by.js'
import { Chance } from './chance.js'

/** A world in which it is known what signals do, and what agents do that no signal shows. */
interface LiftWorld {
  readonly calls: number
  readonly agents: number
  readonly signals: number
  /** What each of the first few signals adds to the log odds; the others add nothing. */
  readonly effects: readonly number[]
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
  /** Mean of |an agent's average lift - what it should be|. */
  readonly credit: number
  /** What was found of the effects, as a part of what they are; 0 without effects. */
  readonly found: number
}

const CONTEXTS = 6
const ABSENT = 1
const PRESENT = 3

/**
 * What the signals of each call add to the log odds of its context, with its standard error, as the service finds it; and
 * the share of its context. Each call is a group of its own, in the fold of its number.
 */
function crossFitted(groups: LiftGroups): (call: number) => { share: number; logOdds: number; error: number } {
  const fit: LiftFit = fitLift(groups)
  return call => {
    const fold = fit[call % FOLDS]!
    const states = groups.states.subarray(call * groups.features, (call + 1) * groups.features)
    return { share: fold.shares[groups.context[call]!]!, ...shownBy(fold, states) }
  }
}

/** What is made of calls whose outcomes follow known chances. */
export function liftCell({ world, worlds, seed }: LiftCell): LiftFound {
  const chance = new Chance(seed)
  const sums = { banded: 0, wrong: 0, held: 0, credit: 0, found: 0, true: 0 }
  for (let n = 0; n < worlds; n += 1) {
    const { groups, shown, lifts } = draw(world, chance)
    const lookAt = crossFitted(groups)
    const error = new Float64Array(world.agents)
    for (let call = 0; call < world.calls; call += 1) {
      const seen = lookAt(call)
      const isTold = Math.abs(seen.logOdds) > TOLD_ERRORS * seen.error
      const p = probability(logOddsOfShare(seen.share) + seen.logOdds)
      const { lift, lift_band: band } = liftOf(seen.share, p, isTold)
      const truth = shown[call]!
      if (band !== undefined && band !== 'neutral') sums.banded += 1
      if (isTold && Math.sign(seen.logOdds) !== Math.sign(truth)) sums.wrong += 1
      if (Math.abs(seen.logOdds - truth) <= TOLD_ERRORS * seen.error + 1e-9) sums.held += 1
      sums.found += seen.logOdds * truth
      sums.true += truth * truth
      error[groups.agent[call]!]! += (lift - lifts[call]!) / (world.calls / world.agents)
    }
    sums.credit += error.reduce((sum, one) => sum + Math.abs(one), 0) / world.agents
  }
  const percent = (count: number) => (100 * count) / (worlds * world.calls)
  return {
    banded: percent(sums.banded),
    wrong: percent(sums.wrong),
    held: percent(sums.held),
    credit: sums.credit / worlds,
    found: sums.true === 0 ? 0 : sums.found / sums.true,
  }
}

function draw({ calls, agents, signals, effects, skill }: LiftWorld, chance: Chance) {
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
    const fold = call * FOLDS + (call % FOLDS)
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
  return { groups, shown, lifts }
}

const SKILL = 0.8
/** Of three signals that do something. */
const EFFECTS = [1, -0.8, 0.5]

/** Sizes of projects whose lifts are held to account, and how many of them. */
export const LIFT_CELLS: readonly { readonly isNull: boolean; readonly cell: LiftCell }[] = [true, false].flatMap(
  isNull =>
    [
      { calls: 60, worlds: 60 },
      { calls: 100, worlds: 60 },
      { calls: 300, worlds: 40 },
      { calls: 2_500, worlds: 8 },
    ].flatMap(({ calls, worlds }) =>
      [3, 12, 30].flatMap(agents =>
        [5, 20].map(signals => ({
          isNull,
          cell: {
            world: { calls, agents, signals, effects: isNull ? [] : EFFECTS, skill: SKILL },
            worlds,
            seed: calls + agents + signals,
          },
        })),
      ),
    ),
)

/** Most percent of calls that may have a band by chance, where signals do nothing. */
export const ALLOWED_BANDED = 5
