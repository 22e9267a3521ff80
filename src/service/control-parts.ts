import { createBackup } from '../backup/create-backup.js'
import type { Config } from '../config.js'
import type { ControlParts } from '../control/control-routes.js'
import { FeedbackIntake } from '../ingest/feedback-intake.js'
import type { ImportMeter } from '../metrics/import-meter.js'
import type { Answering } from '../questions/answering.js'
import type { ModelRuns } from '../evaluation/run/model-runs.js'
import { keyAsSeen } from '../questions/key-as-seen.js'
import type { Installation } from './open-installation.js'

interface Given {
  readonly config: Config
  readonly installation: Installation
  readonly answering: Answering
  readonly imports: ImportMeter
  readonly models: ModelRuns
  readonly version: string
}

/** What the operator's own routes are made of, in a server and in a command. */
export function controlParts({ config, installation, answering, imports, models, version }: Given): ControlParts {
  const { keys, projects, rubrics, store, threads } = installation
  // A record may have grown a little since its line was read: its agent_id was filled in, its times written out.
  const recordBytes = 2 * config.maxImportLineBytes
  return {
    keys,
    projects,
    rubrics,
    models,
    threads,
    calls: store.calls,
    feedback: store.events.feedback,
    intake: new FeedbackIntake(installation),
    asSeen: keyAsSeen(answering),
    imports,
    frames: { recordBytes, writeBytes: recordBytes + 64 * 1024 * 1024 },
    backup: options => createBackup({ dataDir: config.dataDir, store, trail: installation.trail, version }, options),
    version,
  }
}
