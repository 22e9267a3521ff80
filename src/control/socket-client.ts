import { request as httpRequest, type IncomingMessage } from 'node:http'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import { Problem } from '../base/problem.js'
import { type Operation, TOTAL_HEADER } from '../operations/operation.js'
import { getServer } from '../operations/maintenance.js'
import type { ImportEnd } from '../operations/import-frames.js'
import { getImportStart, importOverSocket } from '../operations/socket-import.js'
import { answerOf, type Client, type ImportTarget, type InputOf, type Lines, partsOf, type Watching } from './client.js'
import { previewThrough } from './preview-through.js'
import { isFailure, problemOfAnswer } from './problem-of-answer.js'
import { RemoteImport } from './remote-import.js'

/** The way of a command while a server holds the store: its control socket. */
export class SocketClient implements Client {
  readonly #path: string

  private constructor(path: string) {
    this.#path = path
  }

  /** @throws Problem `conflict` when the server is of another version than this command */
  static async open(path: string, version: string): Promise<SocketClient> {
    const client = new SocketClient(path)
    const running = await client.run(getServer, {})
    if (running.version === version) return client
    throw new Problem(
      'conflict',
      `The running server (process ${running.pid}) is version ${running.version} and this command ${version}: restart the server, or use its own command`,
    )
  }

  async run<O extends Operation>(operation: O, input: InputOf<O>, { signal, onProgress }: Watching<O> = {}) {
    try {
      const response = await this.#send(operation, input, signal)
      const onLine = (line: object) => onProgress?.(operation.progress?.parse(line) as never)
      return answerOf(
        operation,
        await (operation.streams === true ? readLines(response, onLine) : readAnswer(response)),
      )
    } catch (error) {
      throw signal?.aborted === true ? reasonOf(signal) : error
    }
  }

  async lines<O extends Operation>(operation: O, input: InputOf<O>, signal: AbortSignal): Promise<Lines> {
    const response = await this.#send(operation, input, signal)
    if (response.statusCode !== 200) await readAnswer(response)
    // A server that ends before the last chunk makes this fail: "aborted".
    return { total: Number(response.headers[TOTAL_HEADER] ?? 0), stream: response }
  }

  #send<O extends Operation>(
    { method, url }: O,
    input: InputOf<O>,
    signal: AbortSignal | undefined,
  ): Promise<IncomingMessage> {
    const { variables, query, body, project } = partsOf(input)
    const text = body === undefined ? undefined : JSON.stringify(body)
    const headers = {
      host: 'localhost',
      ...(text === undefined ? {} : { 'content-type': 'application/json' }),
      ...(project === undefined ? {} : { 'x-project-id': project }),
    }
    return new Promise((resolve, reject) => {
      const request = httpRequest({
        socketPath: this.#path,
        path: `${pathOf(url, variables)}?${new URLSearchParams(query).toString()}`.replace(/\?$/, ''),
        method,
        headers,
        ...(signal === undefined ? {} : { signal }),
      })
      request.once('error', error => reject(wentAway(error)))
      request.once('response', resolve)
      request.end(text)
    })
  }

  async import<T extends ImportEnd>(
    projectId: string,
    work: (target: ImportTarget) => Promise<T>,
    dryRun = false,
  ): Promise<T> {
    const variables = { project_id: projectId }
    const { agents, redact, evaluation, rubric } = await this.run(getImportStart, variables)
    const remote = new RemoteImport(this.#path, pathOf(importOverSocket.url, variables))
    try {
      const report = await work({
        agentIds: () => Promise.resolve(new Map(agents)),
        redact,
        evaluation,
        rubric,
        preview: previewThrough(this),
        upsert: (_projectId, calls, options) => remote.write(calls, options?.restoreErased ?? false),
      })
      if (!dryRun) await remote.end(report)
      return report
    } finally {
      remote.leave()
    }
  }

  async close(): Promise<void> {}
}

/** The path of an operation with its variables in place, percent-encoded once. */
function pathOf(url: string, variables: Readonly<Record<string, string>>): string {
  return url.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = variables[name]
    if (value === undefined) throw new Error(`The operation at ${url} needs ${name}`)
    return encodeURIComponent(value)
  })
}

async function readAnswer(response: IncomingMessage): Promise<object> {
  const text = await textOf(response)
  const answer: unknown = text === '' ? {} : JSON.parse(text)
  if ((response.statusCode ?? 500) >= 400) throw problemOfAnswer(answer)
  return z.looseObject({}).parse(answer)
}

/** @throws Problem when the answer is cut short */
async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk)
  } catch (error) {
    throw wentAway(error)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** The answer of a route that streams is its last line; one that was cut short has none, whatever its last line says. */
async function readLines(response: IncomingMessage, onLine: (line: object) => void): Promise<object> {
  if ((response.statusCode ?? 500) >= 400) return await readAnswer(response)
  let last: string | undefined
  const lineOf = (text: string) => z.looseObject({}).parse(JSON.parse(text))
  for await (const text of linesOf(response)) {
    if (last !== undefined) onLine(lineOf(last))
    last = text
  }
  if (last === undefined) throw wentAway(new Error('The answer has no line'))
  const answer = lineOf(last)
  if (isFailure(answer)) throw problemOfAnswer(answer)
  return answer
}

/** @throws Problem when the answer is cut short */
async function* linesOf(response: IncomingMessage): AsyncGenerator<string> {
  try {
    yield* createInterface({ input: response, crlfDelay: Infinity })
  } catch (error) {
    throw wentAway(error)
  }
  if (!response.complete) throw wentAway(new Error('The answer was cut short'))
}

function reasonOf(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : new Error('The command was ended')
}

function wentAway(error: unknown): Problem {
  const problem = new Problem('store_unavailable', 'The running server does not answer at its control socket any more')
  problem.cause = error
  return problem
}
