import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api'
import type { ActivityRecord } from '../activity-record.js'
import type {
  ActivityFilter,
  ActivityPage,
  ActivityReadOptions,
  ActivitySummary,
  ActivityTable,
  EventPosition,
  PageActivity,
  PagePosition,
  PageRequest,
  RecentActivity,
  UserActivity,
  UserFilter,
  UserPosition,
} from '../activity-store.js'
import { recentOf, userActivityOf } from './reading/activity-rows.js'
import { SOURCE, activityWhere, timestamp } from './reading/activity-where.js'
import { insertActivity } from './writing/insert-activity.js'
import type { Reading, Writing } from './engine.js'

/** What is read of each user; see `userActivityOf`. */
const USER = `source, credential_id, arg_max(name, seq) as name, count(*) as requests, min("at") as first_seen, max("at") as last_seen`

/** Keeps the audit trail as a table. All counting is the engine's work. */
export class DuckDbActivity implements ActivityTable {
  readonly #writer: Writing
  readonly #reader: Reading

  constructor(writer: Writing, reader: Reading) {
    this.#writer = writer
    this.#reader = reader
  }

  async insert(events: readonly ActivityRecord[]): Promise<number> {
    const last = events.at(-1)
    if (last === undefined) return 0
    const json = JSON.stringify(events)
    return this.#writer.transaction(async connection => {
      const { rowsChanged } = await connection.run(insertActivity, [json])
      await connection.run('update activity_position set seq = greatest(seq, $1)', [BigInt(last.seq)])
      return rowsChanged
    })
  }

  async lastSequence(): Promise<number> {
    const [row] = await this.#reader.rows('select seq from activity_position')
    return Number(row?.[0] ?? 0)
  }

  pin(): Promise<number> {
    return this.lastSequence()
  }

  async deleteBefore(instant: number): Promise<number> {
    // Looked for outside the lane for writes: mostly there is nothing to do.
    const [old] = await this.#reader.rows('select 1 from activity where "at" < $1 limit 1', [timestamp(instant)])
    if (old === undefined) return 0
    const remove = (connection: DuckDBConnection) =>
      connection.run('delete from activity where "at" < $1', [timestamp(instant)])
    return (await this.#writer.transaction(remove)).rowsChanged
  }

  async summary(filter: ActivityFilter, options?: ActivityReadOptions): Promise<ActivitySummary> {
    const { sql, values } = activityWhere(filter)
    const [row = []] = await this.#reader.rows(
      `select count(distinct (source, credential_id)), count(*), min("at"), max("at") from activity where ${sql}`,
      values,
      { ...options, project: filter.projectId },
    )
    const [users, requests, first, last] = row
    const seen =
      first instanceof Date && last instanceof Date
        ? { first_seen: first.toISOString(), last_seen: last.toISOString() }
        : {}
    return { users: Number(users ?? 0), requests: Number(requests ?? 0), ...seen }
  }

  async users(
    filter: ActivityFilter,
    page: PageRequest<UserPosition>,
    options?: ActivityReadOptions,
  ): Promise<ActivityPage<UserActivity, UserPosition>> {
    const { sql, values } = activityWhere(filter)
    const { after } = page
    const behind =
      after === undefined
        ? ''
        : `where (-requests, source, credential_id) > (${bind(values, BigInt(-after.requests), SOURCE[after.kind], after.credential_id)})`
    const rows = await this.#reader.rows(
      `select * from (select ${USER} from activity where ${sql} group by source, credential_id) ${behind}
       order by requests desc, source, credential_id limit ${page.limit + 1}`,
      values,
      { ...options, project: filter.projectId },
    )
    return pageOf(rows.map(userActivityOf), page.limit, ({ user, requests }) => {
      return { requests, kind: user.kind, credential_id: user.credential_id }
    })
  }

  async usersNamed(
    filter: ActivityFilter,
    name: string,
    options?: ActivityReadOptions,
  ): Promise<readonly UserActivity[]> {
    const { sql, values } = activityWhere(filter)
    const named = bind(values, name)
    const rows = await this.#reader.rows(
      `select ${USER} from activity where ${sql} group by source, credential_id
       having bool_or(name = ${named}) or credential_id = ${named}
       order by last_seen desc, source, credential_id`,
      values,
      { ...options, project: filter.projectId },
    )
    return rows.map(userActivityOf)
  }

  async pages(
    filter: UserFilter,
    page: PageRequest<PagePosition>,
    options?: ActivityReadOptions,
  ): Promise<ActivityPage<PageActivity, PagePosition>> {
    const { sql, values } = activityWhere(filter)
    const { after } = page
    const behind =
      after === undefined ? '' : `where (-views, page) > (${bind(values, BigInt(-after.views), after.page)})`
    const rows = await this.#reader.rows(
      `select * from (
         select page, count(*) as views, count(distinct (source, credential_id)) as users
         from activity where ${sql} group by page
       ) ${behind} order by views desc, page limit ${page.limit + 1}`,
      values,
      { ...options, project: filter.projectId },
    )
    const entries = rows.map(([name, views, users]) => ({
      page: String(name),
      views: Number(views),
      users: Number(users),
    }))
    return pageOf(entries, page.limit, entry => ({ views: entry.views, page: entry.page }))
  }

  async recent(
    filter: UserFilter,
    page: PageRequest<EventPosition>,
    options?: ActivityReadOptions,
  ): Promise<ActivityPage<RecentActivity, EventPosition>> {
    const { sql, values } = activityWhere(filter)
    const { after } = page
    const behind =
      after === undefined ? '' : `and ("at", seq) < (${bind(values, timestamp(after.at), BigInt(after.seq))})`
    const rows = await this.#reader.rows(
      `select seq, "at", source, credential_id, name, page, outcome, duration_ms from activity where ${sql} ${behind}
       order by "at" desc, seq desc limit ${page.limit + 1}`,
      values,
      { ...options, project: filter.projectId },
    )
    return pageOf(rows.map(recentOf), page.limit, ({ at, seq }) => ({ at, seq }))
  }
}

/** Binds values to a statement; gives back their places in its text. */
function bind(values: DuckDBValue[], ...more: readonly DuckDBValue[]): string {
  return more.map(value => `$${values.push(value)}`).join(', ')
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
