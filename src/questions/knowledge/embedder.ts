import { z } from 'zod'

/** Turns texts into vectors whose nearness is nearness in meaning. */
export interface Embedder {
  /** Vectors of different models mean nothing to each other. */
  readonly model: string
  /**
   * One vector a text, in their order, of length 1. Rejects when the endpoint fails or takes too long.
   * @param timeoutMs milliseconds for one request of several texts
   * @param signal gives up
   */
  embed(texts: readonly string[], timeoutMs: number, signal?: AbortSignal): Promise<readonly Float32Array[]>
}

export interface EmbeddingsEndpoint {
  /** Base address, such as https://api.example.com/v1. */
  readonly url: string
  readonly model: string
  readonly apiKey?: string | undefined
}

/** Texts of one request, which endpoints limit. */
const TEXTS_A_REQUEST = 64

const answer = z.object({ data: z.array(z.object({ index: z.int().min(0), embedding: z.array(z.number()).min(1) })) })

/** An endpoint that speaks the embeddings part of OpenAI's API, as most servers of models do. */
export function endpointEmbedder({ url, model, apiKey }: EmbeddingsEndpoint): Embedder {
  const address = `${url.replace(/\/+$/, '')}/embeddings`
  const headers = {
    'content-type': 'application/json',
    ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
  }
  async function batch(input: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]> {
    const body = JSON.stringify({ model, input, encoding_format: 'float' })
    const response = await fetch(address, { method: 'POST', headers, body, signal, redirect: 'error' })
    if (!response.ok) {
      await response.body?.cancel()
      throw new Error(`The embeddings endpoint answered ${response.status}`)
    }
    const { data } = answer.parse(await response.json())
    const vectors = data.toSorted((a, b) => a.index - b.index).map(({ embedding }) => unit(embedding))
    if (vectors.length !== input.length || vectors.some(vector => vector.length !== vectors[0]?.length)) {
      throw new Error('The embeddings endpoint did not give one vector of one length for each text')
    }
    return vectors
  }
  return {
    model,
    embed: async (texts, timeoutMs, given) => {
      const vectors: Float32Array[] = []
      for (let at = 0; at < texts.length; at += TEXTS_A_REQUEST) {
        const late = AbortSignal.timeout(timeoutMs)
        const signal = given === undefined ? late : AbortSignal.any([late, given])
        // oxlint-disable-next-line no-await-in-loop -- one request at a time: the endpoint limits them
        vectors.push(...(await batch(texts.slice(at, at + TEXTS_A_REQUEST), signal)))
      }
      return vectors
    },
  }
}

function unit(vector: readonly number[]): Float32Array {
  const length = Math.hypot(...vector)
  return Float32Array.from(vector, value => (length === 0 ? 0 : value / length))
}

/** The cosine of the angle between two vectors of length 1; 0 where they are of different models. */
export function cosine(a: Float32Array, b: Float32Array): number {
  if (a.length !== b.length) return 0
  let sum = 0
  for (let i = 0; i < a.length; i += 1) sum += a[i]! * b[i]!
  return sum
}
