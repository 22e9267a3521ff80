import type { FastifyRequest } from 'fastify'
import type { AuditedRequest } from '../activity/audited.js'
import type { Admin } from '../access/admin.js'
import { authorizationOf } from '../access/authorization-of.js'
import type { Rate } from '../access/rate-limit.js'
import type { ApiServerParts } from './api-server-parts.js'
import type { Access, Who } from './route.js'

/** Who an act is on record for. */
export type OnRecord = Pick<AuditedRequest, 'source' | 'credential_id' | 'name' | 'roles' | 'project_id'>

/** Who came in; absent parts are those of an open route, which leaves nothing on record. */
export interface Admission {
  readonly who: Who[Access]
  readonly onRecord?: OnRecord
  readonly credential?: string
  readonly rate?: Rate
}

type Admit = (gate: ApiServerParts['gate'], request: FastifyRequest) => Promise<Admission>

function adminOnRecord({ subject, name, role }: Admin, projectId?: string): OnRecord {
  return {
    source: 'admin_token',
    credential_id: subject,
    name,
    roles: [role],
    ...(projectId === undefined ? {} : { project_id: projectId }),
  }
}

/** How each kind of route lets requests in: a kind without its entry does not compile. */
export const admit: Readonly<Record<Access, Admit>> = {
  open: async () => ({ who: undefined }),
  project_admin: async (gate, request) => {
    const projectId = (request.params as Readonly<Record<string, string>>)['project_id'] ?? ''
    const { admin, rate } = await gate.enterAdmin(authorizationOf(request.raw), request.ip, projectId)
    return { who: admin, onRecord: adminOnRecord(admin, projectId), credential: admin.subject, rate }
  },
  super_admin: async (gate, request) => {
    const { admin, rate } = await gate.enterSuperAdmin(authorizationOf(request.raw), request.ip)
    return { who: admin, onRecord: adminOnRecord(admin), credential: admin.subject, rate }
  },
  caller: async (gate, request) => {
    const projects = request.raw.headersDistinct['x-project-id']
    // Several are no project anyone acts on.
    const project = projects !== undefined && projects.length > 1 ? '' : projects?.[0]
    const { caller, keyId, rate } = await gate.enterApi(authorizationOf(request.raw), request.ip, project)
    const { source, credential_id, app_name: name, project_id } = caller
    const onRecord: OnRecord = { source, credential_id, name, roles: caller.access_scope.roles, project_id }
    return { who: caller, onRecord, credential: keyId, rate }
  },
}
