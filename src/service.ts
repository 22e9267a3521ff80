import { setTimeout } from 'node:timers/promises'
import type { Logger } from 'pino'
import { ActivityReplay } from './activity/activity-replay.js'
import { AuditStream } from './activity/audit-stream.js'
import { ChainSource } from './activity/chains/chain-source.js'
import { FileSource } from './activity/file-source.js'
import { streamTarget } from './activity/stream-targets.js'
import { Admission } from './admission/admission.js'
import type { SharedLimits } from './admission/shared-limits.js'
import { Certificate } from './base/certificate.js'
import type { NotReady } from './base/not-ready.js'
import type { Config } from './config.js'
import type { ToolServer } from './mcp/tool-server.js'
import { Metrics } from './metrics/metrics.js'
import { anchorHeads } from './service/anchor-heads.js'
import { createApi } from './service/create-api.js'
import { createTools } from './service/create-tools.js'
import { countsOf, DerivedKeeper, sessionsOf, wordsOf } from './service/derived-keeper.js'
import type { ListenerParts } from './service/listener-parts.js'
import { listenProblem } from './service/listen-problem.js'
import { metricsOf } from './service/metrics-of.js'
import { openControl } from './service/open-control.js'
import { openCore } from './service/open-core.js'
import type { Installation } from './service/open-installation.js'
import { openServices } from './service/open-services.js'
import { openTasks } from './service/open-tasks.js'
import { Serving } from './service/serving.js'
import { Shutdown } from './service/shutdown.js'
import { startEvents } from './service/start-events.js'
import { StoreFollower } from './service/store-follower.js'
import { verifyInBackground } from './service/verify-in-background.js'
import type { Followed } from './store/shared-records.js'

/** How often days are looked for that another process left uncounted. */
const COUNT_ANEW_MS = 600_000

/** A running service. */
export interface Service {
  readonly apiUrl: string
  /** Base of the tool server, when it is enabled; clients append /mcp or /sse. */
  readonly mcpUrl: string | undefined
  /**
   * An address that signs its bearer in to the console with a key, once; undefined where the console is off. What opens the
   * session stands behind the #, which browsers send to nobody.
   */
  signInUrl(key: string): string | undefined
  /** Stops accepting, lets running requests end for up to 10 s, writes what is pending and closes the store. */
  stop(reason: string): Promise<void>
}

/** What a service is started with, and told by. */
interface Start {
  readonly installation: Installation
  readonly config: Config
  readonly log: Logger
  readonly version: string
  readonly shutdown: Shutdown
}

/** What only the tool server knows, which is made after those that ask for it. */
interface Shown {
  tools?: ToolServer
  mcpUrl?: string
}

/**
 * Builds the service over an opened installation and starts its listeners. From here on the service owns the
 * installation: it is closed by `stop`, or before this rejects (with a Problem for the operator: a port in use, say).
 */
export async function startService(
  installation: Installation,
  context: { readonly config: Config; readonly log: Logger; readonly version: string },
): Promise<Service> {
  const shutdown = new Shutdown()
  shutdown.addFoundation(() => installation.close())
  shutdown.add('telling', () => installation.events.close())
  try {
    const running = await start({ installation, ...context, shutdown })
    return { ...running, stop: async reason => await shutdown.run(reason) }
  } catch (error) {
    await shutdown.run('start failed')
    throw error
  }
}

