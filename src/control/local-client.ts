import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Logger } from 'pino'
import { callerOfOperator } from '../access/caller-of.js'
import { operator } from '../access/operator.js'
import { projectOf } from '../access/project-of.js'
import { audited, type Trail } from '../activity/audited.js'
import { parseInput } from '../base/parse-input.js'
import { namesProject, type Operation, runOperation, StreamAnswer, type Received } from '../operations/operation.js'
import type { Services } from '../operations/services.js'
import type { ImportEnd } from '../operations/import-frames.js'
import { getImportStart, importOverSocket } from '../operations/socket-import.js'
import { auditedRequest } from '../rest/audited-request.js'
import { queryParameters } from '../rest/query-parameters.js'
import { previewThrough } from './preview-through.js'
import {
  type AnswerOf,
  type Client,
  type ImportTarget,
  type InputOf,
  type Lines,
  partsOf,
  type Watching,
} from './client.js'

interface LocalClientParts {
  readonly services: Services
  readonly trail: Trail
  readonly log: Logger
  readonly close: () => Promise<void>
}

/** The way of a command that holds the store itself: the same operations, by no wire. */
export class LocalClient implements Client {
  readonly #parts: LocalClientParts

  constructor(parts: LocalClientParts) {
    this.#parts = parts
  }

  async run<O extends Operation>(operation: O, input: InputOf<O>, { signal, onProgress }: Watching<O> = {}) {
    const say = (line: object) => onProgress?.(operation.progress?.parse(line) as never)
    const answered = await this.#answer(operation, input, say, signal)
    return (operation.answer === undefined ? {} : operation.answer.parse(answered)) as AnswerOf<O>
  }

  async lines<O extends Operation>(operation: O, input: InputOf<O>, signal: AbortSignal): Promise<Lines> {
    const answer = await this.#answer(operation, input, () => undefined, signal)
    if (!(answer instanceof StreamAnswer)) throw new Error(`${operation.url} does not answer in lines`)
    return { total: answer.total, stream: answer.lines }
  }

  async import<T extends ImportEnd>(
    projectId: string,
    work: (target: ImportTarget) => Promise<T>,
    dryRun = false,
  ): Promise<T> {
    const { services, trail } = this.#parts
    // Asked as it is through a server, so that both are refused and recorded alike.
    const { agents, redact, evaluation, rubric } = await this.run(getImportStart, { project_id: projectId })
    const line = {
      request_id: randomUUID(),
      source: 'operator',
      credential_id: operator.subject,
      name: operator.name,
      roles: [operator.role],
      transport: 'control',
      page: `POST ${importOverSocket.url}`,
      project_id: projectId,
    } as const
    const upsert: ImportTarget['upsert'] = (id, batch, options) => services.store.calls.upsert(id, batch, options)
    const agentIds = () => Promise.resolve(new Map(agents))
    const run = () => work({ agentIds, redact, evaluation, rubric, upsert, preview: previewThrough(this) })
    if (dryRun) return await run()
    return await audited(trail, line, run, { measure: ({ stored }) => ({ status: 200, rows: stored }) })
  }

  close(): Promise<void> {
    return this.#parts.close()
  }

  async #answer<O extends Operation>(
    operation: O,
    input: InputOf<O>,
    say: (line: object) => void,
    signal = new AbortController().signal,
  ): Promise<object> {
    const { services, trail, log } = this.#parts
    const { variables, query, body, project } = partsOf(input)
    const requestId = randomUUID()
    const who = namesProject(operation.access) ? callerOfOperator(projectOf(operator, project)) : operator
    const received: Received = {
      param: (name: string) => variables[name] ?? '',
      body: () => (operation.body === undefined ? undefined : parseInput(operation.body, body, 'field')),
      query: () =>
        operation.query === undefined ? {} : parseInput(queryParameters(operation.query), query, 'parameter'),
      signal,
      requestId,
      log: log.child({ request_id: requestId }),
      stream: Readable.from([]),
      upload: () => {
        throw new Error('What comes by no wire is no upload')
      },
      say: line => Promise.resolve(say(line)),
    }
    const run = () => runOperation(operation, services, received, who)
    const line = auditedRequest(operation.access, who, {
      page: `${operation.method} ${operation.url}`,
      params: variables,
      query,
      requestId,
      transport: 'control',
    })
    return await (line === undefined
      ? run()
      : audited(trail, line, run, { measure: () => ({ status: operation.status ?? 200 }) }))
  }
}
