import type { CallRecord } from '../../calls/call-record.js'
import { DRIVER_FOUND, unevaluated } from '../apply-evaluation.js'
import type { EvaluatedFields, Evaluation, Evaluator } from '../evaluator.js'
import type { Rubric } from '../rubric/rubric.js'
import { coachingOf } from './coaching-of.js'
import { compileRubric, type CompiledRubric } from './compile-rubric.js'
import { eventOf, signalConditions } from './conditions-of.js'
import { evaluateSignals, type SignalFound } from './evaluate-signals.js'
import { findDriver } from './find-driver.js'
import { guidanceOf } from './guidance-of.js'
import { hearCall } from './heard-call.js'
import { languageOf } from './language-of.js'
import { predictCsat } from './predict-csat.js'
import { quote } from './quote.js'
import type { Reading, SignalState } from './reading.js'
import { scoreCall } from './score-call.js'
import { talkPatternsOf } from './talk-patterns.js'
import { timingOf } from './timing.js'
import { trustOf } from './trust-of.js'

const RANGE = [1, 5]
/** Most turns quoted for a signal. */
const MOST_EVIDENCE = 3

interface Versioned {
  readonly rubric: Rubric
  /** What `evaluation.rubric_version` says. */
  readonly version: string
  /** The project's lines of business. */
  readonly verticals?: readonly string[]
}

/** Reads calls by a rubric's rules: the same call and rubric give the same evaluation, to the bit. */
export class RulesEvaluator implements Evaluator {
  readonly name = 'rules'
  readonly rubric: Evaluator['rubric']
  readonly #compiled: CompiledRubric

  /** @throws RangeError for a rubric that checkRubric would refuse */
  constructor({ rubric, version, verticals }: Versioned) {
    this.rubric = { name: rubric.name, version }
    this.#compiled = compileRubric(rubric, verticals)
  }

  evaluate(call: CallRecord, at: Date): Evaluation {
    const { name: evaluator, rubric } = this
    const fields = evaluateCall(unevaluated(call), this.#compiled)
    if (typeof fields === 'string') return { none: fields }
    const evaluation = {
      evaluator,
      rubric: rubric.name,
      rubric_version: rubric.version,
      evaluated_at: at.toISOString(),
    }
    return { fields: { ...fields, evaluation } }
  }
}

/** The evaluated fields of a call but `evaluation`; or, in a sentence, why there are none. */
function evaluateCall(call: CallRecord, compiled: CompiledRubric): EvaluatedFields | string {
  const { rubric, vocabulary } = compiled
  if (call.transcript === undefined || call.transcript.length === 0) return 'The call has no transcript'
  const heard = hearCall(call)
  if (heard.by.agent.length + heard.by.customer.length === 0) {
    return 'Nothing the agent or the customer said can be understood in the transcript'
  }
  const language = languageOf(call, heard, rubric.language)
  const { readable } = language
  const said = vocabulary.read(heard)
  const written = call.channel !== undefined && call.channel !== 'phone'
  const timing = written ? undefined : timingOf(call, heard)
  const driver = findDriver(call, compiled, heard, said, readable)
  const states = new Map<string, SignalState>()
  const reading: Reading = { heard, timing, written, readable, said, driver, states }
  const signals = inRubricOrder(rubric, evaluateSignals(compiled, reading, states))
  const { score, dimensions, contributions } = scoreCall(rubric, signals)
  // A call is never scored on words that can't be read: what is left says too little of it.
  const scores = readable ? dimensions : []
  const caps = compiled.caps.filter(({ when }) => when.find(reading).truth === 'yes')
  const csat = readable ? predictCsat(compiled, reading) : undefined
  const patterns = talkPatternsOf(call, reading, compiled.holds === undefined ? undefined : said[compiled.holds])
  const ownDriver = call.interaction_driver === undefined ? driver.heard : undefined
  return {
    ...(readable && score !== undefined && { score: Math.min(score, ...caps.map(({ cap }) => cap.most)) }),
    ...(csat !== undefined && { predicted_csat: csat.csat }),
    ...(ownDriver !== undefined && { interaction_driver: ownDriver.driver }),
    scores: scores.map(({ key, name, value }) => ({ key, display_name: name, value, range: RANGE })),
    dimensions: readable ? readingsOf(compiled, reading) : [],
    signals: signals.map(signalOf),
    guidance: readable ? guidanceOf(compiled, reading, signals) : [],
    ...(readable && { coaching_summary: coachingOf(rubric, contributions) }),
    ...(patterns !== undefined && { talk_patterns: patterns }),
    trust: trustOf(call, reading, language, signals),
    conditions: [
      ...(ownDriver === undefined
        ? []
        : [{ key: DRIVER_FOUND, turn: ownDriver.spot.turn.turn, text: eventOf(ownDriver.spot) }]),
      ...signalConditions(signals),
      ...(csat?.parts ?? []),
      ...(readable
        ? caps.map(({ cap }) => ({ key: `cap.${cap.key}`, text: `at most ${cap.most}: ${cap.reason}` }))
        : []),
    ],
  }
}

function inRubricOrder({ signals }: Rubric, found: readonly SignalFound[]): readonly SignalFound[] {
  const byKey = new Map(found.map(one => [one.compiled.signal.key, one] as const))
  return signals.flatMap(({ key }) => byKey.get(key) ?? [])
}

function signalOf({ compiled, state, spots }: SignalFound): NonNullable<CallRecord['signals']>[number] {
  const turns = new Set<number>()
  const first = spots.filter(({ turn }) => !turns.has(turn.place) && turns.add(turn.place)).slice(0, MOST_EVIDENCE)
  const evidence = first.map(quote)
  return { key: compiled.signal.key, state, ...(evidence.length > 0 && { evidence }) }
}

function readingsOf({ readings }: CompiledRubric, reading: Reading): NonNullable<CallRecord['dimensions']> {
  return readings.flatMap(({ key, values }) => {
    const holds = values.find(({ when }) => when === undefined || when.find(reading).truth === 'yes')
    return holds === undefined ? [] : [{ key, value: holds.value }]
  })
}
