import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http'
import { z } from 'zod'
import { Problem, type ProblemCode } from '../base/problem.js'
import type { Operation } from '../operations/operation.js'
import { type InputOf, partsOf } from './client.js'

/** What of a request does not depend on the connection. */
export interface WireRequest extends Pick<RequestOptions, 'method' | 'signal'> {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}

/** A service at the other end of a connection: how it is asked, and how it is spoken of when that fails. */
export interface Remote {
  /** As a sentence begins: `The running server`. */
  readonly name: string
  /** Begins a request; headers and path are added to what the connection itself needs. */
  begin(request: WireRequest): ClientRequest
  /** What went wrong with the connection. */
  gone(cause: unknown): Problem
}

const failed = z.object({
  error: z.string(),
  code: z.string(),
  reference: z.string().optional(),
  details: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
})

/** Sends an operation's request; resolves when the answer begins. */
export function send<O extends Operation>(
  remote: Remote,
  { method, url }: O,
  input: InputOf<O>,
  signal: AbortSignal | undefined,
): Promise<IncomingMessage> {
  const { variables, query, body, project } = partsOf(input)
  const text = body === undefined ? undefined : JSON.stringify(body)
  return new Promise((resolve, reject) => {
    const request = remote.begin({
      path: `${pathOf(url, variables)}?${queryText(query)}`.replace(/\?$/, ''),
      method,
      headers: {
        ...(text === undefined ? {} : { 'content-type': 'application/json' }),
        ...(project === undefined ? {} : { 'x-project-id': project }),
      },
      ...(signal === undefined ? {} : { signal }),
    })
    request.once('error', error => reject(remote.gone(error)))
    request.once('response', resolve)
    request.end(text)
  })
}

/** The path of an operation with its variables in place, percent-encoded once. */
export function pathOf(url: string, variables: Readonly<Record<string, string>>): string {
  return url.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = variables[name]
    if (value === undefined) throw new Error(`The operation at ${url} needs ${name}`)
    return encodeURIComponent(value)
  })
}

function queryText(query: Readonly<Record<string, string | readonly string[]>>): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    for (const one of [value].flat()) parameters.append(name, one)
  }
  return parameters.toString()
}

/** The whole text of an answer. @throws Problem when it is cut short */
export async function textOf(remote: Remote, response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk)
  } catch (error) {
    throw remote.gone(error)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** The failure that an answer tells of, as it was raised over there; undefined when it tells of none. */
export function problemOf({ name }: Pick<Remote, 'name'>, answer: unknown): Problem | undefined {
  const { data } = failed.safeParse(answer)
  if (data === undefined) return undefined
  const { error, code, reference, details = [] } = data
  if (code === 'internal') {
    const where = `under the reference ${reference ?? 'of this request'}`
    return new Problem('store_unavailable', `${name} failed; its log says why, ${where}`)
  }
  return new Problem(code as ProblemCode, error, { details })
}

/** Why nobody waits for an answer any more. */
export function reasonOf(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : new Error('The command was ended')
}
