import type { Logger } from 'pino'
import type { Secrets } from '../access/secrets.js'
import type { AuditTrail } from '../activity/audit-trail.js'
import { openAuditTrail } from '../activity/open-audit-trail.js'
import type { Config } from '../config.js'

/**
 * Opens the audit trail of the configuration. Only for whoever holds the store.
 * @param replayed highest number of the trail in the store's table
 */
export async function openTrail(
  config: Pick<Config, 'dataDir' | 'auditRetention' | 'auditSegmentBytes' | 'auditAnchorFile'>,
  secrets: Secrets,
  replayed: number,
  log: Logger,
): Promise<AuditTrail> {
  return await openAuditTrail({
    dataDir: config.dataDir,
    sessionSecret: await secrets.get('sessionHashes'),
    chainSecret: await secrets.get('auditChain'),
    ...(config.auditAnchorFile !== undefined && { anchorFile: config.auditAnchorFile }),
    replayed,
    retentionMs: config.auditRetention,
    segmentBytes: config.auditSegmentBytes,
    log,
  })
}
