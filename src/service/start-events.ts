import type { Logger } from 'pino'
import { callerOfOperator } from '../access/caller-of.js'
import type { Config } from '../config.js'
import type { FindChanges } from '../events/alerts/change-watch.js'
import { toldChange } from '../events/kinds/told-change.js'
import type { Metrics } from '../metrics/metrics.js'
import type { Answering } from '../questions/answering.js'
import { detectChanges } from '../questions/detect-changes.js'
import type { Installation } from './open-installation.js'

/** What an alert says of a change, of all that was found. */
const inAlert = toldChange.strip()

interface Given {
  readonly installation: Installation
  readonly config: Config
  readonly answering: Answering
  readonly metrics: Metrics
  readonly log: Logger
  readonly version: string
}

/** Begins to tell webhooks, and to watch for alerts. They end with the installation's events. */
export function startEvents({ installation, config, answering, metrics, log, version }: Given): void {
  const findChanges: FindChanges = async (projectId, look) => {
    const context = { requestId: 'alerts' }
    const answer = await answering.answer(detectChanges, callerOfOperator(projectId), look, context)
    // An alert waits for a change wherever it stands: also as a part of another finding.
    const found = detectChanges.output.parse(answer).changes.flatMap(change => [change, ...(change.also ?? [])])
    return found.map(change => inAlert.parse(change))
  }
  installation.events.start({
    leases: installation.store.leases,
    isShared: installation.shared !== undefined,
    findChanges,
    meter: metrics,
    log: log.child({ part: 'events' }),
    userAgent: `Earshot/${version}`,
    firstRetryMs: config.webhookFirstRetry,
    retentionMs: config.webhookRetention,
  })
}
