import type { Claim } from '../../store/leases.js'
import type { ModelAnswerStore, ModelQuestion } from '../../store/model-answer-store.js'
import type { CallEvaluated } from '../stored-call.js'
import type { CallClaims } from './call-claims.js'
import { findings as findingsSchema } from './findings.js'
import type { ModelAccount, Tokens } from './model-account.js'
import type { ModelClient, ModelReply } from './model-client.js'
import type { ModelEndpoint } from './model-endpoint.js'
import { ModelFault } from './model-fault.js'
import { type Answered, type AskedEndpoint, BYTES_A_TOKEN, type Concluded, type Prepared } from './model-reading.js'

export type AskedQuestion = NonNullable<Extract<Prepared, { sessionId: string }>['question']>

/** How a model comes to answer. */
export interface Asking {
  /**
   * Has nobody else ask the same until it is given back.
   * @throws AskedElsewhere
   */
  claim(question: ModelQuestion): Promise<Claim>
  /** @throws ModelFault where endpoint or model bring no answer, BudgetSpent, or the signal's reason */
  ask(question: AskedQuestion, sessionId: string): Promise<ModelReply>
  /** Times that a model is asked the same when its answer can't be read. */
  readonly times: number
}

/** Asks at once, and waits for the answer. */
export function askingNow(client: ModelClient, account: ModelAccount, claims: CallClaims, signal: AbortSignal): Asking {
  return {
    times: 2,
    claim: async question => await claims.take(question),
    ask: async ({ request, tokens }) => {
      const most = { input: tokens, output: client.endpoint.maxOutputTokens }
      return await account.spend(
        most,
        () => client.ask(request, signal),
        reply => tokensOf(reply, tokens),
      )
    },
  }
}

/** What an answer took. @param input tokens of what was sent, where the endpoint doesn't count them */
export function tokensOf(
  { inputTokens, outputTokens, cacheRead, cacheWritten, text }: ModelReply,
  input: number,
): Required<Tokens> {
  return {
    input: inputTokens ?? input,
    cacheRead,
    cacheWritten,
    output: outputTokens ?? Math.ceil(Buffer.byteLength(text) / BYTES_A_TOKEN),
  }
}

/** A ModelReading, wherever it does its work. */
export interface ModelReadings {
  prepare(json: string, endpoint: AskedEndpoint): Promise<Prepared>
  conclude(json: string, at: number, model: string, answered: Answered): Promise<Concluded | undefined>
}

interface ModelEvaluatorParts {
  readonly endpoint: ModelEndpoint
  readonly asking: Asking
  /** Where answers are kept; without it every one is paid for. */
  readonly answers: Pick<ModelAnswerStore, 'get' | 'put'>
  readonly projectId: string
  readonly readings: ModelReadings
  /** Most characters of a call that are sent. */
  readonly maxCharacters: number
}

type Conclude = (answered: Answered) => Promise<Concluded | undefined>

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
export class ModelEvaluator {
  readonly counts: ModelCounts = { cached: 0, unquoted: 0, flagged: 0 }
  /** Keys of the signals that were asked for, from the first answer on. */
  readonly asked = new Set<string>()
  readonly #parts: ModelEvaluatorParts

  constructor(parts: ModelEvaluatorParts) {
    this.#parts = parts
  }

  /**
   * @param json the call as the store hands it out
   * @param at the instant that `evaluation.evaluated_at` says, milliseconds since 1970
   * @throws ModelFault where endpoint or model bring no answer, BudgetSpent, AskedElsewhere, or the signal's reason
   */
  async evaluate(json: string, at: number): Promise<CallEvaluated> {
    const { endpoint, readings, maxCharacters } = this.#parts
    const prepared = await readings.prepare(json, endpoint)
    if (prepared.none !== undefined) return prepared
    const { question } = prepared
    if (question !== undefined && question.request.user.length > maxCharacters) {
      return {
        none: `The transcript is too long for the model: more than ${maxCharacters} characters (EARSHOT_MODEL_MAX_CHARACTERS)`,
      }
    }
    const conclude = (answered: Answered) => readings.conclude(json, at, endpoint.name, answered)
    const concluded =
      question === undefined ? await conclude(undefined) : await this.#ask(prepared.sessionId, question, conclude)
    if (concluded === undefined) throw new Error('What nobody was asked could not be read')
    for (const { key } of concluded.findings.signals) this.asked.add(key)
    this.counts.unquoted += concluded.findings.unquoted
    if (concluded.flagged) this.counts.flagged += 1
    return concluded.evaluated
  }

  /** What the model found, now or before. */
  async #ask(sessionId: string, question: AskedQuestion, conclude: Conclude): Promise<Concluded> {
    const { projectId, asking } = this.#parts
    const kept = { project_id: projectId, session_id: sessionId, request: question.hash }
    const known = await this.#known(kept, conclude)
    if (known !== undefined) return known
    const claim = await asking.claim(kept)
    try {
      // Whoever had it before may have left the answer.
      return (await this.#known(kept, conclude)) ?? (await this.#askNow(kept, question, conclude))
    } finally {
      await claim.release()
    }
  }

  async #known(kept: ModelQuestion, conclude: Conclude): Promise<Concluded | undefined> {
    const known = await this.#parts.answers.get(kept)
    const { data: before } = findingsSchema.safeParse(known === undefined ? undefined : JSON.parse(known))
    const concluded = before && (await conclude({ findings: before }))
    if (concluded !== undefined) this.counts.cached += 1
    return concluded
  }

  async #askNow(kept: ModelQuestion, question: AskedQuestion, conclude: Conclude): Promise<Concluded> {
    const { endpoint, answers, asking } = this.#parts
    for (let asked = 1; asked <= asking.times; asked += 1) {
      const reply = await asking.ask(question, kept.session_id)
      if (reply.ending === 'declined') throw new ModelFault('The model declined to answer')
      if (reply.ending === 'cut') {
        throw new ModelFault(
          `The model’s answer was cut off at ${endpoint.maxOutputTokens} tokens (EARSHOT_MODEL_MAX_OUTPUT_TOKENS)`,
        )
      }
      const concluded = await conclude({ text: reply.text })
      if (concluded === undefined) continue
      await answers.put(kept, JSON.stringify(concluded.findings))
      return concluded
    }
    throw new ModelFault('The model’s answer can’t be read: it is not of the form it was asked for')
  }
}
