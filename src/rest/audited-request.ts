import type { AuditedRequest } from '../activity/audited.js'
import { operator } from '../access/operator.js'
import type { ActivityTransport } from '../store/activity-record.js'
import type { Access, Who } from '../operations/operation.js'

/** A parameter of a path that names a call; of these the trail keeps a hash. */
const SESSION_PARAMETERS = ['interaction_id', 'session_id'] as const

interface Asked {
  readonly page: string
  readonly params: Readonly<Record<string, string>>
  readonly requestId: string
  readonly transport: ActivityTransport
}

/** What the audit trail keeps of a request; undefined where nobody was authenticated (health, metrics). */
export function auditedRequest(
  access: Access,
  who: Who[Access],
  { page, params, requestId, transport }: Asked,
): AuditedRequest | undefined {
  if (access === 'open' || access === 'metrics' || who === undefined) return undefined
  const sessionIds = SESSION_PARAMETERS.flatMap(name => params[name] ?? [])
  const asked = { request_id: requestId, transport, page, sessionIds }
  if ('access_scope' in who) {
    const { source, credential_id, app_name: name, project_id, access_scope } = who
    return { ...asked, source, credential_id, name, project_id, roles: access_scope.roles }
  }
  const { subject, name, role } = who
  const source = who === operator ? 'operator' : 'admin_token'
  const project = params['project_id'] === undefined ? {} : { project_id: params['project_id'] }
  return { ...asked, source, credential_id: subject, name, roles: [role], ...project }
}
