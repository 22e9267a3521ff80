import { statfsSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import type { Logger } from 'pino'
import { Certificate } from './base/certificate.js'
import type { NotReady } from './base/not-ready.js'
import { FAILURES, Gate } from './access/gate.js'
import { ConsoleSessions } from './access/console-sessions.js'
import { CompanySignIn } from './oauth/company-sign-in.js'
import { loadSsoMapping } from './oauth/sso-mapping.js'
import { Admission } from './admission/admission.js'
import type { SharedLimits } from './admission/shared-limits.js'
import { ActivityReplay } from './activity/activity-replay.js'
import { AuditStream } from './activity/audit-stream.js'
import type { HeadAnchor } from './activity/head-anchor.js'
import { ChainSource } from './activity/chains/chain-source.js'
import { FileSource } from './activity/file-source.js'
import { streamTarget } from './activity/stream-targets.js'
import type { Config } from './config.js'
import type { ToolServer } from './mcp/tool-server.js'
import type { TaskScheduler } from './tasks/task-scheduler.js'
import { Metrics } from './metrics/metrics.js'
import type { KnowledgeBases } from './questions/knowledge/knowledge-bases.js'
import { anchorHeads } from './service/anchor-heads.js'
import { createApi } from './service/create-api.js'
import { createTools } from './service/create-tools.js'
import { listenProblem } from './service/listen-problem.js'
import { countsOf, DerivedKeeper, sessionsOf, wordsOf } from './service/derived-keeper.js'
import type { Installation } from './service/open-installation.js'
import { openAnswering } from './service/open-answering.js'
import { openModel } from './service/open-model.js'
import { openKnowledge } from './service/open-knowledge.js'
import { openServices } from './service/open-services.js'
import { openTasks } from './service/open-tasks.js'
import { openControl } from './service/open-control.js'
import { startEvents } from './service/start-events.js'
import { Serving } from './service/serving.js'
import { StoreFollower } from './service/store-follower.js'
import { verifyInBackground } from './service/verify-in-background.js'
import { AdminTokens } from './access/admin-tokens.js'
import { adminSecret } from './service/admin-secret.js'
import type { MetricsSource } from './metrics/metrics-source.js'
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

interface Closing {
  close(reason: string): Promise<void>
}

interface Listener extends Closing {
  listen(host: string, port: number): Promise<{ readonly url: string; readonly port: number }>
}

/**
 * Builds the service over an opened installation and starts its listeners. From here on the service owns the
 * installation: it is closed by `stop`, or before this rejects (with a Problem for the operator: a port in use, say).
 */
export async function startService(
  installation: Installation,
  { config, log, version }: { readonly config: Config; readonly log: Logger; readonly version: string },
): Promise<Service> {
  const listeners: Closing[] = []
  let replay: ActivityReplay | undefined
  let stream: AuditStream | undefined
  let anchor: Pick<HeadAnchor, 'close'> | undefined
  let scheduler: TaskScheduler | undefined
  let knowledge: KnowledgeBases | undefined
  let verifying: Promise<void> | undefined
  const stopVerifying = new AbortController()
  const keepers: DerivedKeeper[] = []
  let admitted: Admission | undefined
  let certificate: Certificate | undefined
  let follower: StoreFollower | undefined
  let serving: Serving | undefined
  let isListening = false
  let draining = false
  const stop = async (reason: string): Promise<void> => {
    // First of all: who watches /ready sends nothing more, and what comes all the same is answered.
    draining = true
    if (isListening && config.drainWait > 0) {
      log.info({ reason, ms: config.drainWait }, 'Earshot is about to stop: /ready says so')
      await setTimeout(config.drainWait)
    }
    stopVerifying.abort()
    certificate?.close()
    follower?.stop()
    try {
      await verifying
      // What this process does for all begins to be given back before its listeners end.
      const givenBack = [scheduler?.stop(), ...keepers.map(keeper => keeper.close())]
      await Promise.all([...givenBack, ...listeners.map(listener => listener.close(reason))])
      await Promise.all([replay?.close(), stream?.close(), anchor?.close(), admitted?.close()])
      await installation.events.close()
    } finally {
      knowledge?.close()
      await serving?.close()
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
    const following = replayOf(installation, config, log)
    replay = following
    stream = auditStreamOf(installation, config, log)
    anchor = await anchorHeads(config, installation, version, log)
    const admission = new Admission(config, sharedLimitsOf(installation))
    admitted = admission
    installation.keys.keepSpent(admission.budgets)
    const { store, embedded } = installation
    if (embedded === undefined) {
      serving = new Serving(store.leases)
      await serving.start()
    }
    // A store of this process alone is changed by nobody else.
    const others = embedded === undefined ? new StoreFollower({ versions: store.versions, log }) : undefined
    follower = others
    const core = await buildCore({
      installation,
      config,
      log,
      admission,
      others,
      catchUp: async () => await following?.catchUp(),
    })
    knowledge = core.knowledge
    // Behind the start: a slow endpoint must not hold it up.
    knowledge.embedMissing().catch((error: unknown) => log.warn({ err: error }, 'Documents could not be given vectors'))
    // Behind a record: the tool server, whose sessions it shows, is made after it.
    const shown: { tools?: ToolServer; mcpUrl?: string } = {}
    const metrics = new Metrics(
      version,
      metricsSource(installation, config, admission, () => shown.tools?.openSessions() ?? {}),
    )
    startEvents({ installation, config, answering: core.answering, metrics, log, version })
    const ready = async (): Promise<NotReady | undefined> => {
      if (draining) return { code: 'stopping' }
      const known = store.notReady() ?? installation.trail.notReady() ?? others?.notReady()
      if (known === undefined) await store.ping()
      return known
    }
    const tasks = await openTasks({ config, log, installation, ...core, meter: metrics })
    const name = 'earshot'
    const services = await openServices({
      config,
      admission,
      installation,
      ...core,
      tasks,
      imports: metrics,
      name,
      version,
      ready,
      mcpUrl: () => shown.mcpUrl,
    })
    followAll(others, installation, [tasks.tasks, services.mappings, services.inbound], core.knowledge)
    certificate = shownCertificate(config, log)
    const parts = {
      config,
      log,
      certificate,
      name,
      version,
      installation,
      admission,
      ...core,
      services,
      metrics,
      ready,
    }
    const control = await openControl(parts)
    if (control !== undefined) listeners.push(control)
    if (config.mcpEnabled) shown.tools = await createTools(parts)
    const mcpUrl =
      shown.tools === undefined ? undefined : await start(shown.tools, config.mcpHost, config.mcpPort, 'MCP_PORT')
    if (mcpUrl !== undefined) shown.mcpUrl = mcpUrl
    const apiUrl = await start(await createApi(parts), config.host, config.port, 'PORT')
    scheduler = tasks.scheduler
    await scheduler.start()
    const { sessions: sessionIndex, words } = installation.store
    const derived = [
      ...(config.countDays ? [countsOf(installation.store)] : []),
      ...(config.indexWords && words !== undefined ? [wordsOf(words)] : []),
      ...(sessionIndex === undefined ? [] : [sessionsOf(sessionIndex)]),
    ]
    keepers.push(
      ...derived.map(one => {
        return new DerivedKeeper({ ...installation, log, derived: one, ...(others && { anewMs: COUNT_ANEW_MS }) })
      }),
    )
    for (const keeper of keepers) keeper.start()
    const toolServer = mcpUrl === undefined ? { tool_server: 'off (MCP_SERVER_ENABLED is not 1)' } : { mcp_url: mcpUrl }
    // Of a store of several processes each start would read all of it.
    if (installation.trailFiles !== undefined)
      verifying = verifyInBackground(config, installation.secrets, log, stopVerifying.signal)
    isListening = true
    log.info({ api_url: apiUrl, ...toolServer }, 'Earshot is listening')
    const { sessions } = core
    const signInUrl = (key: string) => {
      const { key_id: id } = installation.keys.resolve(key) ?? {}
      return sessions === undefined || id === undefined ? undefined : `${apiUrl}/sign-in#${sessions.link(id)}`
    }
    return { apiUrl, mcpUrl, signInUrl, stop: once(stop) }
  } catch (error) {
    await stop('start failed')
    throw error
  }
}

interface CoreParts {
  readonly installation: Installation
  readonly config: Config
  readonly log: Logger
  readonly admission: Admission
  readonly others: StoreFollower | undefined
  readonly catchUp: () => Promise<void>
}

/** From now on what other processes change is taken up, by everything that is kept in memory. */
function followAll(
  others: StoreFollower | undefined,
  { keys, projects, teams, connections, rubrics, events }: Installation,
  more: readonly { readonly followed: Followed }[],
  knowledge: KnowledgeBases,
): void {
  const registries = [keys, projects, teams, connections, rubrics, ...more]
  others?.add(...registries.map(one => one.followed), ...events.followed, knowledge)
  others?.start()
}

/** @throws Problem for files that can't be used */
function shownCertificate({ tlsCert: certFile, tlsKey: keyFile }: Config, log: Logger): Certificate | undefined {
  if (certFile === undefined || keyFile === undefined) return undefined
  const certificate = new Certificate({ certFile, keyFile })
  const { lapse } = certificate
  if (lapse !== undefined) log.error({ why: lapse }, 'Clients refuse the certificate')
  certificate.watch({
    taken: endsAt => log.info({ ends_at: endsAt }, 'New connections are shown the new certificate'),
    refused: why => log.error({ why }, 'The new certificate can not be used; the one before stays'),
  })
  return certificate
}

/** Copies the files of the trail into the table that questions read; what is in the store is read where it is. */
function replayOf(
  { trailFiles: trail, embedded }: Installation,
  config: Config,
  log: Logger,
): ActivityReplay | undefined {
  if (trail === undefined || embedded === undefined) return undefined
  return new ActivityReplay({ trail, table: embedded.activity, retentionMs: config.auditRetention, log })
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

/** What both listeners share: who is asking, and how questions are answered. */
async function buildCore({ installation, config, log, admission, others, catchUp }: CoreParts) {
  const adminTokens = await openAdminTokens(config, log)
  const sessions = config.consoleEnabled ? new ConsoleSessions(admission.consoleSessions) : undefined
  const gate = new Gate({
    keys: installation.keys,
    connections: installation.connections,
    adminTokens,
    rate: admission.rate,
    failures: admission.rateLimit(config.authFailuresPerMinute, FAILURES),
    metricsToken: config.metricsToken,
    sessions,
    others,
  })
  const knowledge = await openKnowledge(installation, config, log)
  const answering = await openAnswering(installation, config, catchUp, knowledge, admission)
  const models = await openModel(config, installation.store)
  return {
    gate,
    sessions,
    company: companySignIn(config, installation.keys, sessions, log),
    answering,
    knowledge,
    models,
  }
}

/** @throws Problem for a mapping that can't be read */
function companySignIn(
  config: Config,
  keys: Installation['keys'],
  sessions: ConsoleSessions | undefined,
  log: Logger,
): CompanySignIn | undefined {
  const { ssoIssuer: issuer, ssoClientId: clientId, ssoMapping: file, ssoClientSecret: clientSecret } = config
  if (issuer === undefined || clientId === undefined || file === undefined) return undefined
  const settings = { issuer, clientId, clientSecret, scopes: config.ssoScopes, mapping: loadSsoMapping(file) }
  return new CompanySignIn({ settings, keys, sessions, log })
}

function once(stop: (reason: string) => Promise<void>): (reason: string) => Promise<void> {
  let stopping: Promise<void> | undefined
  return reason => (stopping ??= stop(reason))
}

/** How admin tokens are verified: by an identity provider's key set when one is configured, else by the secret. */
export async function openAdminTokens(config: Config, log: Logger): Promise<AdminTokens> {
  const options = { maxLifetimeS: Math.floor(config.adminJwtMaxLifetime / 1000), log }
  const { adminJwksUrl, adminJwtIssuer, adminJwtAudience } = config
  if (adminJwksUrl === undefined) return AdminTokens.withSecret(await adminSecret(config), options)
  if (adminJwtIssuer === undefined || adminJwtAudience === undefined) {
    throw new Error('a key set without issuer and audience passed the configuration')
  }
  const rules = { ...options, issuer: adminJwtIssuer, audience: adminJwtAudience }
  return AdminTokens.withKeySet(new URL(adminJwksUrl), rules)
}

/** What the metrics look up, from the parts of a running service. */
export function metricsSource(
  { store, keys, trail, events }: Installation,
  { dataDir }: Pick<Config, 'dataDir'>,
  admission: Pick<Admission, 'slots' | 'shares' | 'budgets'>,
  sessions: MetricsSource['sessions'],
): MetricsSource {
  return {
    sessions,
    lanes: () => store.load().lanes,
    slots: () => admission.slots(),
    shares: () => admission.shares(),
    budgets: () => admission.budgets.totals(),
    storeBytes: () => store.load().bytes,
    remembered: () => store.load().remembered,
    diskFreeBytes: () => {
      const { bavail, bsize } = statfsSync(dataDir)
      return bavail * bsize
    },
    keys: () => keys.size,
    outbox: () => events.outbox(),
    audit: () => ({ healthy: trail.health() === undefined, lastSequence: trail.lastSequence }),
  }
}
