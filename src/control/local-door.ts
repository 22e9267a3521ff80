import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import { operator } from '../access/operator.js'
import { type Trail, audited } from '../activity/audited.js'
import { callRoute } from '../rest/call-route.js'
import type { Route } from '../rest/route.js'
import { StreamAnswer } from '../rest/stream-answer.js'
import type { CallStore } from '../store/store.js'
import { AGENT_IDS_URL, IMPORT_URL } from './control-routes.js'
import type { Door, Errand, ImportEnd, ImportTarget, Lines } from './door.js'
import { previewThrough } from './import-preview.js'
import { importStart } from './import-start.js'

interface LocalDoorParts {
  /** The routes a running server would serve the operator. */
  readonly routes: readonly Route[]
  readonly calls: Pick<CallStore, 'upsert'>
  readonly trail: Trail
  readonly log: Logger
  readonly close: () => Promise<void>
}

/** The way of a command that holds the store itself: the same routes, by no wire. */
export class LocalDoor implements Door {
  readonly #parts: LocalDoorParts

  constructor(parts: LocalDoorParts) {
    this.#parts = parts
  }

  async ask({ method, url, params = {}, query = {}, body, project, onLine, signal }: Errand): Promise<object> {
    const { routes, trail, log } = this.#parts
    return await callRoute(
      routes,
      { trail, log, who: operator },
      { method, url, params, query, body, project, onLine, signal },
    )
  }

  async lines(errand: Errand): Promise<Lines> {
    const answer = await this.ask(errand)
    if (!(answer instanceof StreamAnswer)) throw new Error(`${errand.url} does not answer in lines`)
    return { total: answer.total, stream: answer.lines }
  }

  async import<T extends ImportEnd>(
    projectId: string,
    work: (target: ImportTarget) => Promise<T>,
    dryRun = false,
  ): Promise<T> {
    const { calls, trail } = this.#parts
    // Asked as it is through a server, so that both are refused and recorded alike.
    const params = { project_id: projectId }
    const { agents, ...settings } = importStart(await this.ask({ method: 'GET', url: AGENT_IDS_URL, params }))
    const line = {
      request_id: randomUUID(),
      source: 'operator',
      credential_id: operator.subject,
      name: operator.name,
      roles: [operator.role],
      transport: 'control',
      page: `POST ${IMPORT_URL}`,
      project_id: projectId,
    } as const
    const upsert: ImportTarget['upsert'] = (id, batch, options) => calls.upsert(id, batch, options)
    const preview: ImportTarget['preview'] = (id, batch, options) =>
      previewThrough(errand => this.ask(errand), id, batch, options)
    const run = () => work({ agentIds: () => Promise.resolve(agents), ...settings, upsert, preview })
    if (dryRun) return await run()
    return await audited(trail, line, run, ({ stored }) => ({ status: 200, rows: stored }))
  }

  close(): Promise<void> {
    return this.#parts.close()
  }
}