async function start(given: Start): Promise<Omit<Service, 'stop'>> {
  const { installation, config, log, version, shutdown } = given
  const catchUp = await startRecording(given)
  const admission = new Admission(config, sharedLimitsOf(installation))
  shutdown.add('recording', () => admission.close())
  installation.keys.keepSpent(admission.budgets)
  const others = await joinOthers(given)
  const core = await openCore({ installation, config, log, admission, others, catchUp })
  const { answering, knowledge } = core
  shutdown.addFoundation(() => knowledge.close())
  // Behind the start: a slow endpoint must not hold it up.
  knowledge.embedMissing().catch((error: unknown) => log.warn({ err: error }, 'Documents could not be given vectors'))
  const shown: Shown = {}
  const metrics = new Metrics(
    version,
    metricsOf(installation, config, admission, () => shown.tools?.openSessions() ?? {}),
  )
  startEvents({ installation, config, answering, metrics, log, version })
  const ready = async (): Promise<NotReady | undefined> => {
    if (shutdown.hasBegun) return { code: 'stopping' }
    const known = installation.store.notReady() ?? installation.trail.notReady() ?? others?.notReady()
    if (known === undefined) await installation.store.ping()
    return known
  }
  const tasks = await openTasks({ config, log, installation, ...core, meter: metrics })
  const named = { name: 'earshot', version, ready, mcpUrl: () => shown.mcpUrl }
  const services = await openServices({ config, admission, installation, ...core, tasks, imports: metrics, ...named })
  followAll(others, installation, [tasks.tasks, services.mappings, services.inbound], knowledge)
  const certificate = showCertificate(given)
  const apiUrl = await listen(
    { ...given, ...core, ...named, admission, certificate, services, metrics },
    shown,
    shutdown,
  )
  shutdown.add('working', () => tasks.scheduler.stop())
  await tasks.scheduler.start()
  startKeepers(given, others !== undefined)
  verifyTrail(given)
  announceEnd(given)
  const { mcpUrl } = shown
  const toolServer = mcpUrl === undefined ? { tool_server: 'off (MCP_SERVER_ENABLED is not 1)' } : { mcp_url: mcpUrl }
  log.info({ api_url: apiUrl, ...toolServer }, 'Earshot is listening')
  const { sessions } = core
  const signInUrl = (key: string) => {
    const { key_id: id } = installation.keys.resolve(key) ?? {}
    return sessions === undefined || id === undefined ? undefined : `${apiUrl}/sign-in#${sessions.link(id)}`
  }
  return { apiUrl, mcpUrl, signInUrl }
}

/** Begins to keep what is done on record where it is to be. Resolves with what catches up with it. */
async function startRecording({ installation, config, log, version, shutdown }: Start): Promise<() => Promise<void>> {
  const { trailFiles: trail, embedded } = installation
  // Copies the files of the trail into the table that questions read; what is in the store is read where it is.
  const replay =
    trail === undefined || embedded === undefined
      ? undefined
      : new ActivityReplay({ trail, table: embedded.activity, retentionMs: config.auditRetention, log })
  const stream = auditStreamOf(installation, config, log)
  const anchor = await anchorHeads(config, installation, version, log)
  for (const one of [replay, stream, anchor]) if (one !== undefined) shutdown.add('recording', () => one.close())
  return async () => await replay?.catchUp()
}

function auditStreamOf(
  { trailFiles, shared, store }: Installation,
  config: Config,
  log: Logger,
): AuditStream | undefined {
  const { auditStream: name, auditStreamCa: caFile, dataDir } = config
  if (name === undefined) return undefined
  const { leases } = store
  const source =
    trailFiles !== undefined
      ? new FileSource({ dataDir, trail: trailFiles, name })
      : shared && new ChainSource({ store: shared.auditChains, leases, name })
  return source && new AuditStream({ source, target: streamTarget(name, caFile), log })
}

/** What is counted of all processes of a store together. */
export function sharedLimitsOf({ shared, store }: Pick<Installation, 'shared' | 'store'>): SharedLimits | undefined {
  return shared && { limiterOf: shared.limiterOf, spent: shared.spent, leases: store.leases }
}

/** Says to other processes of the store that this one serves it. A store of this process alone is changed by nobody else. */
async function joinOthers({ installation, log, shutdown }: Start): Promise<StoreFollower | undefined> {
  const { store, embedded } = installation
  if (embedded !== undefined) return undefined
  const serving = new Serving(store.leases)
  shutdown.addFoundation(() => serving.close())
  await serving.start()
  const others = new StoreFollower({ versions: store.versions, log })
  shutdown.add('watching', () => others.stop())
  return others
}

