import type { Config } from '../config.js'
import { type ModelRuns, modelRuns } from '../evaluation/run/model-runs.js'
import { modelPrices } from '../evaluation/model/model-account.js'
import type { ModelSetting } from '../evaluation/run/model-in-batches.js'
import type { BatchClient } from '../evaluation/model/batch-client.js'
import type { ModelEndpoint } from '../evaluation/model/model-endpoint.js'
import type { Store } from '../store/store.js'

/** The configured language model, or what says that there is none. */
export async function openModel(
  config: Config,
  store: Pick<Store, 'modelAnswers' | 'modelBatches' | 'leases'>,
): Promise<ModelRuns> {
  const opened = await settingOf(config)
  return modelRuns({
    setting: opened?.setting,
    answers: store.modelAnswers,
    leases: store.leases,
    ...(opened !== undefined && {
      batching: {
        client: opened.batches,
        store: store.modelBatches,
        lookMs: config.modelBatchLook,
      },
    }),
    budget: { calls: config.modelMaxCalls, tokens: config.modelMaxTokens, cost: config.modelMaxCost },
  })
}

async function settingOf(
  config: Config,
): Promise<{ readonly setting: ModelSetting; readonly batches: BatchClient } | undefined> {
  const { modelUrl: url, modelName: name, modelTemperature: temperature } = config
  if (url === undefined || name === undefined) return undefined
  // The libraries are loaded where there is a model only.
  const { createModelClient } = await import('../evaluation/model/model-client.js')
  const { createBatchClient } = await import('../evaluation/model/create-batch-client.js')
  const endpoint: ModelEndpoint = {
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
  }
  const { modelPriceInput: input, modelPriceOutput: output } = config
  const setting = {
    client: createModelClient(endpoint),
    concurrency: config.modelConcurrency,
    maxCharacters: config.modelMaxCharacters,
    prices: input === undefined || output === undefined ? undefined : modelPrices(config.modelKind, input, output),
  }
  return { setting, batches: createBatchClient(endpoint) }
}
