import { type AuditedRequest, audited, type Trail } from '../activity/audited.js'
import type { Problem } from '../base/problem.js'
import type { ActivityTransport } from '../store/activity-record.js'
import type { Admin } from './admin.js'
import type { Caller } from './caller.js'

/** What was asked, as far as it was looked at. */
interface Asked {
  readonly page: string
  readonly requestId: string
  readonly transport: ActivityTransport
}

/**
 * Puts the refusal of somebody known on record, and then rejects with it: like an answer, it leaves when its line is
 * durable. An administrator refused at another project's door is noted in his own.
 */
export async function refuseOnRecord(
  trail: Trail,
  refusal: Problem,
  who: Caller | Admin,
  asked: Asked,
): Promise<never> {
  return await audited(trail, requestOf(who, asked), () => Promise.reject(refusal))
}

function requestOf(who: Caller | Admin, { page, requestId, transport }: Asked): AuditedRequest {
  const asked = { request_id: requestId, transport, page }
  if ('access_scope' in who) {
    const { source, credential_id, app_name: name, project_id, access_scope } = who
    return { ...asked, source, credential_id, name, project_id, roles: access_scope.roles }
  }
  const { subject, name, role, current_project_id: own } = who
  const project = own === undefined ? {} : { project_id: own }
  return { ...asked, source: 'admin_token', credential_id: subject, name, roles: [role], ...project }
}
