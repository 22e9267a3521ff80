import { createHash } from 'node:crypto'
import type { CallRecord } from '../../calls/call-record.js'
import type { ModelAnswerStore } from '../../store/model-answer-store.js'
import { unevaluated } from '../apply-evaluation.js'
import type { Evaluation, Evaluator } from '../evaluator.js'
import type { Rubric } from '../rubric/rubric.js'
import { compileRubric, type CompiledRubric } from '../rules/compile-rubric.js'
import { fieldsOfSignals } from '../rules/fields-of-signals.js'
import type { HeardCall } from '../rules/heard-call.js'
import { type CallRead, readCall } from '../rules/read-call.js'
import type { DriverFound } from '../rules/reading.js'
import { trustOf } from '../rules/trust-of.js'
import { addressesEvaluator } from './addresses-evaluator.js'
import { askedSignals } from './asked-signals.js'
import { checkAnswer } from './check-answer.js'
import { type Findings, findings as findingsSchema } from './findings.js'
import { instructedConditions } from './instructed-conditions.js'
import type { ModelAccount } from './model-account.js'
import { answerSchema, readAnswer } from './model-answer.js'
import type { ModelClient, ModelReply, ModelRequest } from './model-client.js'
import { ModelFault } from './model-fault.js'
import { modelDoubts } from './model-doubts.js'
import { PROMPT_VERSION, systemPrompt, userPrompt } from './prompt.js'
import { signalsFound, spotOf } from './signals-found.js'

/** Bytes of text that make at least one token, in whatever language: what a request may use is reckoned high. */
const BYTES_A_TOKEN = 3
/** Times that a model is asked the same when its answer can't be read. */
const ASKED = 2

interface ModelEvaluatorParts {
  readonly client: ModelClient
  /** Where answers are kept; without it every one is paid for. */
  readonly answers: ModelAnswerStore
  readonly projectId: string
  readonly rubric: Rubric
  /** What `evaluation.rubric_version` says. */
  readonly version: string
  readonly verticals?: readonly string[]
  readonly account: ModelAccount
  /** Most characters of a call that are sent. */
  readonly maxCharacters: number
  readonly signal: AbortSignal
}

/** What is counted over the calls of a run. */
export interface ModelCounts {
  /** Calls whose answer was there already. */
  cached: number
  /** Signals that are unclear because no quote of theirs is in the transcript. */
  unquoted: number
  /** Calls in which a turn tries to instruct the evaluation. */
  flagged: number
}

/**
 * Reads calls with a language model, by a rubric: the model says which signals what was said shows, each with its quote;
 * the rest (what the clock shows, score, caps, coaching) the rubric makes of it, as it does of the rules' signals.
 */
export class ModelEvaluator implements Evaluator {
  readonly name = 'model'
  readonly rubric: Evaluator['rubric']
  readonly counts: ModelCounts = { cached: 0, unquoted: 0, flagged: 0 }
  readonly #parts: ModelEvaluatorParts
  readonly #compiled: CompiledRubric
  readonly #system: string
  readonly #schema: object

  /** @throws RangeError for a rubric that checkRubric would refuse */
  constructor(parts: ModelEvaluatorParts) {
    const { rubric, version, verticals } = parts
    this.rubric = { name: rubric.name, version }
    this.#parts = parts
    this.#compiled = compileRubric(rubric, verticals)
    this.#system = systemPrompt(this.#compiled)
    this.#schema = answerSchema(this.#compiled)
  }

