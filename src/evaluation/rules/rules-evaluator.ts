import type { CallRecord } from '../../calls/call-record.js'
import { unevaluated } from '../apply-evaluation.js'
import type { EvaluatedFields, Evaluation, Evaluator } from '../evaluator.js'
import type { Rubric } from '../rubric/rubric.js'
import { addressingPlaces } from './addresses-evaluator.js'
import { compileRubric, type CompiledRubric } from './compile-rubric.js'
import { EvaluationTime, EvaluationTooLong } from './evaluation-time.js'
import { evaluateSignals } from './evaluate-signals.js'
import { fieldsOfSignals } from './fields-of-signals.js'
import type { HeardCall } from './heard-call.js'
import { readCall } from './read-call.js'
import { tellSpeakers } from './swapped-speakers.js'
import { type Doubt, trustOf, turnsText } from './trust-of.js'

/** Most milliseconds for one call: a hundred times of what an hour of talk takes by a built-in rubric. */
export const CALL_MS = 10_000

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

  /** @param mostMs a call that takes longer gets no evaluation */
  evaluate(call: CallRecord, at: Date, mostMs = CALL_MS): Evaluation {
    const { name: evaluator, rubric } = this
    const fields = evaluateCall(unevaluated(call), this.#compiled, mostMs)
    if (typeof fields === 'string') return { none: fields }
    fields.evaluation = {
      evaluator,
      rubric: rubric.name,
      rubric_version: rubric.version,
      evaluated_at: at.toISOString(),
    }
    return { fields }
  }
}

/** Rules follow no instructions, but who reads the transcript next may. */
function instructingDoubts(places: readonly number[], { spoken }: HeardCall): readonly Doubt[] {
  if (places.length === 0) return []
  return [{ less: 0.1, reason: `${turnsText(places, spoken)} to instruct an evaluation; rules follow no instructions` }]
}

/** The evaluated fields of a call but `evaluation`; or, in a sentence, why there are none. */
function evaluateCall(call: CallRecord, compiled: CompiledRubric, mostMs: number): EvaluatedFields | string {
  const time = new EvaluationTime(mostMs)
  try {
    const read = readCall(call, compiled, time)
    if (typeof read === 'string') return read
    const signals = evaluateSignals(compiled, read.reading, read.states, time)
    const told = tellSpeakers(call, compiled, { read, found: signals }, time)
    const { found, doubts } = told
    const { reading, language } = told.read
    const instructing = addressingPlaces(reading.heard, reading.said[compiled.addressing]!, time)
    const trust = trustOf(call, reading, language, found, [...doubts, ...instructingDoubts(instructing, reading.heard)])
    return fieldsOfSignals(compiled, { ...told.read, found, understood: language.readable, trust })
  } catch (error) {
    if (!(error instanceof EvaluationTooLong)) throw error
    return `The rubric takes more than ${mostMs / 1000} s on it`
  }
}
