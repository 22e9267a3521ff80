import { z } from 'zod'
import type {
  EventPosition,
  PagePosition,
  PageRequest,
  RecentActivity,
  UserPosition,
} from '../../store/activity-store.js'
import type { Asker } from '../asker.js'
import { defined } from '../defined.js'
import type { ActivityInput } from './activity-input.js'
import { type ActivityOutput, shownActivity, shownUser } from './activity-output.js'
import type { ActivityView } from './activity-view.js'
import { namedUser, userOfCursor } from './named-user.js'

const userPosition = z.strictObject({
  requests: z.int(),
  kind: z.enum(['application_key', 'admin']),
  credential_id: z.string(),
}) satisfies z.ZodType<UserPosition>
const pagePosition = z.strictObject({ views: z.int(), page: z.string() }) satisfies z.ZodType<PagePosition>
const eventPosition = z.strictObject({ at: z.string(), seq: z.int() }) satisfies z.ZodType<EventPosition>
const eventOfUser = eventPosition.extend(userOfCursor.shape)

type List = (asker: Asker, args: ActivityInput, view: ActivityView) => Promise<ActivityOutput>

function request<T>(args: ActivityInput, view: ActivityView, position: z.ZodType<T>): PageRequest<T> {
  const after = view.after(position)
  return { limit: args.limit, ...(after === undefined ? {} : { after }) }
}

/** Who asked, most requests first. */
export const activeUsers: List = async (asker, args, view) => {
  const { entries, next } = await asker.activity.users(view.period, request(args, view, userPosition))
  const users = entries.map(shownActivity)
  return defined({ window: view.window, users, count: users.length, next_cursor: view.next(next) })
}

/** What was asked for, most views first. */
export const pageViews: List = async (asker, args, view) => {
  const { entries, next } = await asker.activity.pages(view.period, request(args, view, pagePosition))
  return defined({ window: view.window, pages: [...entries], count: entries.length, next_cursor: view.next(next) })
}

/** Single requests, newest first; of everybody or of one user. */
export const recentActivity: List = async (asker, args, view) => {
  if (args.user_email !== undefined) return await recentOfUser(asker, args.user_email, args, view)
  const { entries, next } = await asker.activity.recent(view.period, request(args, view, eventPosition))
  return defined({ window: view.window, ...shownEvents(entries), next_cursor: view.next(next) })
}

async function recentOfUser(
  asker: Asker,
  name: string,
  args: ActivityInput,
  view: ActivityView,
): Promise<ActivityOutput> {
  const after = view.after(eventOfUser)
  const { user, said } = await namedUser(asker, name, view, after)
  const { entries, next } = await asker.activity.recent(
    { ...view.period, user },
    { limit: args.limit, ...(after === undefined ? {} : { after: { at: after.at, seq: after.seq } }) },
  )
  const { kind, credential_id } = user
  return defined({
    window: view.window,
    ...said,
    ...shownEvents(entries),
    next_cursor: view.next(next && { kind, credential_id, ...next }),
  })
}

function shownEvents(entries: readonly RecentActivity[]) {
  const events = entries.map(({ at, user, page, outcome, duration_ms }) => {
    return { at, user: shownUser(user), page, outcome, duration_ms }
  })
  return { events, count: events.length }
}
