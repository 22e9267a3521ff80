import type { Logger } from 'pino'
import type { Secrets } from '../access/secrets.js'
import { HeadAnchor } from '../activity/head-anchor.js'
import type { Config } from '../config.js'
import { addressRules } from '../events/net/address-rules.js'
import { post } from '../events/net/post.js'

/** Begins to post the signed heads of the audit trail where they are to be anchored; undefined where nobody asked for it. */
export async function anchorHeads(
  {
    dataDir,
    auditAnchorUrl: address,
    webhookAllowedRanges: ranges = [],
  }: Pick<Config, 'dataDir' | 'auditAnchorUrl' | 'webhookAllowedRanges'>,
  secrets: Secrets,
  version: string,
  log: Logger,
): Promise<HeadAnchor | undefined> {
  if (address === undefined) return undefined
  const rules = addressRules(ranges)
  const headers = { 'content-type': 'application/json', 'user-agent': `Earshot/${version}` }
  const chainSecret = await secrets.get('auditChain')
  const send = async (body: string, signal: AbortSignal) => {
    const answer = await post(address, { headers, body }, { rules, signal })
    if ('failure' in answer) return answer.failure
    return answer.status >= 200 && answer.status < 300 ? undefined : `answered ${answer.status}`
  }
  return new HeadAnchor({ dataDir, chainSecret, address, send, log })
}
