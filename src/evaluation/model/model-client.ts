import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { APICallError, type LanguageModelV3, type LanguageModelV3CallOptions } from '@ai-sdk/provider'
import { z } from 'zod'
import { boundedFetch } from './bounded-fetch.js'
import { faultOf } from './fault-of.js'
import type { ModelEndpoint } from './model-endpoint.js'
import { untilAnswered } from './until-answered.js'

/** Any number will do: the same one each time. */
const SEED = 7

/** What a model is asked. */
export interface ModelRequest {
  readonly system: string
  readonly user: string
  /** JSON schema of the answer. */
  readonly schema: object
}

/** What a model answered. */
export interface ModelReply {
  readonly text: string
  /** `cut`: at the most tokens it may write. `declined`: the model or its filter would not answer. */
  readonly ending: 'complete' | 'cut' | 'declined'
  /** As the endpoint counts them; absent where it doesn't. */
  readonly inputTokens: number | undefined
  /** Of these, what the endpoint had in its prompt cache, and what it put there for later requests. */
  readonly cacheRead: number
  readonly cacheWritten: number
  readonly outputTokens: number | undefined
}

/** Asks a language model. */
export interface ModelClient {
  readonly endpoint: ModelEndpoint
  /** @throws ModelFault after the last attempt, or the signal's reason */
  ask(request: ModelRequest, signal: AbortSignal): Promise<ModelReply>
  /** What would be sent, for a batch: the body, JSON, and the features of the API that it needs, where it names any. */
  bodyOf(request: ModelRequest): Promise<{ readonly body: string; readonly beta: string | undefined }>
  /** Reads the body of an answer that came by a batch. @throws ModelFault */
  read(request: ModelRequest, body: string): Promise<ModelReply>
}

/** A client of an endpoint, by the library that knows its API. */
export function createModelClient(endpoint: ModelEndpoint): ModelClient {
  const limit: OutputLimit = { name: isOpenAi(endpoint.url) ? 'max_completion_tokens' : 'max_tokens', isLearnt: false }
  const model = modelOf(endpoint, limit, boundedFetch(endpoint.timeoutMs))
  const asked = async (request: ModelRequest, signal: AbortSignal): Promise<ModelReply> => {
    const sentAs = limit.name
    try {
      return replyOf(await model.doGenerate({ ...optionsOf(request, endpoint), abortSignal: signal }))
    } catch (error) {
      signal.throwIfAborted()
      const other = endpoint.kind === 'openai' ? wantedLimit(error, sentAs) : undefined
      if (other === undefined || (limit.isLearnt && limit.name === sentAs)) throw faultOf(error, endpoint)
      Object.assign(limit, { name: other, isLearnt: true })
      return await asked(request, signal)
    }
  }
  return {
    endpoint,
    ask: async (request, signal) => {
      signal.throwIfAborted()
      return await untilAnswered(() => asked(request, signal), endpoint, signal)
    },
    // The libraries know how a request is written and an answer is read; in a batch only the way between is another.
    bodyOf: async request => {
      let sent: { readonly body: string; readonly beta: string | undefined } | undefined
      const taken: typeof fetch = async (_, init) => {
        const beta = new Headers(init?.headers).get('anthropic-beta') ?? undefined
        if (typeof init?.body === 'string') sent = { body: init.body, beta }
        return Response.json({}, { status: 400 })
      }
      await Promise.resolve(modelOf(endpoint, limit, taken).doGenerate(optionsOf(request, endpoint))).catch(
        () => undefined,
      )
      if (sent === undefined) throw new Error('The library made no request')
      return sent
    },
    read: async (request, body) => {
      const came: typeof fetch = async () => new Response(body, { headers: { 'content-type': 'application/json' } })
      try {
        return replyOf(await modelOf(endpoint, limit, came).doGenerate(optionsOf(request, endpoint)))
      } catch (error) {
        throw faultOf(error, endpoint)
      }
    },
  }
}

/**
 * By what name an endpoint knows the most tokens of an answer: newer models of OpenAI by one, older ones and most other servers by
 * the other, and gateways by that of the model behind them. An endpoint that refuses the one and names the other is asked by it
 * from then on.
 */
interface OutputLimit {
  name: 'max_tokens' | 'max_completion_tokens'
  isLearnt: boolean
}

/** The other name of the limit, where an endpoint refuses a request for the one that it was sent by. */
function wantedLimit(error: unknown, sentAs: OutputLimit['name']): OutputLimit['name'] | undefined {
  if (!APICallError.isInstance(error) || (error.statusCode !== 400 && error.statusCode !== 422)) return undefined
  if (!new RegExp(String.raw`\b${sentAs}\b`, 'u').test(error.responseBody ?? '')) return undefined
  return sentAs === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens'
}

function modelOf(
  { kind, url, name, apiKey, schema }: ModelEndpoint,
  sent: OutputLimit,
  fetch: typeof globalThis.fetch,
): LanguageModelV3 {
  const baseURL = url.replace(/\/+$/, '')
  if (kind === 'anthropic') {
    // A key must be given, or the library looks for one in the environment.
    return createAnthropic({ baseURL, apiKey: apiKey ?? '', fetch })(name)
  }
  return createOpenAICompatible({
    name: 'endpoint',
    baseURL,
    fetch,
    supportsStructuredOutputs: schema,
    ...(apiKey !== undefined && { apiKey }),
    transformRequestBody: ({ max_tokens: limit, ...body }: Record<string, unknown>) => ({
      ...body,
      [sent.name]: limit,
    }),
  })(name)
}

function isOpenAi(url: string): boolean {
  return URL.canParse(url) && new URL(url).hostname === 'api.openai.com'
}

/**
 * The schema and what a model is told are the same for every call of a rubric. Anthropic keeps a prompt up to such a mark for five
 * minutes after it was last used; OpenAI and most other servers keep beginnings that they have seen without being told to.
 */
const CACHED = { anthropic: { cacheControl: { type: 'ephemeral' } } }

function optionsOf({ system, user, schema }: ModelRequest, endpoint: ModelEndpoint): LanguageModelV3CallOptions {
  const { temperature, maxOutputTokens, kind } = endpoint
  // The library's own type of it is of a package that brings no types.
  const held: object = { schema }
  return {
    prompt: [
      { role: 'system', content: system, providerOptions: CACHED },
      { role: 'user', content: [{ type: 'text', text: user }] },
    ],
    responseFormat: { type: 'json', name: 'signals', ...held },
    maxOutputTokens,
    ...(temperature !== undefined && { temperature }),
    ...(temperature !== undefined && kind === 'openai' && { seed: SEED }),
  }
}

type Generated = Awaited<ReturnType<LanguageModelV3['doGenerate']>>

/** OpenAI's way to say that the model declined. */
const refusal = z.object({
  choices: z.tuple([z.object({ message: z.object({ refusal: z.string().min(1) }) })], z.unknown()),
})

function replyOf({ content, finishReason, usage, response }: Generated): ModelReply {
  const text = content.map(part => (part.type === 'text' ? part.text : '')).join('')
  const declined = finishReason.unified === 'content-filter' || refusal.safeParse(response?.body).success
  return {
    text,
    ending: declined ? 'declined' : finishReason.unified === 'length' ? 'cut' : 'complete',
    inputTokens: usage.inputTokens.total,
    cacheRead: usage.inputTokens.cacheRead ?? 0,
    cacheWritten: usage.inputTokens.cacheWrite ?? 0,
    outputTokens: usage.outputTokens.total,
  }
}
