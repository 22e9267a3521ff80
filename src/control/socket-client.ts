import { request as httpRequest, type IncomingMessage } from 'node:http'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import { Problem } from '../base/problem.js'
import { type Operation, TOTAL_HEADER } from '../operations/operation.js'
import { getServer } from '../operations/maintenance.js'
import type { ImportEnd } from '../operations/import-frames.js'
import { getImportStart, importOverSocket } from '../operations/socket-import.js'
import { answerOf, type Client, type ImportTarget, type InputOf, type Lines, type Watching } from './client.js'
import { previewThrough } from './preview-through.js'
import { RemoteImport } from './remote-import.js'
import { pathOf, problemOf, reasonOf, type Remote, send, textOf } from './wire.js'

/** Milliseconds for a server to say who it is. It answers at once; one that is busy with everything else is given long. */
const HELLO_MS = 30_000

const UNEXPECTED = 'The running server answered something unexpected'

/** The way of a command while a server holds the store: its control socket. */
export class SocketClient implements Client {
  readonly #path: string
  readonly #server: Remote

  private constructor(path: string) {
    this.#path = path
    this.#server = {
      name: 'The running server',
      begin: ({ headers, ...options }) =>
        httpRequest({ ...options, socketPath: path, headers: { host: 'localhost', ...headers } }),
      gone: wentAway,
    }
  }

  /** @throws Problem `conflict` when the server is of another version than this command, `store_unavailable` when it says nothing */
  static async open(path: string, version: string, helloMs = HELLO_MS): Promise<SocketClient> {
    const client = new SocketClient(path)
    const signal = AbortSignal.timeout(helloMs)
    const running = await client.run(getServer, {}, { signal }).catch((error: unknown) => {
      throw signal.aborted ? hangs(helloMs) : error
    })
    if (running.version === version) return client
    throw new Problem(
      'conflict',
      `The running server (process ${running.pid}) is version ${running.version} and this command ${version}: restart the server, or use its own command`,
    )
  }

  async run<O extends Operation>(operation: O, input: InputOf<O>, { signal, onProgress }: Watching<O> = {}) {
    try {
      const response = await send(this.#server, operation, input, signal)
      const onLine = (line: object) => onProgress?.(operation.progress?.parse(line) as never)
      return answerOf(
        operation,
        await (operation.streams === true
          ? readLines(this.#server, response, onLine)
          : readAnswer(this.#server, response)),
        'the running server',
      )
    } catch (error) {
      throw signal?.aborted === true ? reasonOf(signal) : error
    }
  }

  async lines<O extends Operation>(operation: O, input: InputOf<O>, signal: AbortSignal): Promise<Lines> {
    const response = await send(this.#server, operation, input, signal)
    if (response.statusCode !== 200) await readAnswer(this.#server, response)
    // A server that ends before the last chunk makes this fail: "aborted".
    return { total: Number(response.headers[TOTAL_HEADER] ?? 0), stream: response }
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

async function readAnswer(remote: Remote, response: IncomingMessage): Promise<object> {
  const text = await textOf(remote, response)
  const answer: unknown = text === '' ? {} : JSON.parse(text)
  if ((response.statusCode ?? 500) >= 400) throw problemOf(remote, answer) ?? new Error(UNEXPECTED)
  return z.looseObject({}).parse(answer)
}

/** The answer of a route that streams is its last line; one that was cut short has none, whatever its last line says. */
async function readLines(remote: Remote, response: IncomingMessage, onLine: (line: object) => void): Promise<object> {
  if ((response.statusCode ?? 500) >= 400) return await readAnswer(remote, response)
  let last: string | undefined
  const lineOf = (text: string) => z.looseObject({}).parse(JSON.parse(text))
  for await (const text of linesOf(response)) {
    if (last !== undefined) onLine(lineOf(last))
    last = text
  }
  if (last === undefined) throw wentAway(new Error('The answer has no line'))
  const answer = lineOf(last)
  const failure = problemOf(remote, answer)
  if (failure !== undefined) throw failure
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

/** Whoever is frozen still has connections taken for it by the system. */
function hangs(afterMs: number): Problem {
  return new Problem(
    'store_unavailable',
    `The running server has not answered at its control socket for ${afterMs / 1000} s: it is frozen (kill -CONT has it go on) or hangs. Killing it and starting again loses nothing that was acknowledged`,
  )
}

function wentAway(error: unknown): Problem {
  const problem = new Problem('store_unavailable', 'The running server does not answer at its control socket any more')
  problem.cause = error
  return problem
}
