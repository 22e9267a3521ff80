import { join } from 'node:path'
import type { Logger } from 'pino'
import { CursorSeal } from './access/cursor-seal.js'
import { Gate } from './access/gate.js'
import { secretFile } from './access/secret-file.js'
import { ActivityReplay } from './activity/activity-replay.js'
import { openAuditTrail } from './activity/open-audit-trail.js'
import { projectCatalogs } from './calls/catalogs.js'
import type { Config } from './config.js'
import { createAnswering } from './questions/create-answering.js'
import { createApi } from './service/create-api.js'
import { createTools } from './service/create-tools.js'
import { listenProblem } from './service/listen-problem.js'
import type { Installation } from './service/open-installation.js'
import { openAdminTokens } from './service/open-admin-tokens.js'

/** A running service. */
export interface Service {
  readonly apiUrl: string
  /** Base of the tool server, when it is enabled; clients append /mcp or /sse. */
  readonly mcpUrl: string | undefined
  /** Stops accepting, lets running requests end for up to 10 s, writes what is pending and closes the store. */
  stop(reason: string): Promise<void>
}

interface Listener {
  listen(host: string, port: number): Promise<{ readonly url: string; readonly port: number }>
  close(reason: string): Promise<void>
}

/**
 * Builds the service over an opened installation and starts its listeners. From here on the service owns the
 * installation: it is closed by `stop`, or before this rejects (with a Problem for the operator: a port in use, say).
 */
export async function startService(
  installation: Installation,
  { config, log, version }: { readonly config: Config; readonly log: Logger; readonly version: string },
): Promise<Service> {
  const listeners: Listener[] = []
  let record: Awaited<ReturnType<typeof openRecord>> | undefined
  const stop = async (reason: string): Promise<void> => {
    try {
      await Promise.all(listeners.map(listener => listener.close(reason)))
      // After the listeners: the last answers wait for their lines.
      await record?.close()
    } finally {
      await installation.close()
    }
  }
  const start = async (listener: Listener, host: string, port: number, variable: 'PORT' | 'MCP_PORT') => {
    try {
      const { url } = await listener.listen(host, port)
      listeners.push(listener)
      return url
    } catch (error) {
      throw listenProblem(error, host, port, variable)
    }
  }
  try {
    const core = await buildCore(installation, config, log)
    record = await openRecord(installation, config, log)
    const { trail } = record
    const ready = async () => {
      await installation.store.ping()
      return trail.health()
    }
    const parts = { config, log, name: 'earshot', version, installation, ...core, trail, ready }
    const mcpUrl = config.mcpEnabled
      ? await start(createTools(parts), config.mcpHost, config.mcpPort, 'MCP_PORT')
      : undefined
    const apiUrl = await start(await createApi(parts), config.host, config.port, 'PORT')
    log.info({ api_url: apiUrl, ...(mcpUrl === undefined ? {} : { mcp_url: mcpUrl }) }, 'Earshot is listening')
    return { apiUrl, mcpUrl, stop: once(stop) }
  } catch (error) {
    await stop('start failed')
    throw error
  }
}

/** What both listeners share: who is asking, and how questions are answered. */
async function buildCore({ store, projects, keys }: Installation, config: Config, log: Logger) {
  const adminTokens = await openAdminTokens(config, log)
  const cursors = new CursorSeal(await secretFile(join(config.dataDir, 'cursor.key')))
  const gate = new Gate({
    keys,
    adminTokens,
    requestsPerMinute: config.requestsPerMinute,
    failuresPerMinute: config.authFailuresPerMinute,
  })
  const answering = createAnswering({
    store,
    project: projectId => projects.list().find(project => project.project_id === projectId),
    catalogs: project => projectCatalogs(project),
    cursors: caller => cursors.of(caller),
    deadlineMs: config.queryTimeout,
    clock: Date.now,
  })
  return { gate, answering }
}

/** The audit trail, and its copy into the table that questions read. */
async function openRecord({ store }: Installation, config: Config, log: Logger) {
  const trail = await openAuditTrail({
    dataDir: config.dataDir,
    sessionSecret: await secretFile(join(config.dataDir, 'session-hash.key')),
    replayed: await store.activity.lastSequence(),
    segmentBytes: config.auditSegmentBytes,
    retentionMs: config.auditRetention,
    log,
  })
  const replay = new ActivityReplay({ trail, table: store.activity, retentionMs: config.auditRetention, log })
  const close = async (): Promise<void> => {
    await replay.close()
    await trail.close()
  }
  return { trail, close }
}

function once(stop: (reason: string) => Promise<void>): (reason: string) => Promise<void> {
  let stopping: Promise<void> | undefined
  return reason => (stopping ??= stop(reason))
}
