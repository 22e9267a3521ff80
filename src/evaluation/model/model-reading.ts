import { createHash } from 'node:crypto'
import type { CallRecord } from '../../calls/call-record.js'
import { unevaluated } from '../apply-evaluation.js'
import { kindOfCall } from '../rubric/kind-of-call.js'
import type { Rubric, RubricKind } from '../rubric/rubric.js'
import { addressesEvaluator } from '../rules/addresses-evaluator.js'
import { compileRubric, type CompiledRubric } from '../rules/compile-rubric.js'
import { fieldsOfSignals } from '../rules/fields-of-signals.js'
import type { HeardCall } from '../rules/heard-call.js'
import { type CallRead, readCall } from '../rules/read-call.js'
import type { DriverFound } from '../rules/reading.js'
import { trustOf } from '../rules/trust-of.js'
import { type CallEvaluated, callEvaluated, readStored, UNREADABLE } from '../stored-call.js'
import { askedSignals } from './asked-signals.js'
import { checkAnswer } from './check-answer.js'
import type { Findings } from './findings.js'
import { instructedConditions } from './instructed-conditions.js'
import { answerSchema, readAnswer } from './model-answer.js'
import type { ModelRequest } from './model-client.js'
import { modelDoubts } from './model-doubts.js'
import type { ModelEndpoint } from './model-endpoint.js'
import { promptVersion, systemPrompt, userPrompt } from './prompt.js'
import { signalsFound, spotOf } from './signals-found.js'

/** Bytes of text that make at least one token, in whatever language: what a request may use is reckoned high. */
export const BYTES_A_TOKEN = 3

/** What of an endpoint an answer hangs on. */
export type AskedEndpoint = Pick<ModelEndpoint, 'kind' | 'url' | 'name' | 'temperature' | 'schema'>

/** What a call is to be asked of a model; or in a sentence why nothing can be known of it. */
export type Prepared =
  | { readonly none: string }
  | {
      readonly none?: undefined
      readonly sessionId: string
      /** Absent where the rubric asks for nothing that a model could tell. */
      readonly question?: {
        readonly request: ModelRequest
        /** The same for the same request to the same model. */
        readonly hash: string
        /** Most tokens of it. */
        readonly tokens: number
      }
    }

/** What a model said of a call: now, in its own words, or before; nothing where it was not asked. */
export type Answered = { readonly text: string } | { readonly findings: Findings } | undefined

/** What came of an answer. */
export interface Concluded {
  readonly evaluated: CallEvaluated
  readonly findings: Findings
  /** A turn tries to instruct the evaluation. */
  readonly flagged: boolean
}

export interface ModelReadingParts {
  readonly rubric: Rubric
  /** What `evaluation.rubric_version` says. */
  readonly version: string
  readonly verticals?: readonly string[]
}

/** What a model is asked by a rubric. */
interface Asked {
  readonly compiled: CompiledRubric
  readonly system: string
  readonly schema: object
  readonly prompt: string
}

function askedBy(rubric: Rubric, verticals: readonly string[] | undefined): Asked {
  const compiled = compileRubric(rubric, verticals)
  const [system, schema] = [systemPrompt(compiled), answerSchema(compiled)]
  return { compiled, system, schema, prompt: promptVersion(system, schema) }
}

const NOTHING: Findings = { signals: [], unquoted: 0, unanswered: 0, claimed: 0, held: 0, instructing: [] }

/**
 * What a rubric makes of calls and of a model's answers: all of an evaluation but the asking. It takes a second for a long call,
 * and half of one to be made, so a service has threads do it.
 */
export class ModelReading {
  readonly #version: string
  readonly #asked: Asked
  readonly #kinds: readonly (Pick<RubricKind, 'when'> & { readonly asked: Asked })[]

  /** @throws RangeError for a rubric that checkRubric would refuse */
  constructor({ rubric, version, verticals }: ModelReadingParts) {
    this.#version = version
    this.#asked = askedBy(rubric, verticals)
    this.#kinds = (rubric.kinds ?? []).map(({ when, rubric: its }) => ({ when, asked: askedBy(its, verticals) }))
  }

