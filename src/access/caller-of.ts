import type { KeyRecord } from '../store/records/key.js'
import type { Admin } from './admin.js'
import type { Caller } from './caller.js'
import { operator } from './operator.js'

/** What of a key says who asks and what they may hear. */
type KeyFields = Pick<
  KeyRecord,
  | 'key_id'
  | 'name'
  | 'project_id'
  | 'is_supervisor'
  | 'roles'
  | 'allowed_agents'
  | 'require_mapping'
  | 'text'
  | 'min_group'
  | 'created_at'
  | 'changed_at'
  | 'expires_at'
  | 'allowed_networks'
>

/** The resolved authentication info of a key, as it stands at this request. */
export function callerOfKey(key: KeyFields): Caller {
  return {
    project_id: key.project_id,
    source: 'application_key',
    app_name: key.name,
    credential_id: key.key_id,
    access_scope: {
      is_supervisor: key.is_supervisor,
      roles: key.roles,
      allowed_agents: key.allowed_agents,
      require_mapping: key.require_mapping,
      text: key.text ?? 'full',
      ...(key.min_group !== undefined && { min_group: key.min_group }),
    },
    terms: {
      since: key.changed_at ?? key.created_at,
      ...(key.expires_at !== undefined && { until: key.expires_at }),
      ...(key.allowed_networks !== undefined && { networks: key.allowed_networks }),
    },
  }
}

/** An administrator asking about a project: the full project, with the token's role. */
export function callerOfAdmin(admin: Admin, projectId: string): Caller {
  return {
    project_id: projectId,
    source: 'admin_token',
    app_name: admin.name,
    credential_id: admin.subject,
    access_scope: {
      is_supervisor: true,
      roles: [admin.role],
      allowed_agents: [],
      require_mapping: false,
      text: 'full',
    },
  }
}

/** The operator asking about a project, through a command. */
export function callerOfOperator(projectId: string): Caller {
  return { ...callerOfAdmin(operator, projectId), source: 'operator' }
}
