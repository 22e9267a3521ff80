import { z } from 'zod'
import type { EventPosition, PagePosition, PageRequest, UserPosition } from '../../store/activity-store.js'
import type { Asker } from '../asker.js'
import { defined } from '../defined.js'
import type { ActivityInput } from './activity-input.js'
import { type ActivityOutput, shownActivity, shownUser } from './activity-output.js'
import type { ActivityView } from './activity-view.js'

const userPosition = z.strictObject({
  requests: z.int(),
  kind: z.enum(['application_key', 'admin']),
  credential_id: z.string(),
}) satisfies z.ZodType<UserPosition>
const pagePosition = z.strictObject({ views: z.int(), page: z.string() }) satisfies z.ZodType<PagePosition>
const eventPosition = z.strictObject({ at: z.string(), seq: z.int() }) satisfies z.ZodType<EventPosition>

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

/** Single requests, newest first. */
export const recentActivity: List = async (asker, args, view) => {
  const { entries, next } = await asker.activity.recent(view.period, request(args, view, eventPosition))
  const events = entries.map(({ at, user, page, outcome, duration_ms }) => {
    return { at, user: shownUser(user), page, outcome, duration_ms }
  })
  return defined({ window: view.window, events, count: events.length, next_cursor: view.next(next) })
}
