import { statfsSync } from 'node:fs'
import type { Admission } from '../admission/admission.js'
import type { Config } from '../config.js'
import type { MetricsSource } from '../metrics/metrics-source.js'
import type { Installation } from './open-installation.js'

/** What the metrics look up, from the parts of a running service. */
export function metricsOf(
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
