import { statfsSync } from 'node:fs'
import type { Config } from '../config.js'
import type { MetricsSource } from '../metrics/metrics-source.js'
import type { HeavyAdmission } from '../questions/heavy-admission.js'
import type { Installation } from './open-installation.js'

/** What the metrics look up, from the parts of a running service. */
export function metricsSource(
  { store, keys, trail, events }: Installation,
  { dataDir }: Pick<Config, 'dataDir'>,
  heavy: Pick<HeavyAdmission, 'waiting'>,
  sessions: MetricsSource['sessions'],
): MetricsSource {
  return {
    sessions,
    lanes: () => {
      const { light, heavy: running } = store.load().lanes
      return { light, heavy: { ...running, waiting: running.waiting + heavy.waiting } }
    },
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
