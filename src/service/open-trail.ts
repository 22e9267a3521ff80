import type { Logger } from 'pino'
import type { Secrets } from '../access/secrets.js'
import { AuditTrail } from '../activity/audit-trail.js'
import { ChainKey } from '../activity/chain-key.js'
import { ChainSink } from '../activity/chains/chain-sink.js'
import type { FileAuditTrail } from '../activity/file-audit-trail.js'
import { openAuditTrail } from '../activity/open-audit-trail.js'
import type { Config } from '../config.js'
import type { Leases } from '../store/leases.js'
import type { SharedExtras } from '../store/shared-extras.js'

/**
 * Opens the audit trail in the files of the data directory. Only for whoever holds the store.
 * @param replayed highest number of the trail in the store's table
 */
export async function openTrail(
  config: Pick<Config, 'dataDir' | 'auditRetention' | 'auditSegmentBytes' | 'auditAnchorFile'>,
  secrets: Secrets,
  replayed: number,
  log: Logger,
): Promise<FileAuditTrail> {
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

/** Opens the audit trail in a store of several processes: this one's chain is begun with its first line. */
export async function openChainTrail(
  { auditRetention: retentionMs }: Pick<Config, 'auditRetention'>,
  secrets: Secrets,
  { auditChains: store, leases }: Pick<SharedExtras, 'auditChains'> & { readonly leases: Leases },
  log: Logger,
): Promise<{ readonly trail: AuditTrail; readonly chain: ChainSink }> {
  const key = new ChainKey(await secrets.get('auditChain'))
  const chain = new ChainSink({ store, leases, key })
  const sessionSecret = await secrets.get('sessionHashes')
  return { trail: new AuditTrail(chain, { sessionSecret, retentionMs, log }), chain }
}
