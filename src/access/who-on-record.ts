import type { AuditedRequest } from '../activity/audited.js'
import type { Caller } from './caller.js'

/** Who asks, as the audit trail names them. */
export function whoOnRecord({
  source,
  credential_id,
  app_name: name,
  project_id,
  access_scope,
}: Caller): Pick<AuditedRequest, 'source' | 'credential_id' | 'name' | 'roles'> & { readonly project_id: string } {
  return { source, credential_id, name, project_id, roles: access_scope.roles }
}
