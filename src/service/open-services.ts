import { Approvals } from '../access/approvals.js'
import { CursorSeal } from '../access/cursor-seal.js'
import type { NotReady } from '../base/not-ready.js'
import { sharedLook } from '../base/shared-look.js'
import type { Admission } from '../admission/admission.js'
import { createBackup } from '../backup/create-backup.js'
import { isLoopback } from '../config/read.js'
import type { Config } from '../config.js'
import type { ModelRuns } from '../evaluation/run/model-runs.js'
import { SecretBox } from '../base/secret-box.js'
import { InboundWebhooks } from '../ingest/inbound/inbound-webhooks.js'
import { SavedMappings } from '../ingest/mapping/saved-mappings.js'
import { FeedbackIntake } from '../ingest/feedback-intake.js'
import type { ImportMeter } from '../metrics/import-meter.js'
import type { Services } from '../operations/services.js'
import type { Answering } from '../questions/answering.js'
import type { KnowledgeBases } from '../questions/knowledge/knowledge-bases.js'
import { questions } from '../questions/questions.js'
import type { Installation } from './open-installation.js'
import { elsewhere } from './elsewhere.js'
import type { OpenTasks } from './open-tasks.js'

/** Longest wait for what stands behind the service, in milliseconds. */
const READY_TIMEOUT_MS = 2_000

interface Given {
  readonly config: Config
  readonly admission: Admission
  readonly installation: Installation
  readonly answering: Answering
  readonly knowledge: KnowledgeBases
  readonly models: ModelRuns
  readonly tasks: OpenTasks
  readonly imports: ImportMeter
  readonly version: string
  /** The server's name, as clients and /health see it. */
  readonly name: string
  /** The tool server, where it runs. */
  readonly mcpUrl?: () => string | undefined
  readonly ready: () => Promise<NotReady | undefined>
}

/** What operations work with, in a server and in a command. */
export async function openServices({
  config,
  admission,
  installation,
  tasks,
  version,
  name,
  ready,
  mcpUrl,
  ...given
}: Given): Promise<Services> {
  const { keys, teams, connections, projects, rubrics, store, embedded, trailFiles, events, threads, secrets } =
    installation
  const seal = new CursorSeal(await secrets.get('cursors'))
  const box = new SecretBox(await secrets.get('inbound'))
  // A record may have grown a little since its line was read: its agent_id was filled in, its times written out.
  const recordBytes = 2 * config.maxImportLineBytes
  return {
    ...given,
    ...tasks,
    keys,
    teams,
    mappings: await SavedMappings.load({ store: store.imports, sharing: store, clock: Date.now }),
    inbound: await InboundWebhooks.load({ store: store.imports, sharing: store, box, clock: Date.now }),
    signInAddress: () => signInAddress(config, mcpUrl?.()),
    connections,
    projects,
    retentionDays: config.retentionDays,
    approvals: config.fourEyes ? new Approvals(store.privacy) : undefined,
    rubrics,
    store,
    events,
    cursors: caller => seal.of(caller),
    feedbackIntake: new FeedbackIntake(installation),
    threads,
    admission,
    importLimits: {
      maxImportBytes: config.maxImportBytes,
      maxRecordBytes: config.maxImportLineBytes,
      frames: { recordBytes, writeBytes: recordBytes + 64 * 1024 * 1024 },
    },
    health: () => ({ status: 'ok', server: name, tools: questions.length, auth_cache_size: keys.size }),
    ready: sharedLook(ready, READY_TIMEOUT_MS),
    backup: async options => {
      if (embedded === undefined || trailFiles === undefined) throw elsewhere('backup')
      return await createBackup({ dataDir: config.dataDir, store, embedded, trail: trailFiles, version }, options)
    },
    version,
  }
}

/** Where people sign AI clients in: at the public address, or on this machine. */
function signInAddress(config: Config, running: string | undefined): string | undefined {
  const { publicUrl, mcpHost: host, mcpPort: port } = config
  if (!config.oauth) return undefined
  if (publicUrl !== undefined) return publicUrl
  if (!isLoopback(host)) return undefined
  const scheme = config.tlsCert === undefined ? 'http' : 'https'
  return running ?? `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`
}
