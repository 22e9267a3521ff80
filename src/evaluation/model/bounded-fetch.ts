import { readBounded } from '../../base/read-bounded.js'
import { ModelFault } from './model-fault.js'

/** Most bytes of an answer, unless said otherwise; those of a model are some thousands. */
const MOST_BYTES = 4 * 1024 * 1024

/**
 * `fetch` for a model's endpoint: the whole answer within a time and a size, and redirects are not followed, since what
 * is sent (a key, a transcript) is for the configured address alone.
 *
 * @throws ModelFault in place of the errors of fetch; the caller's own abort comes through
 */
export function boundedFetch(timeoutMs: number, maxBytes = MOST_BYTES): typeof fetch {
  return async (input, init) => {
    const timeout = AbortSignal.timeout(timeoutMs)
    const given = init?.signal ?? undefined
    const signal = given === undefined ? timeout : AbortSignal.any([given, timeout])
    try {
      const response = await fetch(input, { ...init, signal, redirect: 'manual' })
      if (response.status >= 300 && response.status < 400) {
        await response.body?.cancel()
        throw new ModelFault(
          'The model’s endpoint redirects to another address, which is not followed: check EARSHOT_MODEL_URL',
          {
            final: true,
          },
        )
      }
      const { status, headers } = response
      return new Response(await readAll(response, maxBytes), { status, headers: withoutEncoding(headers) })
    } catch (error) {
      if (error instanceof ModelFault || given?.aborted === true) throw error
      if (timeout.aborted) {
        throw new ModelFault(`The model’s endpoint did not answer within ${timeoutMs / 1_000} s`, { again: true })
      }
      throw new ModelFault(`The model’s endpoint can't be reached, or broke off${codeOf(error)}`, { again: true })
    }
  }
}

async function readAll(response: Response, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  if (response.body === null) return new Uint8Array()
  const tooLarge = () =>
    new ModelFault(`The model’s endpoint gave an answer of more than ${maxBytes / 1024 / 1024} MiB`)
  return Uint8Array.from(await readBounded(response.body, maxBytes, tooLarge))
}

/** The body is decoded already. */
function withoutEncoding(headers: Headers): Headers {
  const kept = new Headers(headers)
  kept.delete('content-encoding')
  kept.delete('content-length')
  return kept
}

/** The system's word for it, such as ECONNREFUSED. */
function codeOf(error: unknown): string {
  const cause: unknown = error instanceof Error ? (error.cause ?? error) : undefined
  const code: unknown = cause instanceof Error && 'code' in cause ? cause.code : undefined
  return typeof code === 'string' && /^[A-Z0-9_]{1,60}$/.test(code) ? ` (${code})` : ''
}
