import type { CallRecord } from '../../calls/call-record.js'
import { DRIVER_FOUND } from '../apply-evaluation.js'
import { CAPPED_BY, CAPPED_QUOTE } from '../capped-by.js'
import type { EvaluatedFields } from '../evaluator.js'
import type { Rubric } from '../rubric/rubric.js'
import { coachingOf } from './coaching-of.js'
import type { CompiledRubric } from './compile-rubric.js'
import { eventOf, signalConditions } from './conditions-of.js'
import type { SignalFound } from './evaluate-signals.js'
import type { Spot } from './finding.js'
import { predictCsat } from './predict-csat.js'
import { quote } from './quote.js'
import type { CallRead } from './read-call.js'
import type { Reading } from './reading.js'
import { reasonConditions } from './reason-conditions.js'
import { scoreCall } from './score-call.js'
import { confidenceOf, strengthOf } from './strength-and-confidence.js'
import { talkPatternsOf } from './talk-patterns.js'

const RANGE = [1, 5]
/** Key of the reading that says what a call is that is not scored. */
const CONVERSATION = 'conversation'
/** Most turns quoted for a signal. */
const MOST_EVIDENCE = 3

/** What an evaluation is made of, whoever found the signals. */
interface SignalsOfCall extends CallRead {
  /** In the rubric's order of dependence; their states stand in `states`. */
  readonly found: readonly SignalFound[]
  /** The words were understood. A call is never scored on words that can't be read. */
  readonly understood: boolean
  readonly trust: NonNullable<CallRecord['trust']>
}

/** Score, dimensions, caps, coaching, predicted satisfaction: what the rubric makes of the signals a call shows. */
export function fieldsOfSignals(compiled: CompiledRubric, one: SignalsOfCall): EvaluatedFields {
  const { call, reading } = one
  const unscored = one.understood ? unscoredOf(compiled, reading) : undefined
  const understood = one.understood && unscored === undefined
  const trust = unscored === undefined ? one.trust : doubting(one.trust, unscored.reason)
  const { rubric } = compiled
  const signals = inRubricOrder(one.found)
  const { score, dimensions, contributions } = scoreCall(rubric, reading, signals)
  // What is left without words says too little of a call.
  const scores = understood ? dimensions : []
  const caps = compiled.caps.filter(({ when }) => when.find(reading).truth === 'yes')
  const csat = understood ? predictCsat(compiled, reading) : undefined
  const { holds } = compiled
  const patterns = talkPatternsOf(call, reading, holds === undefined ? undefined : reading.said[holds])
  const ownDriver = call.interaction_driver === undefined ? reading.driver.heard : undefined
  // Field by field: an object made of so many spreads took a twentieth of an import.
  const fields: EvaluatedFields = {}
  if (understood && score !== undefined) fields.score = Math.min(score, ...caps.map(({ cap }) => cap.most))
  if (csat !== undefined) fields.predicted_csat = csat.csat
  if (ownDriver !== undefined) fields.interaction_driver = ownDriver.driver
  fields.scores = scores.map(({ key, name, value }) => ({ key, display_name: name, value, range: RANGE }))
  fields.dimensions = understood ? readingsOf(compiled, reading) : []
  if (unscored !== undefined) fields.dimensions = [{ key: CONVERSATION, value: unscored.key }]
  fields.signals = signals.map(one => signalOf(compiled, reading, one))
  fields.guidance = understood ? guidanceOf(compiled, reading, signals) : []
  if (understood) fields.coaching_summary = coachingOf(rubric, contributions)
  if (patterns !== undefined) fields.talk_patterns = patterns
  fields.trust = trust
  fields.conditions = [
    ...(ownDriver === undefined
      ? []
      : [{ key: DRIVER_FOUND, turn: ownDriver.spot.turn.turn, text: eventOf(ownDriver.spot) }]),
    ...(understood ? reasonConditions(compiled, reading) : []),
    ...signalConditions(signals),
    ...(csat?.parts ?? []),
    ...(understood ? capConditions(caps, reading, signals, score) : []),
  ]
  return fields
}

