import { anthropicBatches } from './anthropic-batches.js'
import { type AskApi, type BatchClient, NoBatch } from './batch-client.js'
import { boundedFetch } from './bounded-fetch.js'
import { MODEL_NAMES, statusFault } from './fault-of.js'
import type { ModelEndpoint } from './model-endpoint.js'
import { openAiBatches } from './openai-batches.js'
import { untilAnswered } from './until-answered.js'

/** Most bytes of the answers of one batch. */
const MOST_ANSWER_BYTES = 64 * 1024 * 1024

/** What an endpoint takes batches by. */
export function createBatchClient(endpoint: ModelEndpoint): BatchClient {
  const { kind, apiKey, timeoutMs } = endpoint
  const base = endpoint.url.replace(/\/+$/, '')
  const fetch = boundedFetch(timeoutMs, MOST_ANSWER_BYTES)
  const auth: Record<string, string> =
    kind === 'anthropic'
      ? { 'x-api-key': apiKey ?? '', 'anthropic-version': '2023-06-01' }
      : apiKey === undefined
        ? {}
        : { authorization: `Bearer ${apiKey}` }
  const ask: AskApi = async (path, { signal, method = 'GET', body, headers = {}, again = true }) => {
    const once = async () => {
      const response = await fetch(`${base}${path}`, {
        method,
        signal,
        headers: {
          ...auth,
          ...(typeof body === 'string' && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : body() }),
      })
      const text = await response.text()
      if (response.ok) return text
      if ([404, 405, 501].includes(response.status)) {
        throw new NoBatch(
          `The model’s endpoint has no batches, or not this one (${response.status} at ${path.split('?')[0]}): without --batch it is asked call by call`,
          { final: true },
        )
      }
      throw statusFault(
        { status: response.status, headers: Object.fromEntries(response.headers), body: text },
        MODEL_NAMES,
        apiKey,
      )
    }
    signal.throwIfAborted()
    return again ? await untilAnswered(once, endpoint, signal) : await once()
  }
  return kind === 'anthropic' ? anthropicBatches(ask, apiKey) : openAiBatches(ask, apiKey)
}
