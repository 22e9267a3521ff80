import type { ActivityRecord } from './activity-record.js'
import type { TimeLeft } from './deadline.js'

/** Whose activity, and when: one project, a half-open range of instants (milliseconds since 1970). */
export interface ActivityFilter {
  readonly projectId: string
  /** First instant; absent = from the first event. */
  readonly from?: number
  /** First instant after it; absent = to the last event. */
  readonly until?: number
  /**
   * The events that count, as `pin` gave them. A list pinned with its first page stays the same while people go
   * on asking, the asker included.
   */
  readonly upTo?: number
}

/** Ends a read before its time; by itself after 5,000 ms. */
export type ActivityReadOptions = Partial<TimeLeft>

/** One who asked: a key or an administrator. */
export interface ActivityUser {
  /** The name at the latest of the events counted. */
  readonly name: string
  readonly kind: 'application_key' | 'admin'
  readonly credential_id: string
}

export interface UserActivity {
  readonly user: ActivityUser
  readonly requests: number
  readonly first_seen: string
  readonly last_seen: string
}

export interface PageActivity {
  readonly page: string
  readonly views: number
  /** How many different users. */
  readonly users: number
}

export interface ActivitySummary {
  readonly users: number
  readonly requests: number
  /** Absent when nothing was asked. */
  readonly first_seen?: string
  readonly last_seen?: string
}

export interface RecentActivity {
  readonly seq: number
  readonly at: string
  readonly user: ActivityUser
  readonly page: string
  readonly outcome: ActivityRecord['outcome']
  readonly duration_ms: number
}

/** Where the next page goes on: behind this entry. */
export interface UserPosition {
  readonly requests: number
  readonly kind: ActivityUser['kind']
  readonly credential_id: string
}
export interface PagePosition {
  readonly views: number
  readonly page: string
}
export interface EventPosition {
  readonly at: string
  readonly seq: number
}

export interface PageRequest<Position> {
  readonly limit: number
  readonly after?: Position
}

export interface ActivityPage<Entry, Position> {
  readonly entries: readonly Entry[]
  /** Absent when there is no more. */
  readonly next?: Position
}

/** Narrowed to one user besides. */
export type UserFilter = ActivityFilter & { readonly user?: Pick<ActivityUser, 'kind' | 'credential_id'> }

/**
 * The audit trail as questions read it. What is counted: one project's requests, of keys and administrators. SuperAdmins (at
 * the time of the act) and the operator never appear, in no number.
 */
export interface ActivityStore {
  /** A number that stands for the events that there are by now. */
  pin(): Promise<number>
  summary(filter: ActivityFilter, options?: ActivityReadOptions): Promise<ActivitySummary>
  /** Users, most requests first. */
  users(
    filter: ActivityFilter,
    page: PageRequest<UserPosition>,
    options?: ActivityReadOptions,
  ): Promise<ActivityPage<UserActivity, UserPosition>>
  /**
   * Users with this name at any event counted, or with this credential id; the one seen last first. A name may have been
   * given twice, an id never is.
   */
  usersNamed(filter: ActivityFilter, name: string, options?: ActivityReadOptions): Promise<readonly UserActivity[]>
  /** Pages, most views first; of one user or of all. */
  pages(
    filter: UserFilter,
    page: PageRequest<PagePosition>,
    options?: ActivityReadOptions,
  ): Promise<ActivityPage<PageActivity, PagePosition>>
  /** Single requests, newest first; of one user or of all. */
  recent(
    filter: UserFilter,
    page: PageRequest<EventPosition>,
    options?: ActivityReadOptions,
  ): Promise<ActivityPage<RecentActivity, EventPosition>>
}

/** A copy of a trail that is kept in files, which it follows by a second or so. */
export interface ActivityTable extends ActivityStore {
  /**
   * Adds events in the order of their numbers; those at or below `lastSequence` are there already and passed over, so
   * that replaying twice changes nothing. Gives back how many were new.
   */
  insert(events: readonly ActivityRecord[]): Promise<number>
  /** Number of the last event that was added, also when it has been deleted since; 0 in a new store. */
  lastSequence(): Promise<number>
  /** Deletes events before an instant (milliseconds since 1970); gives back how many. */
  deleteBefore(instant: number): Promise<number>
}
