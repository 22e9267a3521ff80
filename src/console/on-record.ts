import type { FastifyRequest } from 'fastify'
import type { Caller } from '../access/caller.js'
import { whoOnRecord } from '../access/who-on-record.js'
import { audited, type Trail } from '../activity/audited.js'

/** Does what somebody asked for who came in, with its line in the audit trail. */
export async function onRecord<T>(
  trail: Trail,
  { id, method, routeOptions }: FastifyRequest,
  caller: Caller,
  run: () => Promise<T>,
): Promise<T> {
  const page = `${method} ${routeOptions.url ?? ''}`
  const line = { ...whoOnRecord(caller), request_id: id, transport: 'rest' as const, page }
  return await audited(trail, line, run)
}
