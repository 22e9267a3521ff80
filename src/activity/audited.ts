import { roundedMs } from '../base/rounded-ms.js'
import { shapeError } from '../base/shape-error.js'
import type { ActivityRecord } from '../store/activity-record.js'
import type { NewActivityEvent } from './activity-event.js'
import type { AuditTrail } from './audit-trail.js'
import { auditUnavailable } from './audit-unavailable.js'

/** Who asks what: the part of an event that is known before the answer. */
export type AuditedRequest = Pick<
  ActivityRecord,
  'request_id' | 'source' | 'credential_id' | 'name' | 'roles' | 'transport' | 'page'
> & {
  readonly project_id?: string
  /** The session ids asked about; only their hashes are kept. */
  readonly sessionIds?: readonly string[]
}

/** What names a call in a path, a query or arguments. Of these, and of nothing else that was asked, the trail keeps a hash. */
const SESSION_PARAMETERS = ['interaction_id', 'session_id', 'session_id_a', 'session_id_b'] as const

/** The session ids that are asked about, in what was sent by name; it may be anything. */
export function sessionIdsIn(asked: unknown): readonly string[] {
  if (typeof asked !== 'object' || asked === null) return []
  const given = asked as Readonly<Record<string, unknown>>
  return SESSION_PARAMETERS.flatMap(name => {
    const value = Object.hasOwn(given, name) ? given[name] : undefined
    return typeof value === 'string' ? [value] : []
  })
}

/** What an answer was, in numbers. */
export interface Measure {
  readonly status?: number
  readonly rows?: number
  readonly bytes?: number
}

export type Trail = Pick<AuditTrail, 'append' | 'health' | 'sessionHash'>

/** What there is to know of a request beside how it ends. */
interface Watched<T> {
  readonly measure?: (answer: T) => Measure
  /** What a failure counts. */
  readonly failed?: Pick<Measure, 'rows'>
  /** Called before the line is written. @throws what the answer is withheld with, where who asked may not be told it any more */
  readonly check?: (() => void) | undefined
}

/**
 * Runs what answers a request and gives its answer, or its failure, back only when the line about it is durable. Rejects
 * with the trail's own Problem when it can't be, and does not even start while the trail is known to be out.
 */
export async function audited<T>(
  trail: Trail,
  request: AuditedRequest,
  run: () => Promise<T>,
  { measure = () => ({}), failed = {}, check = () => undefined }: Watched<T> = {},
): Promise<T> {
  if (trail.health() === 'audit_unavailable') throw auditUnavailable()
  const at = new Date().toISOString()
  const started = performance.now()
  const answering = async (): Promise<T> => {
    const answer = await run()
    check()
    return answer
  }
  const ended = await answering().then(
    answer => ({ answer, outcome: { outcome: 'ok' as const, ...measure(answer) } }),
    (error: unknown) => ({ error, outcome: { ...outcomeOf(error), ...failed } }),
  )
  const line = {
    at,
    ...fieldsOf(trail, request),
    ...ended.outcome,
    duration_ms: roundedMs(performance.now() - started),
  }
  await trail.append(line)
  if ('error' in ended) throw ended.error
  return ended.answer
}

/** How a failure stands on record: by the status it is answered with. */
export function outcomeOf(error: unknown): Pick<NewActivityEvent, 'outcome' | 'code' | 'status'> {
  const { status, body } = shapeError(error, () => undefined)
  return { outcome: status >= 500 ? 'error' : 'refused', code: body.code, status }
}

/** The fields of the line that the request alone decides. */
function fieldsOf(trail: Trail, request: AuditedRequest) {
  const { project_id, sessionIds = [], ...fields } = request
  const hashes = sessionIds.map(id => trail.sessionHash(project_id ?? '', id))
  return {
    ...fields,
    roles: [...fields.roles],
    ...(project_id === undefined ? {} : { project_id }),
    ...(hashes.length === 0 ? {} : { session_hashes: hashes }),
  }
}
