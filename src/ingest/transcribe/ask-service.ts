import { errorCode } from '../../base/error-code.js'
import { askEndpoint, type EndpointAnswer, type EndpointRequest } from '../../events/net/ask-endpoint.js'
import { type EndpointNames, statusFault } from '../../evaluation/model/fault-of.js'
import { ModelFault } from '../../evaluation/model/model-fault.js'

/** Most bytes of an answer: an hour that is transcribed with every word twice has 5 MB. */
const MOST_ANSWER_BYTES = 64 * 1024 * 1024

const NAMES: EndpointNames = {
  who: 'The transcription service',
  keySetting: 'EARSHOT_TRANSCRIPTION_API_KEY',
  addressSettings: 'EARSHOT_TRANSCRIPTION_URL, EARSHOT_TRANSCRIPTION_KIND and EARSHOT_TRANSCRIPTION_MODEL',
}

interface AskOptions {
  readonly timeoutMs: number
  readonly apiKey: string | undefined
  readonly signal: AbortSignal
}

/** Asks the configured service, once, for JSON. @throws ModelFault, or the signal's reason */
export async function askService(
  request: EndpointRequest,
  { timeoutMs, apiKey, signal }: AskOptions,
): Promise<unknown> {
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    const both = AbortSignal.any([signal, timeout])
    return read(await askEndpoint(request, { mostBytes: MOST_ANSWER_BYTES, signal: both }), apiKey)
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof ModelFault) throw error
    if (error instanceof RangeError) throw new ModelFault(`${NAMES.who} gave an answer of more than 64 MiB`)
    if (timeout.aborted) {
      throw new ModelFault(`${NAMES.who} did not answer within ${timeoutMs / 1_000} s`, { again: true })
    }
    const code = errorCode(error)
    throw new ModelFault(`${NAMES.who} can't be reached, or broke off${code === undefined ? '' : ` (${code})`}`, {
      again: true,
    })
  }
}

function read({ status, headers, text }: EndpointAnswer, apiKey: string | undefined): unknown {
  if (status >= 400) {
    const { 'retry-after': wait } = headers
    throw statusFault({ status, headers: wait === undefined ? {} : { 'retry-after': wait }, body: text }, NAMES, apiKey)
  }
  if (status >= 300) {
    const message = `${NAMES.who} redirects to another address, which is not followed: check EARSHOT_TRANSCRIPTION_URL`
    throw new ModelFault(message, { final: true })
  }
  try {
    return JSON.parse(text)
  } catch {
    throw new ModelFault(`${NAMES.who} gave an answer that is not JSON`, { again: true })
  }
}
