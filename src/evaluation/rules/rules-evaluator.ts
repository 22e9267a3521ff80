import type { CallRecord } from '../../calls/call-record.js'
import { unevaluated } from '../apply-evaluation.js'
import type { EvaluatedFields, Evaluation, Evaluator } from '../evaluator.js'
import { kindOfCall } from '../rubric/kind-of-call.js'
import type { Rubric, RubricKind } from '../rubric/rubric.js'
import { addressingPlaces } from './addresses-evaluator.js'
import { compileRubric, type CompiledRubric } from './compile-rubric.js'
import { EvaluationTime, EvaluationTooLong } from './evaluation-time.js'
import { evaluateSignals } from './evaluate-signals.js'
import { fieldsOfSignals } from './fields-of-signals.js'
import type { HeardCall } from './heard-call.js'
import { type CallRead, readCall, readHeard, tellLanguage } from './read-call.js'
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
  /** The same rubric in other languages, for calls in these. */
  readonly others?: readonly Rubric[]
}

/** Key of the condition that says by the words of which language a call was read, where it is not the rubric's own. */
const READ_IN = 'rubric.language'

const NO_OTHERS: ReadonlyMap<string, Other> = new Map()

/** A rubric of another language, made ready when the first call is in it. */
class Other {
  readonly #rubric: Rubric
  readonly #verticals: readonly string[] | undefined
  #compiled: CompiledRubric | undefined

  constructor(rubric: Rubric, verticals: readonly string[] | undefined) {
    this.#rubric = rubric
    this.#verticals = verticals
  }

  get compiled(): CompiledRubric {
    return (this.#compiled ??= compileRubric(this.#rubric, this.#verticals))
  }
}

/** Reads calls by a rubric's rules: the same call and rubric give the same evaluation, to the bit. */
export class RulesEvaluator implements Evaluator {
  readonly name = 'rules'
  readonly rubric: Evaluator['rubric']
  readonly #compiled: CompiledRubric
  /** By their language. */
  readonly #others: ReadonlyMap<string, Other>
  readonly #kinds: readonly (Pick<RubricKind, 'when'> & { readonly compiled: CompiledRubric })[]

  /** @throws RangeError for a rubric that checkRubric would refuse */
  constructor({ rubric, version, verticals, others = [] }: Versioned) {
    this.rubric = { name: rubric.name, version }
    this.#compiled = compileRubric(rubric, verticals)
    this.#others = new Map(others.map(other => [other.language, new Other(other, verticals)]))
    this.#kinds = (rubric.kinds ?? []).map(({ when, rubric: its }) => ({
      when,
      compiled: compileRubric(its, verticals),
    }))
  }

  /** @param mostMs a call that takes longer gets no evaluation */
  evaluate(call: CallRecord, at: Date, mostMs = CALL_MS): Evaluation {
    const { name: evaluator, rubric } = this
    const bare = unevaluated(call)
    const kind = kindOfCall(this.#kinds, bare)
    const compiled = kind?.compiled ?? this.#compiled
    // Other languages are the project's own rubric's: read by it a call of a kind would be scored for what it is not.
    const fields = evaluateCall(bare, compiled, kind === undefined ? this.#others : NO_OTHERS, mostMs)
    if (typeof fields === 'string') return { none: fields }
    fields.evaluation = {
      evaluator,
      rubric: compiled.rubric.name,
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
function evaluateCall(
  call: CallRecord,
  own: CompiledRubric,
  others: ReadonlyMap<string, Other>,
  mostMs: number,
): EvaluatedFields | string {
  const time = new EvaluationTime(mostMs)
  try {
    const told = tellLanguage(call, own)
    if (typeof told === 'string') return told
    const other = others.get(told.language.other ?? '')
    if (other === undefined) return fieldsOf(call, own, readHeard(call, own, told, time), time)
    const read = readCall(call, other.compiled, time)
    if (typeof read === 'string') return read
    const fields = fieldsOf(call, other.compiled, read, time)
    const { name, language } = other.compiled.rubric
    fields.conditions = [...(fields.conditions ?? []), { key: READ_IN, text: `${language}, by ${name}` }]
    return fields
  } catch (error) {
    if (!(error instanceof EvaluationTooLong)) throw error
    return `The rubric takes more than ${mostMs / 1000} s on it`
  }
}

function fieldsOf(call: CallRecord, compiled: CompiledRubric, read: CallRead, time: EvaluationTime): EvaluatedFields {
  const signals = evaluateSignals(compiled, read.reading, read.states, time)
  const told = tellSpeakers(call, compiled, { read, found: signals }, time)
  const { found, doubts } = told
  const { reading, language } = told.read
  const instructing = addressingPlaces(reading.heard, reading.said[compiled.addressing]!, time)
  const trust = trustOf(call, reading, language, found, [...doubts, ...instructingDoubts(instructing, reading.heard)])
  return fieldsOfSignals(compiled, { ...told.read, found, understood: language.readable, trust })
}