/** Why a call is none to score, if it is none. */
function unscoredOf({ unscored }: CompiledRubric, reading: Reading): Rubric['unscored'][number] | undefined {
  return unscored.find(({ when }) => when.find(reading).truth === 'yes')?.entry
}

type Trust = NonNullable<CallRecord['trust']>

/** Nothing that is said of such a call is said of an agent's work. */
function doubting({ reasons = [] }: Trust, reason: string): Trust {
  return { level: 'low', score: 0, reasons: [`Not scored: ${reason}`, ...reasons] }
}

/**
 * The caps that hold, each with the turn that decided it; of the one that the score hangs on, if any, also what was said there
 * and that it does.
 */
function capConditions(
  holding: CompiledRubric['caps'],
  reading: Reading,
  found: readonly SignalFound[],
  uncapped: number | undefined,
): NonNullable<CallRecord['conditions']> {
  return holding.flatMap(({ cap, when, signals }, at) => {
    const spot = when.find(reading).spots[0] ?? firstSpot(signals, found)
    const quoted = spot === undefined ? undefined : quote(spot)
    const turn = quoted === undefined ? {} : { turn: quoted.turn }
    const holds = { key: `cap.${cap.key}`, ...turn, text: `at most ${cap.most}: ${cap.reason}` }
    if (at > 0 || uncapped === undefined || uncapped <= cap.most) return [holds]
    const by = { key: `${CAPPED_BY}${cap.key}`, ...turn, text: cap.reason }
    return quoted === undefined ? [holds, by] : [holds, by, { key: CAPPED_QUOTE, ...turn, text: quoted.quote }]
  })
}

function inRubricOrder(found: readonly SignalFound[]): readonly SignalFound[] {
  const placed: (SignalFound | undefined)[] = []
  for (const one of found) placed[one.compiled.place] = one
  return placed.filter(one => one !== undefined)
}

function signalOf(
  rubric: CompiledRubric,
  reading: Reading,
  found: SignalFound,
): NonNullable<CallRecord['signals']>[number] {
  const { compiled, state, spots } = found
  const strength = strengthOf(found, reading, rubric.intensifiers)
  const confidence = confidenceOf(found)
  const signal: NonNullable<CallRecord['signals']>[number] = { key: compiled.signal.key, state }
  if (strength !== undefined) signal.strength = strength
  if (confidence !== undefined) signal.confidence = confidence
  if (spots.length === 0) return signal
  const quoted: Spot[] = []
  for (const spot of spots) {
    if (quoted.length === MOST_EVIDENCE) break
    if (!quoted.some(({ turn }) => turn.place === spot.turn.place)) quoted.push(spot)
  }
  signal.evidence = quoted.map(quote)
  return signal
}

function readingsOf({ readings }: CompiledRubric, reading: Reading): NonNullable<CallRecord['dimensions']> {
  return readings.flatMap(({ key, values }) => {
    const holds = values.find(({ when }) => when === undefined || when.find(reading).truth === 'yes')
    return holds === undefined ? [] : [{ key, value: holds.value }]
  })
}

type Guidance = NonNullable<CallRecord['guidance']>

/** The guidance entries whose rule holds, in the order of the compiled rubric. */
function guidanceOf({ guidance }: CompiledRubric, reading: Reading, found: readonly SignalFound[]): Guidance {
  const given = guidance.filter(({ when }) => when.find(reading).truth === 'yes')
  return given.map(({ guide: { key, kind, priority, description: text }, signals }) => {
    const spot = firstSpot(signals, found)
    return spot === undefined ? { key, kind, priority, text } : { key, kind, priority, text, evidence: [quote(spot)] }
  })
}

/** What decided the first of some signals that was decided at a place. */
function firstSpot(signals: readonly string[], found: readonly SignalFound[]): Spot | undefined {
  for (const key of signals) {
    const spot = found.find(({ compiled }) => compiled.signal.key === key)?.spots[0]
    if (spot !== undefined) return spot
  }
  return undefined
}
