import { APICallError } from '@ai-sdk/provider'
import { z } from 'zod'
import { parsedJson } from '../../base/parsed-json.js'
import { visibleText } from '../../base/text.js'
import type { ModelEndpoint } from './model-endpoint.js'
import { ModelFault } from './model-fault.js'

/** An endpoint that asks to wait longer than this is left alone for this run. */
const MOST_WAIT_MS = 120_000
/** Longest piece of an endpoint's own words that is repeated. */
const MOST_SAID = 200

/**
 * What went wrong with a request. The libraries' errors hold all that was sent: none of them goes further than here.
 */
export function faultOf(error: unknown, endpoint: ModelEndpoint): ModelFault {
  if (error instanceof ModelFault) return error
  if (!APICallError.isInstance(error))
    return new ModelFault('The model’s endpoint gave an answer that is not of its API', { again: true })
  const { statusCode: status, responseHeaders: headers, responseBody: body } = error
  if (status === undefined || status < 400) {
    return new ModelFault('The model’s endpoint gave an answer that is not of its API', { again: true })
  }
  return statusFault({ status, headers, body }, MODEL_NAMES, endpoint.apiKey)
}

/** What an endpoint and its settings are called in faults. */
export interface EndpointNames {
  /** At the beginning of a sentence. */
  readonly who: string
  readonly keySetting: string
  /** Those that may be wrong where an address or model is not known. */
  readonly addressSettings: string
}

export const MODEL_NAMES: EndpointNames = {
  who: 'The model’s endpoint',
  keySetting: 'EARSHOT_MODEL_API_KEY',
  addressSettings: 'EARSHOT_MODEL_URL, EARSHOT_MODEL_KIND and EARSHOT_MODEL_NAME',
}

interface Refused {
  /** HTTP status, 400 or more. */
  readonly status: number
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body?: string | undefined
}

/** What an endpoint means by the status it refuses a request with. @param apiKey masked where the endpoint repeats it */
export function statusFault(
  { status, headers, body }: Refused,
  { who, keySetting, addressSettings }: EndpointNames,
  apiKey: string | undefined,
): ModelFault {
  if (status === 401 || status === 403) {
    return new ModelFault(`${who} refuses the key (${status}): check ${keySetting}`, { final: true })
  }
  if (status === 404) {
    return new ModelFault(`${who} knows no such address or model (404): check ${addressSettings}`, { final: true })
  }
  const waitMs = waitOf(headers)
  if (waitMs !== undefined && waitMs > MOST_WAIT_MS) {
    const seconds = Math.ceil(waitMs / 1_000)
    return new ModelFault(`${who} asks to be left alone for ${seconds} s (${status})`, { final: true })
  }
  const again = { again: true, ...(waitMs !== undefined && { waitMs }) }
  if (status === 429) return new ModelFault(`${who} takes no more requests for now (429)`, again)
  if (status === 408 || status === 409 || status >= 500) return new ModelFault(`${who} failed (${status})`, again)
  const said = saidBy(body, apiKey)
  return new ModelFault(`${who} refuses the request (${status})${said === undefined ? '' : `: ${said}`}`)
}

/** Retry-After, in milliseconds: seconds or a date. */
function waitOf(headers: Readonly<Record<string, string>> = {}): number | undefined {
  const milliseconds = Number.parseFloat(headers['retry-after-ms'] ?? '')
  if (milliseconds >= 0) return milliseconds
  const text = headers['retry-after']
  if (text === undefined) return undefined
  const seconds = Number.parseFloat(text)
  const wait = Number.isNaN(seconds) ? Date.parse(text) - Date.now() : seconds * 1_000
  return Number.isFinite(wait) ? Math.max(0, wait) : undefined
}

/** As OpenAI and Anthropic say it, AssemblyAI, and Deepgram. */
const told = z.union([
  z.object({ error: z.object({ message: z.string() }) }).transform(({ error }) => error.message),
  z.object({ error: z.string() }).transform(({ error }) => error),
  z.object({ err_msg: z.string() }).transform(({ err_msg: message }) => message),
])

/** The endpoint's own words about what it refuses, such as a parameter its model does not take. */
function saidBy(body: string | undefined, key: string | undefined): string | undefined {
  const message = told.safeParse(parsedJson(body ?? '')).data
  return message === undefined ? undefined : shortened(message, key)
}

/** An endpoint's own words behind a sentence; nothing where it says none. @param key masked where the endpoint repeats it */
export function saidAs(message: string | undefined, key: string | undefined): string {
  return message === undefined ? '' : `: ${shortened(message, key)}`
}

function shortened(message: string, key: string | undefined): string {
  const masked = key === undefined ? message : message.replaceAll(key, '[key]')
  const text = visibleText(masked).text.replaceAll(/\s+/g, ' ').trim()
  return text.length > MOST_SAID ? `${text.slice(0, MOST_SAID).toWellFormed()}…` : text
}
