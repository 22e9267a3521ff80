import { z } from 'zod'
import { Problem } from '../../base/problem.js'
import type { ModelAnswerStore } from '../../store/model-answer-store.js'
import { modelBatch, type ModelBatchRecord } from '../../store/records/model-batch.js'
import type { Leases } from '../../store/leases.js'
import { NoBatch } from '../model/batch-client.js'
import { CallClaims } from '../model/call-claims.js'
import type { ModelBudget } from '../model/model-account.js'
import { ModelFault } from '../model/model-fault.js'
import type { MakeEvaluator, SharedThreads } from './batch-evaluator.js'
import {
  type Batching,
  type BatchReport,
  type BatchRunOptions,
  evaluateInBatches,
  waitingBatches,
} from './batch-run.js'
import type { RunRubric } from './evaluate-batch.js'
import { modelInBatches, type ModelSetting } from './model-in-batches.js'
import { readingsHere, readingsInTurns } from './model-readings.js'

/** A batch as an operator sees it. */
export const batchStatus = modelBatch.view.extend({
  ended: z.boolean().optional().meta({ description: 'Whether the provider is done with it, as it says now' }),
  done: z.int().min(0).optional().meta({ description: 'Requests that it is done with; some say so at the end only' }),
  fault: z.string().optional().meta({ description: 'Why it can’t be asked about it' }),
})
export type BatchStatus = z.output<typeof batchStatus>

/** What a run by batches is told. */
export interface BatchWork extends Pick<
  BatchRunOptions,
  'store' | 'which' | 'sample' | 'wait' | 'signal' | 'onProgress'
> {
  readonly projectId: string
  readonly rubric: RunRubric
  readonly budget?: ModelBudget | undefined
  readonly shared?: SharedThreads | undefined
}

/** Makes evaluators of the configured model, where there is one. */
export interface ModelRuns {
  /**
   * What a run is evaluated with.
   * @param budget in place of the configured one, where it says something
   * @throws Problem `not_configured` without a model; `invalid_input` for a bound of money without prices
   */
  evaluator(projectId: string, rubric: RunRubric, budget?: ModelBudget): MakeEvaluator
  /**
   * Evaluates by batches, and finds those of earlier runs.
   * @throws Problem as `evaluator`; `conflict` while another run does so with the project
   */
  inBatches(work: BatchWork): Promise<BatchReport>
  /** The batches of a project, newest first; the provider is asked about those that wait. */
  batches(projectId: string, signal: AbortSignal): Promise<BatchStatus[]>
  /** Has the provider end those that wait. What it has answered by then is taken over by the next run. */
  cancelBatches(projectId: string, signal: AbortSignal): Promise<BatchStatus[]>
}

interface ModelRunsParts {
  /** Undefined where none is configured. */
  readonly setting: ModelSetting | undefined
  readonly answers: ModelAnswerStore
  /** That one run at a time asks about a call, and sends the batches of a project. */
  readonly leases: Leases
  /** Of every run, unless it says otherwise. */
  readonly budget: ModelBudget
  /** Absent: it is asked call by call alone. */
  readonly batching?: Batching
}

export function modelRuns({ setting, answers, leases, budget: configured, batching }: ModelRunsParts): ModelRuns {
  const required = (): ModelSetting => {
    if (setting !== undefined) return setting
    throw new Problem(
      'not_configured',
      'No language model is configured: set EARSHOT_MODEL_URL and EARSHOT_MODEL_NAME where the service runs',
    )
  }
  const budgetOf = ({ calls, tokens, cost }: ModelBudget): ModelBudget => {
    const budget = {
      calls: calls ?? configured.calls,
      tokens: tokens ?? configured.tokens,
      cost: cost ?? configured.cost,
    }
    if (budget.cost !== undefined && required().prices === undefined) {
      throw new Problem(
        'invalid_input',
        'A bound of money needs prices: set EARSHOT_MODEL_PRICE_INPUT and EARSHOT_MODEL_PRICE_OUTPUT',
      )
    }
    return budget
  }
  const readingsOf = (rubric: RunRubric, shared: SharedThreads | undefined) => (signal: AbortSignal) =>
    shared === undefined
      ? readingsHere(rubric)
      : readingsInTurns(rubric, shared.threads, { requester: shared.requester, signal })
  const requiredBatching = (): { readonly model: ModelSetting; readonly batching: Batching } => {
    const model = required()
    if (batching === undefined) throw new Error('A model without its batches')
    return { model, batching }
  }
  const lookAt = async (batch: ModelBatchRecord, signal: AbortSignal): Promise<BatchStatus> => {
    const { model, batching: by } = requiredBatching()
    const shown = { ...modelBatch.show(batch) }
    const { here, elsewhere } = waitingBatches([batch], model.client.endpoint)
    if (elsewhere.length > 0) {
      return {
        ...shown,
        fault: 'It was sent to another endpoint or model: set the EARSHOT_MODEL_… of then to take it over',
      }
    }
    if (here.length === 0 || batch.remote_id === undefined) return shown
    try {
      const { ended, done } = await by.client.look(batch.remote_id, signal)
      return { ...shown, ended, done }
    } catch (error) {
      if (!(error instanceof ModelFault)) throw error
      return { ...shown, fault: error.message }
    }
  }
  const batches: ModelRuns['batches'] = async (projectId, signal) => {
    const all = await requiredBatching().batching.store.of(projectId)
    const statuses: BatchStatus[] = []
    for (const batch of all) statuses.push(await lookAt(batch, signal))
    return statuses
  }
  return {
    evaluator: (projectId, rubric, given = {}) => {
      const model = required()
      const budget = budgetOf(given)
      return (signal, shared) =>
        modelInBatches({
          setting: model,
          answers,
          claims: new CallClaims(leases, batching?.store),
          projectId,
          readings: readingsOf(rubric, shared)(signal),
          budget,
          signal,
        })
    },
    inBatches: async ({ budget = {}, ...work }) => {
      const { model, batching: by } = requiredBatching()
      const { projectId, rubric, shared } = work
      const bounded = budgetOf(budget)
      // Two runs would send the same calls twice.
      const lease = await leases.take(`model-batches:${projectId}`)
      if (lease === undefined) {
        throw new Problem('conflict', 'Another run evaluates this project by batches: it goes on by itself')
      }
      try {
        return await evaluateInBatches({
          ...work,
          signal: AbortSignal.any([work.signal, lease.lost]),
          setting: model,
          batching: by,
          answers,
          claims: new CallClaims(leases),
          budget: bounded,
          readings: readingsOf(rubric, shared),
        })
      } finally {
        await lease.release()
      }
    },
    batches,
    cancelBatches: async (projectId, signal) => {
      const { model, batching: by } = requiredBatching()
      const { here } = waitingBatches(await by.store.of(projectId), model.client.endpoint)
      for (const batch of here) {
        const { remote_id: name } = batch
        if (name === undefined) continue
        try {
          await by.client.cancel(name, signal)
          await by.store.note({ ...batch, cancelled_at: new Date().toISOString() })
        } catch (error) {
          if (!(error instanceof ModelFault)) throw error
          // What the provider does not know any more nobody will answer.
          if (error instanceof NoBatch) await by.store.remove(batch)
        }
      }
      return await batches(projectId, signal)
    },
  }
}
