import { request as httpRequest, type IncomingMessage } from 'node:http'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import { Problem } from '../base/problem.js'
import { AGENT_IDS_URL, IMPORT_URL, SERVER_URL } from './control-routes.js'
import { TOTAL_HEADER } from '../rest/stream-answer.js'
import type { Door, Errand, ImportEnd, ImportTarget, Lines } from './door.js'
import { fillUrl } from './fill-url.js'
import { previewThrough } from './import-preview.js'
import { importStart } from './import-start.js'
import { isFailure, problemOfAnswer } from './problem-of-answer.js'
import { RemoteImport } from './remote-import.js'

const server = z.object({ version: z.string(), pid: z.int() })

/** The way of a command while a server holds the store: its control socket. */
export class SocketDoor implements Door {
  readonly #path: string

  private constructor(path: string) {
    this.#path = path
  }

  /** @throws Problem `conflict` when the server is of another version than this command */
  static async open(path: string, version: string): Promise<SocketDoor> {
    const door = new SocketDoor(path)
    const running = server.parse(await door.ask({ method: 'GET', url: SERVER_URL }))
    if (running.version === version) return door
    throw new Problem(
      'conflict',
      `The running server (process ${running.pid}) is version ${running.version} and this command ${version}: restart the server, or use its own command`,
    )
  }

  async ask(errand: Errand): Promise<object> {
    const { onLine, signal } = errand
    try {
      const response = await this.#send(errand)
      return await (onLine === undefined ? readAnswer(response) : readLines(response, onLine))
    } catch (error) {
      throw signal?.aborted === true ? reasonOf(signal) : error
    }
  }

  async lines(errand: Errand): Promise<Lines> {
    const response = await this.#send(errand)
    if (response.statusCode !== 200) await readAnswer(response)
    // A server that ends before the last chunk makes this fail: "aborted".
    return { total: Number(response.headers[TOTAL_HEADER] ?? 0), stream: response }
  }

  #send({ method, url, params, query, body, project, signal }: Errand): Promise<IncomingMessage> {
    const path = `${fillUrl(url, params)}${query === undefined ? '' : `?${new URLSearchParams(query).toString()}`}`
    const text = body === undefined ? undefined : JSON.stringify(body)
    const headers = {
      host: 'localhost',
      ...(text === undefined ? {} : { 'content-type': 'application/json' }),
      ...(project === undefined ? {} : { 'x-project-id': project }),
    }
    return new Promise((resolve, reject) => {
      const request = httpRequest({
        socketPath: this.#path,
        path,
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
    const params = { project_id: projectId }
    const { agents, ...settings } = importStart(await this.ask({ method: 'GET', url: AGENT_IDS_URL, params }))
    const remote = new RemoteImport(this.#path, fillUrl(IMPORT_URL, params))
    try {
      const report = await work({
        agentIds: () => Promise.resolve(agents),
        ...settings,
        preview: (id, calls, options) => previewThrough(errand => this.ask(errand), id, calls, options),
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
