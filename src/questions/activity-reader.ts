import type {
  ActivityFilter,
  ActivityPage,
  ActivitySummary,
  EventPosition,
  PageActivity,
  PagePosition,
  PageRequest,
  RecentActivity,
  UserActivity,
  UserFilter,
  UserPosition,
} from '../store/activity-store.js'

/** When, and up to which event: a filter that can't name a project. */
export type ActivityPeriod = Omit<ActivityFilter, 'projectId'>

/**
 * Who asked what in the asker's project. The project is bound already, so a question can't read another's; what the
 * store leaves out (SuperAdmins, the operator) is in no answer.
 */
export interface ActivityReader {
  /**
   * Waits until the table holds everything that is on record by now. Gives back what a list is
   * pinned to. Rejects with a Problem (busy) when it takes longer than the answer may.
   */
  upToDate(): Promise<number>
  summary(period: ActivityPeriod): Promise<ActivitySummary>
  /** Users, most requests first. */
  users(period: ActivityPeriod, page: PageRequest<UserPosition>): Promise<ActivityPage<UserActivity, UserPosition>>
  /** Users with this name or credential id, the one seen last first. */
  usersNamed(period: ActivityPeriod, name: string): Promise<readonly UserActivity[]>
  /** Pages, most views first; of one user or of all. */
  pages(
    period: Omit<UserFilter, 'projectId'>,
    page: PageRequest<PagePosition>,
  ): Promise<ActivityPage<PageActivity, PagePosition>>
  /** Single requests, newest first; of one user or of all. */
  recent(
    period: Omit<UserFilter, 'projectId'>,
    page: PageRequest<EventPosition>,
  ): Promise<ActivityPage<RecentActivity, EventPosition>>
}
