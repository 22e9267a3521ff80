import type { Config } from '../config.js'
import { type ModelRuns, modelRuns } from '../evaluation/run/model-runs.js'
import { modelPrices } from '../evaluation/model/model-account.js'
import type { ModelSetting } from '../evaluation/run/model-in-batches.js'
import type { Store } from '../store/store.js'

/** The configured language model, or what says that there is none. */
export async function openModel(config: Config, store: Pick<Store, 'modelAnswers'>): Promise<ModelRuns> {
  return modelRuns({
    setting: await settingOf(config),
    answers: store.modelAnswers,
    budget: { calls: config.modelMaxCalls, tokens: config.modelMaxTokens, cost: config.modelMaxCost },
  })
}

async function settingOf(config: Config): Promise<ModelSetting | undefined> {
  const { modelUrl: url, modelName: name, modelTemperature: temperature } = config
  if (url === undefined || name === undefined) return undefined
  // The libraries are loaded where there is a model only.
  const { createModelClient } = await import('../evaluation/model/model-client.js')
  const client = createModelClient({
    kind: config.modelKind,
    url,
    name,
    apiKey: config.modelApiKey,
    temperature: temperature === 'none' ? undefined : temperature,
    schema: config.modelSchema,
    maxOutputTokens: config.modelMaxOutputTokens,
    timeoutMs: config.modelTimeout,
    attempts: config.modelAttempts,
    firstRetryMs: config.modelFirstRetry,
  })
  const { modelPriceInput: input, modelPriceOutput: output } = config
  return {
    client,
    concurrency: config.modelConcurrency,
    maxCharacters: config.modelMaxCharacters,
    prices: input === undefined || output === undefined ? undefined : modelPrices(config.modelKind, input, output),
  }
}
