import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../../config.js'
import { SECRET_FILES } from '../../access/secrets.js'
import { auditOf } from '../../service/audit-of.js'
import { isEmbedded } from '../../service/elsewhere.js'
import { type SecretsConfig, secretsOf } from '../../service/secrets-of.js'
import { type Finding, findingsOf } from './finding.js'

/** Whether the audit trail is as it was written. */
export async function checkAuditTrail(config: Pick<Config, 'auditAnchorFile'> & SecretsConfig): Promise<Finding> {
  const { dataDir, auditAnchorFile: anchorFile } = config
  const embedded = isEmbedded(config)
  const { ok, warn, fail } = findingsOf('Audit trail')
  if (embedded && !existsSync(join(dataDir, 'activity'))) return ok('none yet; the first start makes it')
  try {
    const chainSecret = await secretsOf(config).kept('auditChain')
    if (chainSecret === undefined) {
      const advice = 'A start makes one; if there was one, restore it from a backup'
      return warn(`${SECRET_FILES.auditChain} is not there, so it can't be verified`, advice)
    }
    const found = await auditOf(config).verify({
      chainSecret,
      onlyEnds: true,
      ...(anchorFile !== undefined && { anchorFile }),
    })
    const [first] = found.findings
    if (first === undefined && !embedded) {
      return ok(`its ${found.segments} chains end as they were sealed; "earshot audit verify" reads all of them`)
    }
    if (first === undefined) {
      const before = found.before_chain === 0 ? '' : `; ${found.before_chain} more are from before the chain`
      return ok(`${found.lines} lines carry the seal of what they say${before}`)
    }
    const more = found.findings.length === 1 ? '' : `, and ${found.findings.length - 1} more`
    return fail(`${first.segment}: ${first.what}${more}`, '"earshot audit verify" names all of it')
  } catch (error) {
    return fail(`can't be read: ${error instanceof Error ? error.message : String(error)}`, 'See docs/operator.md')
  }
}
