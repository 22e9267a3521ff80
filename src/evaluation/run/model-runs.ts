import { Problem } from '../../base/problem.js'
import type { ModelAnswerStore } from '../../store/model-answer-store.js'
import type { ModelBudget } from '../model/model-account.js'
import type { MakeEvaluator } from './batch-evaluator.js'
import type { RunRubric } from './evaluate-batch.js'
import { modelInBatches, type ModelSetting } from './model-in-batches.js'
import { readingsHere, readingsInTurns } from './model-readings.js'

/** Makes evaluators of the configured model, where there is one. */
export interface ModelRuns {
  /**
   * What a run is evaluated with.
   * @param budget in place of the configured one, where it says something
   * @throws Problem `not_configured` without a model; `invalid_input` for a bound of money without prices
   */
  evaluator(projectId: string, rubric: RunRubric, budget?: ModelBudget): MakeEvaluator
}

interface ModelRunsParts {
  /** Undefined where none is configured. */
  readonly setting: ModelSetting | undefined
  readonly answers: ModelAnswerStore
  /** Of every run, unless it says otherwise. */
  readonly budget: ModelBudget
}

export function modelRuns({ setting, answers, budget: configured }: ModelRunsParts): ModelRuns {
  return {
    evaluator: (projectId, rubric, { calls, tokens, cost } = {}) => {
      if (setting === undefined) {
        throw new Problem(
          'not_configured',
          'No language model is configured: set EARSHOT_MODEL_URL and EARSHOT_MODEL_NAME where the service runs',
        )
      }
      const budget = {
        calls: calls ?? configured.calls,
        tokens: tokens ?? configured.tokens,
        cost: cost ?? configured.cost,
      }
      if (budget.cost !== undefined && setting.prices === undefined) {
        throw new Problem(
          'invalid_input',
          'A bound of money needs prices: set EARSHOT_MODEL_PRICE_INPUT and EARSHOT_MODEL_PRICE_OUTPUT',
        )
      }
      return (signal, shared) => {
        const readings =
          shared === undefined
            ? readingsHere(rubric)
            : readingsInTurns(rubric, shared.threads, { requester: shared.requester, signal })
        return modelInBatches({ setting, answers, projectId, readings, budget, signal })
      }
    },
  }
}
