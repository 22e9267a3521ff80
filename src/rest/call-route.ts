import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Logger } from 'pino'
import type { Admin } from '../access/admin.js'
import { callerOfOperator } from '../access/caller-of.js'
import { projectOf } from '../access/project-of.js'
import { audited, type Trail } from '../activity/audited.js'
import { parseInput } from '../base/parse-input.js'
import { auditedRequest } from './audited-request.js'
import { namesProject } from './names-project.js'
import type { Received, Route } from './route.js'

interface Asked {
  readonly method: string
  readonly url: string
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  readonly body: object | undefined
  /** The project asked about, where the route's path doesn't name it. */
  readonly project: string | undefined
  /** Hears the lines that are said ahead of the answer. */
  readonly onLine?: ((line: object) => void) | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * Serves what came by no wire, in the same process: the route's own handler, with its line in the audit trail.
 * @throws whatever the handler throws
 */
export async function callRoute(
  routes: readonly Route[],
  { trail, log, who }: { readonly trail: Trail; readonly log: Logger; readonly who: Admin },
  { method, url, params, query, body, project, onLine, signal }: Asked,
): Promise<object> {
  const route = routes.find(one => one.method === method && one.url === url)
  if (route === undefined) throw new Error(`There is no route ${method} ${url}`)
  const requestId = randomUUID()
  const received: Received<unknown, unknown> = {
    param: name => params[name] ?? '',
    body: () => (route.body === undefined ? undefined : parseInput(route.body, body, 'field')),
    query: () => (route.query === undefined ? {} : parseInput(route.query, { ...query }, 'parameter')),
    signal: signal ?? new AbortController().signal,
    requestId,
    log: log.child({ request_id: requestId }),
    stream: Readable.from([]),
    upload: () => {
      throw new Error('What comes by no wire is no upload')
    },
    say: line => Promise.resolve(onLine?.(line)),
  }
  const asking = namesProject(route.access) ? callerOfOperator(projectOf(who, project)) : who
  const run = async () => await route.handle(received, asking)
  const line = auditedRequest(route.access, asking, {
    page: `${method} ${url}`,
    params,
    requestId,
    transport: 'control',
  })
  return await (line === undefined ? run() : audited(trail, line, run, () => ({ status: route.status ?? 200 })))
}
