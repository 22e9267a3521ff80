import { join } from 'node:path'
import type { Logger } from 'pino'
import { secretFile } from '../access/secret-file.js'
import { verifyApart } from '../activity/verify-apart.js'
import type { Config } from '../config.js'
import { CHAIN_KEY_FILE } from '../activity/chain-key.js'

/** Findings that the log names; `earshot audit verify` names them all. */
const NAMED_FINDINGS = 10

/** Verifies the whole audit trail once, in a thread, and tells the log. Never rejects. */
export async function verifyInBackground(
  { dataDir, auditAnchorFile: anchorFile }: Pick<Config, 'dataDir' | 'auditAnchorFile'>,
  log: Logger,
  signal: AbortSignal,
): Promise<void> {
  try {
    const chainSecret = await secretFile(join(dataDir, CHAIN_KEY_FILE))
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
