import { createHmac } from 'node:crypto'

/** Hex digits of a hash: 128 bits, far from any collision. */
const HASH_LENGTH = 32

/**
 * What the audit trail holds in place of a session id, hashed with a secret of this installation: whoever gets hold of
 * the trail alone can't try ids, while the operator can answer "who asked about this call?" by hashing its id again.
 * The same for the same call, always; different for the same id in another project.
 */
export function sessionHash(secret: string, projectId: string, sessionId: string): string {
  const hash = createHmac('sha256', secret).update(JSON.stringify([projectId, sessionId]))
  return hash.digest('hex').slice(0, HASH_LENGTH)
}