  #askedOf(call: CallRecord): Asked {
    return kindOfCall(this.#kinds, call)?.asked ?? this.#asked
  }

  /** @param json the call as the store hands it out */
  prepare(json: string, endpoint: AskedEndpoint): Prepared {
    const stored = readStored(json)
    if (stored === undefined) return UNREADABLE
    const bare = unevaluated(stored)
    const { compiled, system, schema: form } = this.#askedOf(bare)
    const read = readCall(bare, compiled)
    if (typeof read === 'string') return { none: read }
    const sessionId = stored.session_id
    if (askedSignals(compiled).length === 0) return { sessionId }
    const request = { system, schema: form, user: userPrompt(read.call) }
    const { kind, url, name, temperature, schema } = endpoint
    const asked = [kind, url, name, temperature, schema, request.system, request.schema, request.user]
    const hash = createHash('sha256').update(JSON.stringify(asked)).digest('hex')
    const bytes =
      Buffer.byteLength(request.system) + Buffer.byteLength(request.user) + JSON.stringify(request.schema).length
    return { sessionId, question: { request, hash, tokens: Math.ceil(bytes / BYTES_A_TOKEN) } }
  }

  /**
   * @param at the instant that `evaluation.evaluated_at` says, milliseconds since 1970
   * @param model name of the model that answered
   * @returns undefined where the answer is not of the form that was asked for
   */
  async conclude(json: string, at: number, model: string, answered: Answered): Promise<Concluded | undefined> {
    const stored = readStored(json)
    const bare = stored && unevaluated(stored)
    const asked = bare && this.#askedOf(bare)
    const read = bare && asked && readCall(bare, asked.compiled)
    if (stored === undefined || asked === undefined || read === undefined || typeof read === 'string') {
      throw new Error('A call was answered that was not asked about')
    }
    const findings = findingsOf(answered, asked.compiled, read.reading.heard)
    return findings && { findings, ...(await this.#evaluate(stored, asked, read, at, model, findings)) }
  }

  async #evaluate(
    stored: CallRecord,
    { compiled, prompt }: Asked,
    read: CallRead,
    at: number,
    model: string,
    findings: Findings,
  ): Promise<Omit<Concluded, 'findings'>> {
    const { call, states, language } = read
    const { heard } = read.reading
    const reading = { ...read.reading, driver: driverFound(call, findings, heard) }
    const found = signalsFound(compiled, reading, states, findings)
    const instructed = { heard: await addressesEvaluator(heard), told: findings.instructing }
    // A model reads other languages than the rubric's.
    const readable = { readable: true, ...(language.doubt !== undefined && { doubt: language.doubt }) }
    const trust = trustOf(call, reading, readable, found, modelDoubts(findings, instructed, heard))
    const fields = fieldsOfSignals(compiled, { ...read, reading, found, understood: true, trust })
    const conditions = [
      { key: 'model', text: `${model}, prompt ${prompt}` },
      ...instructedConditions(instructed, heard),
      ...(fields.conditions ?? []),
    ]
    const evaluation = {
      evaluator: 'model' as const,
      rubric: compiled.rubric.name,
      rubric_version: this.#version,
      evaluated_at: new Date(at).toISOString(),
    }
    return {
      evaluated: callEvaluated(stored, { fields: { ...fields, conditions, evaluation } }),
      flagged: instructed.heard.length + instructed.told.length > 0,
    }
  }
}

function findingsOf(answered: Answered, compiled: CompiledRubric, heard: HeardCall): Findings | undefined {
  if (answered === undefined) return NOTHING
  if ('findings' in answered) return answered.findings
  const answer = readAnswer(answered.text)
  return answer && checkAnswer(answer, compiled, heard)
}

/** The driver the record brings stays; what was heard is beside it. */
function driverFound({ interaction_driver: brought }: CallRecord, { driver }: Findings, heard: HeardCall): DriverFound {
  const [spot] = driver === undefined ? [] : spotOf(driver.spot, heard)
  if (driver === undefined || spot === undefined)
    return { driver: brought, heard: undefined, further: [], unknown: false }
  return {
    driver: brought ?? driver.name,
    heard: { driver: driver.name, spot, hinted: false },
    further: [],
    unknown: false,
  }
}
