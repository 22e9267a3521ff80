import type { Logger } from 'pino'
import { ChainAnchor } from '../activity/chains/chain-anchor.js'
import { HeadAnchor } from '../activity/head-anchor.js'
import { anchorHead } from '../activity/segment-head.js'
import type { Config } from '../config.js'
import { addressRules } from '../events/net/address-rules.js'
import { post } from '../events/net/post.js'
import type { Installation } from './open-installation.js'

type AnchorConfig = Pick<Config, 'dataDir' | 'auditAnchorUrl' | 'webhookAllowedRanges'> &
  Partial<Pick<Config, 'auditAnchorFile'>>

/**
 * Begins to keep the signed heads of the audit trail where they are to be anchored; undefined where nobody asked for it. A trail in
 * files writes the file of the anchor itself.
 */
export async function anchorHeads(
  { dataDir, auditAnchorUrl: address, auditAnchorFile: file, webhookAllowedRanges: ranges = [] }: AnchorConfig,
  { secrets, chain }: Pick<Installation, 'secrets' | 'chain'>,
  version: string,
  log: Logger,
): Promise<{ close(): Promise<void> } | undefined> {
  const send = address === undefined ? undefined : sending(address, ranges, version)
  if (chain === undefined) {
    if (address === undefined || send === undefined) return undefined
    return new HeadAnchor({ dataDir, chainSecret: await secrets.get('auditChain'), address, send, log })
  }
  if (send === undefined && file === undefined) return undefined
  const keep = async (line: string, signal: AbortSignal) => {
    if (file !== undefined) await anchorHead(file, line)
    const refused = await send?.(line, signal)
    if (refused !== undefined) throw new Error(`what is behind EARSHOT_AUDIT_ANCHOR_URL did not take it: ${refused}`)
  }
  return new ChainAnchor({ sink: chain, keep, log })
}

function sending(address: string, ranges: readonly string[], version: string) {
  const rules = addressRules(ranges)
  const headers = { 'content-type': 'application/json', 'user-agent': `Earshot/${version}` }
  return async (body: string, signal: AbortSignal) => {
    const answer = await post(address, { headers, body }, { rules, signal })
    if ('failure' in answer) return answer.failure
    return answer.status >= 200 && answer.status < 300 ? undefined : `answered ${answer.status}`
  }
}
