import { type AuditedRequest, sessionIdsIn } from '../activity/audited.js'
import { operator } from '../access/operator.js'
import { whoOnRecord } from '../access/who-on-record.js'
import type { ActivityTransport } from '../store/activity-record.js'
import type { Access, Who } from '../operations/operation.js'

interface Asked {
  readonly page: string
  /** What the path names. */
  readonly params: Readonly<Record<string, string>>
  /** What the query names, as it was sent. */
  readonly query: unknown
  readonly requestId: string
  readonly transport: ActivityTransport
}

/** What the audit trail keeps of a request; undefined where nobody was authenticated (health, metrics). */
export function auditedRequest(
  access: Access,
  who: Who[Access],
  { page, params, query, requestId, transport }: Asked,
): AuditedRequest | undefined {
  if (access === 'open' || access === 'metrics' || who === undefined) return undefined
  const sessionIds = [...sessionIdsIn(params), ...sessionIdsIn(query)]
  const asked = { request_id: requestId, transport, page, sessionIds }
  if ('access_scope' in who) return { ...asked, ...whoOnRecord(who) }
  const { subject, name, role } = who
  const source = who === operator ? 'operator' : 'admin_token'
  const project = params['project_id'] === undefined ? {} : { project_id: params['project_id'] }
  return { ...asked, source, credential_id: subject, name, roles: [role], ...project }
}
