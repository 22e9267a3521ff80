/** A language model and how it is asked. */
export interface ModelEndpoint {
  /** Which API it speaks. */
  readonly kind: 'openai' | 'anthropic'
  /** Base address, such as https://api.example.com/v1. */
  readonly url: string
  /** Name of the model. */
  readonly name: string
  readonly apiKey?: string | undefined
  /** 0 for answers as equal as the model can give them; absent for models that take none. */
  readonly temperature?: number | undefined
  /** The endpoint can be held to a JSON schema; otherwise it is only asked for JSON. */
  readonly schema: boolean
  readonly maxOutputTokens: number
  /** Milliseconds one attempt may take. */
  readonly timeoutMs: number
  /** Attempts at one request, the first included. */
  readonly attempts: number
  /** Milliseconds before the second attempt; the next pauses double. */
  readonly firstRetryMs: number
}
