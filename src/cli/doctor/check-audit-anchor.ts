import { isEmbedded } from '../../service/elsewhere.js'
import { type SecretsConfig, secretsOf } from '../../service/secrets-of.js'
import { anchorState } from '../../activity/head-anchor.js'
import type { Config } from '../../config.js'
import { type Finding, findingsOf } from './finding.js'

/** A running server sends a head within seconds. */
const LONG_WAIT_MS = 60 * 60 * 1000

/** Whether the signed heads of the audit trail get where they are to be anchored; nothing where nobody asked for it. */
export async function checkAuditAnchor(
  config: Pick<Config, 'auditAnchorUrl'> & SecretsConfig,
): Promise<readonly Finding[]> {
  const { dataDir, auditAnchorUrl: address } = config
  // Each process of a store elsewhere sends its own, and tells its log of what fails.
  if (address === undefined || !isEmbedded(config)) return []
  const { ok, warn, fail } = findingsOf('Audit anchor')
  try {
    const chainSecret = await secretsOf(config).kept('auditChain')
    if (chainSecret === undefined) return [ok('no head yet; the first start makes the trail')]
    const { waiting, failing, anchored } = await anchorState({ dataDir, chainSecret, address })
    const last = anchored === undefined ? 'none was taken yet' : `the last was taken at ${anchored.at}`
    const [oldest] = waiting
    if (oldest === undefined) return [ok(`every signed head is anchored; ${last}`)]
    if (failing !== undefined) {
      const found = `no head is taken since ${failing.since} (${failing.why}); heads that wait: ${waiting.length}, ${last}`
      return [warn(found, 'See what is behind EARSHOT_AUDIT_ANCHOR_URL; a running server goes on trying')]
    }
    const found = `signed heads that wait: ${waiting.length}, the oldest since ${oldest}; ${last}`
    return [Date.now() - Date.parse(oldest) < LONG_WAIT_MS ? ok(found) : warn(found, 'A running server sends them')]
  } catch (error) {
    return [fail(`can't be read: ${error instanceof Error ? error.message : String(error)}`, 'See docs/operator.md')]
  }
}
