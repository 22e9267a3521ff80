import { setTimeout } from 'node:timers/promises'
import { deserialize, type Document as BsonDocument } from 'bson'
import { z } from 'zod'
import type {
  ActivityFilter,
  ActivityPage,
  ActivityReadOptions,
  ActivityStore,
  ActivitySummary,
  ActivityUser,
  EventPosition,
  PageActivity,
  PagePosition,
  PageRequest,
  RecentActivity,
  UserActivity,
  UserFilter,
  UserPosition,
} from '../activity-store.js'
import { Deadline } from '../deadline.js'
import type { MongoReader } from './mongodb-reader.js'

const COLLECTION = 'activity'
const DEFAULT_DEADLINE_MS = 5_000

/** The sources under which users appear. */
const SOURCE = { application_key: 'application_key', admin: 'admin_token' } as const
const SHOWN = Object.values(SOURCE)

const kind = z.enum(SHOWN).transform((source): ActivityUser['kind'] => (source === 'admin_token' ? 'admin' : source))
const instant = z.date().transform(date => date.toISOString())

const USER = { source: '$source', credential_id: '$credential_id' }

/** What is counted of each user; events come in the order of their numbers. */
const COUNTED = {
  name: { $last: '$name' },
  requests: { $sum: 1 },
  first_seen: { $min: '$at' },
  last_seen: { $max: '$at' },
}

const counted = z
  .object({
    _id: z.object({ source: kind, credential_id: z.string() }),
    name: z.string(),
    requests: z.number(),
    first_seen: instant,
    last_seen: instant,
  })
  .transform(({ _id, name, ...seen }): UserActivity => {
    return { user: { name, kind: _id.source, credential_id: _id.credential_id }, ...seen }
  })

const summed = z.object({ users: z.number(), requests: z.number(), first_seen: instant, last_seen: instant })

const viewed = z
  .object({ _id: z.string(), views: z.number(), users: z.number() })
  .transform(({ _id, ...counts }): PageActivity => ({ page: _id, ...counts }))

const single = z
  .object({
    _id: z.number(),
    at: instant,
    source: kind,
    credential_id: z.string(),
    name: z.string(),
    page: z.string(),
    outcome: z.enum(['ok', 'refused', 'error']),
    duration_ms: z.number(),
  })
  .transform(({ _id, source, credential_id, name, ...event }): RecentActivity => {
    return { seq: _id, user: { name, kind: source, credential_id }, ...event }
  })

/**
 * The one place that says which events reads may count: one project's, not the operator's, none by whoever was a SuperAdmin at the
 * time.
 */
function counting({ projectId, from, until, upTo, user }: UserFilter): BsonDocument {
  const at = {
    ...(from !== undefined && { $gte: new Date(from) }),
    ...(until !== undefined && { $lt: new Date(until) }),
  }
  return {
    $match: {
      project_id: { $eq: projectId },
      source: user === undefined ? { $in: SHOWN } : { $eq: SOURCE[user.kind] },
      roles: { $ne: 'SuperAdmin' },
      ...(Object.keys(at).length > 0 && { at }),
      ...(upTo !== undefined && { written: { $lte: new Date(upTo) } }),
      ...(user !== undefined && { credential_id: { $eq: user.credential_id } }),
    },
  }
}

/** Has the server count the audit trail, whose lines are documents there (mongodb-audit-chains). */
export class MongoActivity implements ActivityStore {
  readonly #reader: MongoReader

  constructor(reader: MongoReader) {
    this.#reader = reader
  }

  /** By the clock of this process: what one writes whose clock is behind may come in later. */
  async pin(): Promise<number> {
    const now = Date.now()
    // What is written from here on is written later.
    while (Date.now() === now) await setTimeout(1)
    return now
  }