  /** @throws ModelFault where endpoint or model bring no answer, BudgetSpent, or the signal's reason */
  async evaluate(given: CallRecord, at: Date): Promise<Evaluation> {
    const read = readCall(unevaluated(given), this.#compiled)
    if (typeof read === 'string') return { none: read }
    const findings = await this.#findings(read)
    if (typeof findings === 'string') return { none: findings }
    const { call, states, language } = read
    const { heard } = read.reading
    const reading = { ...read.reading, driver: driverFound(call, findings, heard) }
    const found = signalsFound(this.#compiled, reading, states, findings)
    const instructed = { heard: await addressesEvaluator(heard), told: findings.instructing }
    if (instructed.heard.length + instructed.told.length > 0) this.counts.flagged += 1
    this.counts.unquoted += findings.unquoted
    // A model reads other languages than the rubric's.
    const readable = { readable: true, ...(language.doubt !== undefined && { doubt: language.doubt }) }
    const trust = trustOf(call, reading, readable, found, modelDoubts(findings, instructed, heard))
    const fields = fieldsOfSignals(this.#compiled, { ...read, reading, found, understood: true, trust })
    const conditions = [
      { key: 'model', text: `${this.#parts.client.endpoint.name}, prompt ${PROMPT_VERSION}` },
      ...instructedConditions(instructed, heard),
      ...(fields.conditions ?? []),
    ]
    const { name: rubric, version } = this.rubric
    const evaluation = {
      evaluator: this.name,
      rubric,
      rubric_version: version,
      evaluated_at: at.toISOString(),
    }
    return { fields: { ...fields, conditions, evaluation } }
  }

  /** What the model found, now or before; or in a sentence why nothing can be known. */
  async #findings({ call, reading }: CallRead): Promise<Findings | string> {
    const { answers, projectId, maxCharacters } = this.#parts
    const nothing = askedSignals(this.#compiled).length === 0
    if (nothing) return { signals: [], unquoted: 0, unanswered: 0, instructing: [] }
    const request = { system: this.#system, schema: this.#schema, user: userPrompt(call) }
    if (request.user.length > maxCharacters) {
      return `The transcript is too long for the model: more than ${maxCharacters} characters (EARSHOT_MODEL_MAX_CHARACTERS)`
    }
    const question = { project_id: projectId, session_id: call.session_id, request: this.#hash(request) }
    const known = await answers.get(question)
    const { data } = findingsSchema.safeParse(known === undefined ? undefined : JSON.parse(known))
    if (data !== undefined) {
      this.counts.cached += 1
      return data
    }
    const fresh = await this.#ask(request, reading.heard)
    await answers.put(question, JSON.stringify(fresh))
    return fresh
  }

  async #ask(request: ModelRequest, heard: HeardCall): Promise<Findings> {
    const { client, account, signal } = this.#parts
    const bytes =
      Buffer.byteLength(request.system) + Buffer.byteLength(request.user) + JSON.stringify(request.schema).length
    const most = { input: Math.ceil(bytes / BYTES_A_TOKEN), output: client.endpoint.maxOutputTokens }
    const used = ({ inputTokens = most.input, outputTokens, text }: ModelReply) => ({
      input: inputTokens,
      output: outputTokens ?? Math.ceil(Buffer.byteLength(text) / BYTES_A_TOKEN),
    })
    for (let asked = 1; asked <= ASKED; asked += 1) {
      const reply = await account.spend(most, () => client.ask(request, signal), used)
      if (reply.ending === 'declined') throw new ModelFault('The model declined to answer')
      if (reply.ending === 'cut') {
        throw new ModelFault(
          `The model’s answer was cut off at ${client.endpoint.maxOutputTokens} tokens (EARSHOT_MODEL_MAX_OUTPUT_TOKENS)`,
        )
      }
      const answer = readAnswer(reply.text)
      if (answer !== undefined) return checkAnswer(answer, this.#compiled, heard)
    }
    throw new ModelFault('The model’s answer can’t be read: it is not of the form it was asked for')
  }

  #hash(request: ModelRequest): string {
    const { kind, url, name, temperature, schema } = this.#parts.client.endpoint
    const asked = [PROMPT_VERSION, kind, url, name, temperature, schema, request.system, request.schema, request.user]
    return createHash('sha256').update(JSON.stringify(asked)).digest('hex')
  }
}

/** The driver the record brings stays; what was heard is beside it. */
function driverFound({ interaction_driver: brought }: CallRecord, { driver }: Findings, heard: HeardCall): DriverFound {
  const [spot] = driver === undefined ? [] : spotOf(driver.spot, heard)
  if (driver === undefined || spot === undefined) return { driver: brought, heard: undefined, unknown: false }
  return { driver: brought ?? driver.name, heard: { driver: driver.name, spot, hinted: false }, unknown: false }
}
