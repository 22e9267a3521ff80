import { ChainKey } from '../activity/chain-key.js'
import { eventOf } from '../activity/chains/chain-source.js'
import { verifyChains } from '../activity/chains/verify-chains.js'
import { readTrail } from '../activity/read-trail.js'
import { type TrailVerification, verifyTrail } from '../activity/verify-trail.js'
import type { ActivityRecord } from '../store/activity-record.js'
import { isEmbedded } from './elsewhere.js'
import type { SecretsConfig } from './secrets-of.js'

/** The calls of one project whose id has this hash. */
export interface HeardOf {
  readonly projectId: string
  readonly sessionHash: string
}

interface Verifying {
  readonly chainSecret: string
  readonly anchorFile?: string
  /** Of a store of several processes only how far each got: what is between may be much. */
  readonly onlyEnds?: boolean
}

/** The audit trail of an installation as commands read it: they change nothing, and a server may be writing. */
export interface AuditReader {
  verify(options: Verifying): Promise<TrailVerification>
  /** Hears of events, oldest first; of those that asked for one call where one is given. */
  read(each: (event: ActivityRecord) => Promise<void>, heard?: HeardOf): Promise<void>
}

/** Where the audit trail of the configuration is. */
export function auditOf(config: Pick<SecretsConfig, 'storeUrl' | 'dataDir'>): AuditReader {
  return isEmbedded(config) ? inFiles(config.dataDir) : inStore(config.storeUrl)
}

function inFiles(dataDir: string): AuditReader {
  return {
    verify: ({ chainSecret, anchorFile }) =>
      verifyTrail({ dataDir, chainSecret, ...(anchorFile !== undefined && { anchorFile }) }),
    read: async (each, heard) => {
      for await (const event of readTrail(dataDir)) {
        if (heard === undefined || isHeard(event, heard)) await each(event)
      }
    },
  }
}

const isHeard = ({ project_id: project, session_hashes: hashes }: ActivityRecord, heard: HeardOf): boolean =>
  project === heard.projectId && hashes?.includes(heard.sessionHash) === true

function inStore(url: string): AuditReader {
  const opened = async () => (await import('../store/mongodb/open-mongodb-store.js')).readAuditChains
  return {
    verify: async ({ chainSecret, ...options }) =>
      await (
        await opened()
      )(url, chains => verifyChains(chains, new ChainKey(chainSecret), options)),
    read: async (each, heard) =>
      await (
        await opened()
      )(url, async chains => {
        for await (const line of chains.byTime(heard)) {
          const event = eventOf(line)
          if (event !== undefined) await each(event)
        }
      }),
  }
}
