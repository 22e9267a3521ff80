import type { Logger } from 'pino'
import { Keys } from '../access/keys.js'
import { operator } from '../access/operator.js'
import { Projects } from '../access/projects.js'
import { Teams } from '../access/teams.js'
import type { Secrets } from '../access/secrets.js'
import { FairThreads } from '../admission/fair-threads.js'
import type { Threads } from '../admission/threads.js'
import type { AuditTrail } from '../activity/audit-trail.js'
import { audited } from '../activity/audited.js'
import type { ChainSink } from '../activity/chains/chain-sink.js'
import type { FileAuditTrail } from '../activity/file-audit-trail.js'
import { entryFile } from '../base/entry-file.js'
import { SecretBox } from '../base/secret-box.js'
import type { Config } from '../config.js'
import { isRoomy } from '../config/memory.js'
import { Events } from '../events/events.js'
import { readingIn, readingStoredHere } from '../evaluation/rubric/read-rubric.js'
import { Rubrics } from '../evaluation/rubrics.js'
import { ClientIds } from '../oauth/client-ids.js'
import { Connections } from '../oauth/connections.js'
import { type EngineOptions, type OpenedStore, openStore } from './open-store.js'
import { openChainTrail, openTrail } from './open-trail.js'
import type { SharedExtras } from '../store/shared-extras.js'
import type { EmbeddedExtras, Store } from '../store/store.js'
import { checkSecrets } from './check-secrets.js'
import { secretsOf } from './secrets-of.js'

/** What is kept: the calls, the projects, the keys and the audit trail. Commands work on it directly when no server holds it. */
export interface Installation {
  readonly store: Store
  /** Of the two one is there: what only a store of a data directory has, and what only one of several processes. */
  readonly embedded: EmbeddedExtras | undefined
  readonly shared: SharedExtras | undefined
  readonly secrets: Secrets
  readonly projects: Projects
  readonly rubrics: Rubrics
  /** Named lists of agents, for keys. */
  readonly teams: Teams
  readonly keys: Keys
  /** Clients that signed in with them. */
  readonly connections: Connections
  readonly trail: AuditTrail
  /** The same where it is in files; else the chain of this process in the store. */
  readonly trailFiles: FileAuditTrail | undefined
  readonly chain: ChainSink | undefined
  /** Where every room says what happened, and who is told of it. */
  readonly events: Events
  /** Where what tenants send is worked on. */
  readonly threads: Threads
  /** Writes what is pending and closes the store. */
  close(): Promise<void>
}

/** Heap of one of those threads, MiB: a bound for what is made to take much. */
const WORK_HEAP_MIB = 512
/**
 * Of it for new objects, where memory is short and where it is not: in 8 MiB an import that evaluates takes a quarter more processor
 * time, in 4 all imports an eighth.
 */
const YOUNG_HEAP_MIB = { short: 8, roomy: 24 }

/**
 * Opens the store of the configuration. Rejects with a Problem for the operator, and leaves nothing open then.
 * @param forCommand for one command, which answers nobody beside: threads start as there is work, and what is quick is done in this one
 */
export async function openInstallation(
  config: Config,
  log: Logger,
  { forCommand = false, ...engine }: EngineOptions & { readonly forCommand?: boolean } = {},
): Promise<Installation> {
  const acceptedLosses: string[] = []
  const secrets = secretsOf(config)
  const openedStore = await openStore(config, log, {
    ...engine,
    onLossAccepted: name => void acceptedLosses.push(name),
  })
  const { store, embedded, shared } = openedStore
  const opened: (() => Promise<void>)[] = [() => store.close()]
  // What was opened last is closed first; what fails to close keeps nothing else from it.
  const close = async (): Promise<void> => {
    const failures: unknown[] = []
    for (const end of opened.splice(0).toReversed()) await end().catch((error: unknown) => failures.push(error))
    if (failures.length > 0) throw failures[0]
  }
  try {
    if (shared !== undefined) await checkSecrets(config, shared.fingerprints)
    const projects = await Projects.load(store.projects, Date.now, store)
    const threads = new FairThreads({
      file: entryFile(import.meta.url, './tenant-work.js'),
      threads: config.workThreads,
      together: !forCommand,
      heapMib: WORK_HEAP_MIB,
      youngHeapMib: isRoomy(config) ? YOUNG_HEAP_MIB.roomy : YOUNG_HEAP_MIB.short,
    })
    opened.push(() => threads.close())
    const rubrics = await Rubrics.load({
      store: store.rubrics,
      sharing: store,
      read: (forCommand ? readingStoredHere : readingIn)(threads),
    })
    const { trail, trailFiles, chain } = await trailOf(config, secrets, openedStore, log)
    opened.push(() => trail.close())
    for (const name of acceptedLosses) await recordLoss(trail, name)
    const events = await Events.load({
      store: store.events,
      sharing: store,
      secret: await secrets.get('webhooks'),
      allowedRanges: config.webhookAllowedRanges ?? [],
    })
    const teams = await Teams.load({ store: store.teams, sharing: store })
    const keys = await Keys.load({
      store: store.keys,
      sharing: store,
      projects,
      teams,
      log,
      events,
      maxKeysPerProject: config.maxKeysPerProject,
      maxLifetimeMs: config.keyMaxLifetime,
    })
    opened.push(() => keys.close())
    const connections = await Connections.load({
      store: store.oauth,
      clientIds: new ClientIds(new SecretBox(await secrets.get('mcpSessions'))),
      sharing: store,
      keys,
      log,
    })
    return {
      store,
      embedded,
      shared,
      secrets,
      projects,
      rubrics,
      teams,
      keys,
      connections,
      trail,
      trailFiles,
      chain,
      events,
      threads,
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** The audit trail: in files beside an embedded store, in any other in the store. */
async function trailOf(
  config: Config,
  secrets: Secrets,
  { store, embedded, shared }: OpenedStore,
  log: Logger,
): Promise<Pick<Installation, 'trail' | 'trailFiles' | 'chain'>> {
  if (shared === undefined) {
    const trailFiles = await openTrail(config, secrets, await embedded.activity.lastSequence(), log)
    return { trail: trailFiles, trailFiles, chain: undefined }
  }
  const { auditChains } = shared
  const { leases } = store
  return { ...(await openChainTrail(config, secrets, { auditChains, leases }, log)), trailFiles: undefined }
}

/** That the operator goes on without writes that were acknowledged; the request's id holds the name of the loss. */
async function recordLoss(trail: AuditTrail, loss: string): Promise<void> {
  const { subject, name, role } = operator
  const who = { source: 'operator', credential_id: subject, name, roles: [role] } as const
  const line = { ...who, request_id: `loss-${loss}`, transport: 'control', page: 'accept_loss' } as const
  await audited(trail, line, async () => undefined)
}
