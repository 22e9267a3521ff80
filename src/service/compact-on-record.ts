import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import { operator } from '../access/operator.js'
import { audited } from '../activity/audited.js'
import type { Config } from '../config.js'
import { isRoomy } from '../config/memory.js'
import { type CompactOptions, type CompactReport, compactStore } from '../store/duckdb/files/compact-store.js'
import { BATCH_CALLS } from '../store/store.js'
import { expectedStore } from './expected-store.js'
import { elsewhere, isEmbedded } from './elsewhere.js'
import { openTrail } from './open-trail.js'
import { secretsOf } from './secrets-of.js'

/**
 * Compacts the store of the configuration and leaves a line in its audit trail, of a failure too. What is refused
 * before the store is held, such as while a server runs, leaves none: the trail is its holder's.
 * @throws Problem
 */
export async function compactOnRecord(
  config: Config,
  log: Logger,
  onProgress: NonNullable<CompactOptions['onProgress']>,
): Promise<CompactReport> {
  if (!isEmbedded(config)) throw elsewhere('compact')
  const { subject, name, role } = operator
  const who = { source: 'operator', credential_id: subject, name, roles: [role], transport: 'control' } as const
  return await compactStore({
    dataDir: config.dataDir,
    memoryLimit: `${Math.floor(config.memoryLimit / 1024)}KiB`,
    threads: config.threads,
    // A larger row group is packed as one, which small memory has no room for.
    ...(!isRoomy(config) && { rowGroup: BATCH_CALLS }),
    expected: await expectedStore(config.dataDir),
    onProgress,
    onRecord: async (replayed, work) => {
      const trail = await openTrail(config, secretsOf(config), replayed, log)
      try {
        return await audited(trail, { ...who, request_id: randomUUID(), page: 'compact' }, work)
      } finally {
        await trail.close()
      }
    },
  })
}