  async summary(filter: ActivityFilter, options?: ActivityReadOptions): Promise<ActivitySummary> {
    const [found] = await this.#read(summed, filter, options, [
      { $group: { _id: USER, requests: { $sum: 1 }, first_seen: { $min: '$at' }, last_seen: { $max: '$at' } } },
      {
        $group: {
          _id: null,
          users: { $sum: 1 },
          requests: { $sum: '$requests' },
          first_seen: { $min: '$first_seen' },
          last_seen: { $max: '$last_seen' },
        },
      },
    ])
    return found ?? { users: 0, requests: 0 }
  }

  async users(
    filter: ActivityFilter,
    { limit, after }: PageRequest<UserPosition>,
    options?: ActivityReadOptions,
  ): Promise<ActivityPage<UserActivity, UserPosition>> {
    const found = await this.#read(counted, filter, options, [
      { $sort: { _id: 1 } },
      { $group: { _id: USER, ...COUNTED } },
      ...(after === undefined
        ? []
        : behind(
            ['requests', 'fewer', after.requests],
            ['_id.source', 'more', SOURCE[after.kind]],
            ['_id.credential_id', 'more', after.credential_id],
          )),
      { $sort: { requests: -1, '_id.source': 1, '_id.credential_id': 1 } },
      { $limit: limit + 1 },
    ])
    return pageOf(found, limit, ({ user, requests }) => {
      return { requests, kind: user.kind, credential_id: user.credential_id }
    })
  }

  async usersNamed(
    filter: ActivityFilter,
    name: string,
    options?: ActivityReadOptions,
  ): Promise<readonly UserActivity[]> {
    const named = { $max: { $cond: [{ $eq: ['$name', { $literal: name }] }, 1, 0] } }
    return await this.#read(counted, filter, options, [
      { $sort: { _id: 1 } },
      { $group: { _id: USER, ...COUNTED, named } },
      { $match: { $or: [{ named: 1 }, { '_id.credential_id': { $eq: name } }] } },
      { $sort: { last_seen: -1, '_id.source': 1, '_id.credential_id': 1 } },
    ])
  }

  async pages(
    filter: UserFilter,
    { limit, after }: PageRequest<PagePosition>,
    options?: ActivityReadOptions,
  ): Promise<ActivityPage<PageActivity, PagePosition>> {
    const found = await this.#read(viewed, filter, options, [
      { $group: { _id: { page: '$page', ...USER }, views: { $sum: 1 } } },
      { $group: { _id: '$_id.page', views: { $sum: '$views' }, users: { $sum: 1 } } },
      ...(after === undefined ? [] : behind(['views', 'fewer', after.views], ['_id', 'more', after.page])),
      { $sort: { views: -1, _id: 1 } },
      { $limit: limit + 1 },
    ])
    return pageOf(found, limit, ({ views, page }) => ({ views, page }))
  }

  async recent(
    filter: UserFilter,
    { limit, after }: PageRequest<EventPosition>,
    options?: ActivityReadOptions,
  ): Promise<ActivityPage<RecentActivity, EventPosition>> {
    const found = await this.#read(single, filter, options, [
      ...(after === undefined ? [] : behind(['at', 'fewer', new Date(after.at)], ['_id', 'fewer', after.seq])),
      { $sort: { at: -1, _id: -1 } },
      { $limit: limit + 1 },
    ])
    return pageOf(found, limit, ({ at, seq }) => ({ at, seq }))
  }

  /** What stages make of the events that count. */
  async #read<T>(
    schema: z.ZodType<T>,
    filter: UserFilter,
    { signal, deadlineMs = DEFAULT_DEADLINE_MS, limitMs }: ActivityReadOptions = {},
    stages: readonly BsonDocument[],
  ): Promise<readonly T[]> {
    const deadline = Deadline.of({ deadlineMs, signal, limitMs })
    const turn = { requester: { project: filter.projectId, key: '' }, deadline, deadlineMs }
    const asked = { collection: COLLECTION, stages: [counting(filter), ...stages] }
    try {
      return await this.#reader.with('light', turn, async within => {
        const found: T[] = []
        for await (const part of this.#reader.documents(asked, within, deadlineMs)) {
          found.push(...part.map(bytes => schema.parse(deserialize(bytes))))
        }
        return found
      })
    } finally {
      deadline.dispose()
    }
  }
}

/** What comes after an entry in an order by several fields. */
function behind(...order: readonly (readonly [string, 'more' | 'fewer', unknown])[]): readonly BsonDocument[] {
  const either = order.map(([name, direction, value], at) => ({
    ...Object.fromEntries(order.slice(0, at).map(([before, , equal]) => [before, { $eq: equal }])),
    [name]: { [direction === 'more' ? '$gt' : '$lt']: value },
  }))
  return [{ $match: { $or: either } }]
}

/** A page of a list that was read one entry further. */
function pageOf<Entry, Position>(
  entries: readonly Entry[],
  limit: number,
  position: (last: Entry) => Position,
): ActivityPage<Entry, Position> {
  const shown = entries.slice(0, limit)
  const last = shown.at(-1)
  return { entries: shown, ...(entries.length > limit && last !== undefined ? { next: position(last) } : {}) }
}
