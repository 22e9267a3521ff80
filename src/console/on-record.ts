import type { FastifyRequest } from 'fastify'
import type { Caller } from '../access/caller.js'
import { audited, type Trail } from '../activity/audited.js'

/** Does what somebody asked for who came in, with its line in the audit trail. */
export async function onRecord<T>(
  trail: Trail,
  { id, method, routeOptions }: FastifyRequest,
  { source, credential_id, app_name: name, project_id, access_scope }: Caller,
  run: () => Promise<T>,
): Promise<T> {
  const line = {
    request_id: id,
    transport: 'rest' as const,
    page: `${method} ${routeOptions.url ?? ''}`,
    source,
    credential_id,
    name,
    project_id,
    roles: access_scope.roles,
  }
  return await audited(trail, line, run)
}
