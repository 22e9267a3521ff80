import type { Logger } from 'pino'
import type { Secrets } from '../access/secrets.js'
import { verifyApart } from '../activity/verify-apart.js'
import type { Config } from '../config.js'

/** Findings that the log names; `earshot audit verify` names them all. */
const NAMED_FINDINGS = 10

/** Verifies the whole audit trail once, in a thread, and tells the log. Never rejects. */
export async function verifyInBackground(
  { dataDir, auditAnchorFile: anchorFile }: Pick<Config, 'dataDir' | 'auditAnchorFile'>,
  secrets: Secrets,
  log: Logger,
  signal: AbortSignal,
): Promise<void> {
  try {
    const chainSecret = await secrets.get('auditChain')
    const options = { dataDir, chainSecret, ...(anchorFile !== undefined && { anchorFile }) }
    const { ok, findings, ...counts } = await verifyApart(options, signal)
    if (ok) {
      log.info(counts, 'the audit trail is as it was written')
      return
    }
    for (const finding of findings.slice(0, NAMED_FINDINGS))
      log.error(finding, 'the audit trail is not as it was written')
    log.error(
      { ...counts, findings: findings.length },
      'earshot audit verify names all that is wrong with the audit trail',
    )
  } catch (error) {
    if (!signal.aborted) log.warn({ err: error }, 'the audit trail could not be verified')
  }
}
