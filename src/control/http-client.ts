import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { parsedJson } from '../base/parsed-json.js'
import { Problem } from '../base/problem.js'
import { echo } from '../base/text.js'
import type { Operation } from '../operations/operation.js'
import { answerOf, type AnswerOf, type Client, type InputOf, type Watching } from './client.js'
import { problemOf, reasonOf, type Remote, send, textOf } from './wire.js'

/** What the connection says of a failure, in words. */
const FAULTS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection broke off',
  EHOSTUNREACH: 'the host can’t be reached',
  ENETUNREACH: 'the network can’t be reached',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the name of the host can’t be looked up now',
  ETIMEDOUT: 'the host does not answer',
  EPROTO: 'it does not speak TLS, or not as we do: try http:// or another port',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT:
    'its certificate is signed by itself; NODE_EXTRA_CA_CERTS names a file of those to trust',
  SELF_SIGNED_CERT_IN_CHAIN:
    'nobody we trust signed its certificate; NODE_EXTRA_CA_CERTS names a file of those to trust',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'nobody we trust signed its certificate; NODE_EXTRA_CA_CERTS names a file of those to trust',
}

export interface HttpClientOptions {
  /** Address of the API: http(s), with the path that a proxy serves it below, if any. */
  readonly url: URL
  /** An application key, or an admin token. */
  readonly key: string
  /** For an answer, from the first byte sent to the last one read. Milliseconds. */
  readonly timeoutMs: number
}

/** The way of a command to a service elsewhere: the same operations, by REST, with the rights of a key. */
export class HttpClient implements Pick<Client, 'run'> {
  readonly #options: HttpClientOptions
  readonly #service: Remote

  constructor(options: HttpClientOptions) {
    const { url, key } = options
    this.#options = options
    const request = url.protocol === 'https:' ? httpsRequest : httpRequest
    const below = url.pathname.replace(/\/+$/, '')
    this.#service = {
      name: `Earshot at ${url.origin}`,
      begin: ({ headers, path, ...more }) =>
        request(new URL(`${below}${path}`, url), {
          ...more,
          headers: { accept: 'application/json', authorization: `Bearer ${key}`, ...headers },
        }),
      gone: cause => gone(url, cause),
    }
  }

  async run<O extends Operation>(operation: O, input: InputOf<O>, { signal }: Watching<O> = {}): Promise<AnswerOf<O>> {
    const { timeoutMs, url } = this.#options
    const late = AbortSignal.timeout(timeoutMs)
    const ends = signal === undefined ? late : AbortSignal.any([signal, late])
    try {
      const response = await send(this.#service, operation, input, ends)
      return answerOf(operation, await this.#read(response), url.origin)
    } catch (error) {
      if (signal?.aborted === true) throw reasonOf(signal)
      if (!late.aborted) throw error
      throw new Problem('deadline_exceeded', `${url.origin} has not answered within ${timeoutMs / 1000} s`)
    }
  }

  async #read(response: IncomingMessage): Promise<unknown> {
    const { url } = this.#options
    const { statusCode: status = 500, headers } = response
    const text = await textOf(this.#service, response)
    if (status >= 300 && status < 400) {
      const to = headers.location === undefined ? 'elsewhere' : `to ${echo(headers.location)}`
      throw new Problem('not_found', `${url.origin} sends us on ${to}: give the address that answers itself`)
    }
    const answer = parsedJson(text)
    if (status < 300 && typeof answer === 'object' && answer !== null) return answer
    const problem = problemOf(this.#service, answer)
    if (problem === undefined) throw foreign(url, status, headers['content-type'])
    if (status === 401) {
      throw new Problem(problem.code, `${url.origin} refuses the key in EARSHOT_KEY: ${problem.message}`)
    }
    const { code, message, details } = problem
    const retryAfter = Number(headers['retry-after'] ?? NaN)
    throw Number.isFinite(retryAfter) ? new Problem(code, message, { details, retryAfter }) : problem
  }
}

function foreign({ origin }: URL, status: number, type: string | undefined): Problem {
  const kind = type === undefined ? '' : `, ${type.replace(/;.*$/, '')}`
  return new Problem(
    'not_found',
    `What answers at ${origin} is not Earshot’s API (status ${status}${kind}): give the address of the API, not that of the tool server or of a page`,
  )
}

function gone({ origin, protocol }: URL, cause: unknown): Problem {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  const why = FAULTS[code] ?? (cause instanceof Error && cause.message !== '' ? cause.message : code)
  const hint = protocol === 'http:' && code === 'ECONNRESET' ? '; it may speak https:// only' : ''
  const problem = new Problem('store_unavailable', `${origin} can’t be asked: ${why}${hint}`)
  problem.cause = cause
  return problem
}
