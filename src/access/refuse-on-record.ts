import { type AuditedRequest, audited, type Trail } from '../activity/audited.js'
import { Problem } from '../base/problem.js'
import type { ActivityTransport } from '../store/activity-record.js'
import type { Admin } from './admin.js'
import type { Caller } from './caller.js'
import { whoOnRecord } from './who-on-record.js'

/** What was asked, as far as it was looked at. */
interface Asked {
  readonly page: string
  readonly requestId: string
  readonly transport: ActivityTransport
}

/** How long refusals over a rate are counted before one line tells of them. */
const COUNTED_MS = 60_000

/** What stands for many refusals over a rate as the page of their line, whose `rows` says how many there were. */
const MORE_REFUSALS = 'refused over the rate'

/** Refusals over a rate since the one that was put on record, by credential: a client that goes on asking must not fill the disk. */
const overRate = new WeakMap<Trail, Map<string, number>>()

/**
 * Counts a refusal over a rate.
 * @returns whether it is the first of its credential for a while, and so on record by itself
 */
function isFirst(trail: Trail, asked: AuditedRequest): boolean {
  const counts = overRate.get(trail) ?? new Map<string, number>()
  overRate.set(trail, counts)
  const who = JSON.stringify([asked.source, asked.project_id, asked.credential_id])
  const more = counts.get(who)
  counts.set(who, (more ?? -1) + 1)
  if (more !== undefined) return false
  const tell = (): void => {
    const rows = counts.get(who) ?? 0
    counts.delete(who)
    if (rows === 0) return
    const line = { ...asked, page: MORE_REFUSALS }
    const refused = new Problem('too_many_requests', 'Too many requests')
    // Nobody waits for the line; that the trail is out is told by its health.
    audited(trail, line, () => Promise.reject(refused), { failed: { rows } }).catch(() => undefined)
  }
  setTimeout(tell, COUNTED_MS).unref()
  return true
}

/**
 * Puts the refusal of somebody known on record, and then rejects with it: like an answer, it leaves when its line is
 * durable. An administrator refused at another project's door is noted in his own. Of refusals over a rate the first of a
 * credential has its line, and one more tells how many came in the minute after it.
 */
export async function refuseOnRecord(
  trail: Trail,
  refusal: Problem,
  who: Caller | Admin,
  asked: Asked,
): Promise<never> {
  const request = requestOf(who, asked)
  if (refusal.code === 'too_many_requests' && !isFirst(trail, request)) throw refusal
  return await audited(trail, request, () => Promise.reject(refusal))
}

function requestOf(who: Caller | Admin, { page, requestId, transport }: Asked): AuditedRequest {
  const asked = { request_id: requestId, transport, page }
  if ('access_scope' in who) return { ...asked, ...whoOnRecord(who) }
  const { subject, name, role, current_project_id: own } = who
  const project = own === undefined ? {} : { project_id: own }
  return { ...asked, source: 'admin_token', credential_id: subject, name, roles: [role], ...project }
}