/** From now on what other processes change is taken up, by everything that is kept in memory. */
function followAll(
  others: StoreFollower | undefined,
  { keys, projects, teams, connections, rubrics, events }: Installation,
  more: readonly { readonly followed: Followed }[],
  knowledge: Followed,
): void {
  const registries = [keys, projects, teams, connections, rubrics, ...more]
  others?.add(...registries.map(one => one.followed), ...events.followed, knowledge)
  others?.start()
}

/** @throws Problem for files that can't be used */
function showCertificate({ config, log, shutdown }: Start): Certificate | undefined {
  const { tlsCert: certFile, tlsKey: keyFile } = config
  if (certFile === undefined || keyFile === undefined) return undefined
  const certificate = new Certificate({ certFile, keyFile })
  const { lapse } = certificate
  if (lapse !== undefined) log.error({ why: lapse }, 'Clients refuse the certificate')
  certificate.watch({
    taken: endsAt => log.info({ ends_at: endsAt }, 'New connections are shown the new certificate'),
    refused: why => log.error({ why }, 'The new certificate can not be used; the one before stays'),
  })
  shutdown.add('watching', () => certificate.close())
  return certificate
}

interface Listener {
  listen(host: string, port: number): Promise<{ readonly url: string }>
  close(reason: string): Promise<void>
}

/** Starts what answers: commands first, whose store this is, then AI clients, then REST. Resolves with the address of the last. */
async function listen(parts: ListenerParts, shown: Shown, shutdown: Shutdown): Promise<string> {
  const { config } = parts
  const start = async (listener: Listener, host: string, port: number, variable: 'PORT' | 'MCP_PORT') => {
    try {
      const { url } = await listener.listen(host, port)
      shutdown.add('working', reason => listener.close(reason))
      return url
    } catch (error) {
      throw listenProblem(error, host, port, variable)
    }
  }
  const control = await openControl(parts)
  if (control !== undefined) shutdown.add('working', () => control.close())
  if (config.mcpEnabled) {
    shown.tools = await createTools(parts)
    shown.mcpUrl = await start(shown.tools, config.mcpHost, config.mcpPort, 'MCP_PORT')
  }
  return await start(await createApi(parts), config.host, config.port, 'PORT')
}

/** Begins to make what is kept beside calls, behind the writes. */
function startKeepers({ installation, config, log, shutdown }: Start, hasOthers: boolean): void {
  const { store } = installation
  const derived = [
    ...(config.countDays ? [countsOf(store)] : []),
    ...(config.indexWords && store.words !== undefined ? [wordsOf(store.words)] : []),
    ...(store.sessions === undefined ? [] : [sessionsOf(store.sessions)]),
  ]
  for (const one of derived) {
    const keeper = new DerivedKeeper({
      ...installation,
      log,
      derived: one,
      ...(hasOthers && { anewMs: COUNT_ANEW_MS }),
    })
    shutdown.add('working', () => keeper.close())
    keeper.start()
  }
}

/** Verifies the audit trail behind the start. Of a store of several processes each start would read all of it. */
function verifyTrail({ installation, config, log, shutdown }: Start): void {
  if (installation.trailFiles === undefined) return
  const stopping = new AbortController()
  const verifying = verifyInBackground(config, installation.secrets, log, stopping.signal)
  shutdown.add('watching', async () => {
    stopping.abort()
    await verifying
  })
}

/** Whoever watches /ready sends nothing more, and what comes all the same is answered. */
function announceEnd({ config, log, shutdown }: Start): void {
  if (config.drainWait === 0) return
  shutdown.add('announcing', async reason => {
    log.info({ reason, ms: config.drainWait }, 'Earshot is about to stop: /ready says so')
    await setTimeout(config.drainWait)
  })
}
