import { z } from 'zod'
import type { ActivityUser, UserActivity } from '../../store/activity-store.js'
import { windowSchema } from '../window.js'
import { figure } from '../figure.js'

const user = z
  .strictObject({
    name: z.string().meta({ description: 'Name of the key or e-mail of the administrator' }),
    kind: z.enum(['application_key', 'admin']),
    key_id: z.string().meta({ description: 'key_id of the key or subject of the administrator' }),
  })
  .meta({ description: 'Who asked' })

const activeUser = z.strictObject({ user, requests: z.int(), last_seen: z.string() })

/** One object for all five types of query: a tool has one output schema, and clients want it to be an object. */
export const activityOutput = z.strictObject({
  window: windowSchema,
  users: z
    .union([z.int(), z.array(activeUser)])
    .optional()
    .meta({ description: 'summary: how many; active_users: which, most requests first' }),
  requests: z.int().optional(),
  days: z.int().optional().meta({ description: 'Days of the window up to now' }),
  average_daily_requests: figure.optional().meta({ description: 'Requests over days' }),
  most_active: z.array(activeUser).optional().meta({ description: 'The 10 users with most requests' }),
  user: user.optional(),
  same_name: z
    .array(activeUser)
    .optional()
    .meta({ description: 'Others with the name asked for; ask for one with its key_id as user_email' }),
  first_seen: z.string().optional(),
  last_seen: z.string().optional(),
  pages: z
    .array(z.strictObject({ page: z.string(), views: z.int(), users: z.int().optional() }))
    .optional()
    .meta({ description: 'Tools, routes and resources asked for, most views first' }),
  events: z
    .array(
      z.strictObject({
        at: z.string(),
        user,
        page: z.string(),
        outcome: z.enum(['ok', 'refused', 'error']),
        duration_ms: z.number(),
      }),
    )
    .optional(),
  count: z.int().optional().meta({ description: 'Entries on this page' }),
  next_cursor: z.string().optional(),
})

export type ActivityOutput = z.input<typeof activityOutput>

/** A user as answers show it. */
export function shownUser({ name, kind, credential_id }: ActivityUser): z.infer<typeof user> {
  return { name, kind, key_id: credential_id }
}

/** A user with what it did, as lists show it. */
export function shownActivity({ user: who, requests, last_seen }: UserActivity): z.infer<typeof activeUser> {
  return { user: shownUser(who), requests, last_seen }
}
