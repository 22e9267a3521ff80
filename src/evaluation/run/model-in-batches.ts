import pLimit from 'p-limit'
import type { ModelAnswerStore } from '../../store/model-answer-store.js'
import { AskedElsewhere, type CallClaims } from '../model/call-claims.js'
import { BudgetSpent, ModelAccount, type ModelBudget, type ModelPrices } from '../model/model-account.js'
import type { ModelClient } from '../model/model-client.js'
import { askingNow, ModelEvaluator, type ModelReadings } from '../model/model-evaluator.js'
import { ModelFault } from '../model/model-fault.js'
import type { BatchEvaluator } from './batch-evaluator.js'
import type { CallEvaluated } from '../stored-call.js'
import type { ModelUsage } from './evaluation-report.js'

/** So many calls in a row that bring nothing, and the run ends: the next ones would cost and bring nothing either. */
const MOST_IN_VAIN = 8
const LEFT: CallEvaluated = { left: true }

/** Which model evaluates, and how. */
export interface ModelSetting {
  readonly client: ModelClient
  /** Requests at a time. */
  readonly concurrency: number
  readonly maxCharacters: number
  readonly prices: ModelPrices | undefined
}

interface ModelRunParts {
  readonly setting: ModelSetting
  readonly answers: ModelAnswerStore
  readonly claims: CallClaims
  readonly projectId: string
  readonly readings: ModelReadings
  readonly budget: ModelBudget
  readonly signal: AbortSignal
}

/**
 * Reads calls with a language model, one by one and several at a time, until the budget is spent or the endpoint fails
 * for good: the calls after that are left for another run.
 */
export function modelInBatches({
  setting,
  answers,
  claims,
  projectId,
  readings,
  budget,
  signal,
}: ModelRunParts): BatchEvaluator {
  const { client, concurrency, maxCharacters, prices } = setting
  const account = new ModelAccount(budget, prices)
  const asking = askingNow(client, account, claims, signal)
  const evaluator = new ModelEvaluator({
    readings,
    endpoint: client.endpoint,
    asking,
    answers,
    projectId,
    maxCharacters,
  })
  const limit = pLimit(concurrency)
  let stopped: ModelUsage['stopped']
  let inVain = 0
  let failed = 0

  const bringsNothing = (reason: string): CallEvaluated => {
    inVain += 1
    failed += 1
    if (inVain >= MOST_IN_VAIN) {
      stopped ??= {
        reason: `${inVain} calls in a row brought no evaluation, the last one because: ${reason}`,
        failed: true,
      }
    }
    return { none: reason }
  }

  const read = async (json: string, at: number): Promise<CallEvaluated> => {
    signal.throwIfAborted()
    if (stopped !== undefined) return LEFT
    try {
      const evaluated = await evaluator.evaluate(json, at)
      // A call without a transcript says nothing of the model.
      if ('json' in evaluated) inVain = 0
      return evaluated
    } catch (error) {
      if (error instanceof BudgetSpent) {
        stopped ??= { reason: 'The budget of the run is spent', failed: false }
        return LEFT
      }
      // Its evaluation comes from there; of the model it says nothing.
      if (error instanceof AskedElsewhere) return { none: error.message }
      if (!(error instanceof ModelFault)) throw error
      if (!error.final) return bringsNothing(error.message)
      stopped ??= { reason: error.message, failed: true }
      return LEFT
    }
  }

  return {
    name: 'model',
    // Each call is seen as soon as it is read.
    size: 1,
    together: 1,
    width: concurrency,
    run: async ({ calls, at }) => await Promise.all(calls.map(json => limit(read, json, at))),
    close: async () => limit.clearQueue(),
    asked: () => evaluator.asked,
    model: () => ({
      name: client.endpoint.name,
      requests: account.requests,
      ...evaluator.counts,
      failed,
      input_tokens: account.tokens.input,
      ...(account.tokens.cacheRead > 0 && { prompt_cache_tokens: account.tokens.cacheRead }),
      output_tokens: account.tokens.output,
      ...(account.cost !== undefined && { cost: account.cost }),
      ...(stopped !== undefined && { stopped }),
    }),
  }
}
