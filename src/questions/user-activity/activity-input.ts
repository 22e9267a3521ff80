import { z } from 'zod'
import { cursor, exactName, limit } from '../arguments.js'

const form = 'A date such as 2026-03-01 (in the project’s time zone) or a date-time with an offset'
const bound = (what: string) =>
  z
    .string()
    .min(1)
    .max(64)
    .optional()
    .meta({ description: `${what}. ${form}` })

export const activityInput = z
  .strictObject({
    query_type: z.enum(['summary', 'user_detail', 'active_users', 'page_views', 'recent_activity']).meta({
      description:
        'summary: totals and who is most active; user_detail: one user; active_users: all users; page_views: what is asked for; recent_activity: single requests, newest first',
    }),
    user_email: exactName(
      'Whose, for user_detail and recent_activity: the e-mail of an administrator, or a key’s name or key_id',
    ).optional(),
    start_date: bound('Earliest request, included'),
    end_date: bound('Latest request, included (a date covers that whole day)'),
    limit: limit(50, 100),
    cursor,
  })
  .superRefine(({ query_type: type, user_email: user }, context) => {
    const isNeeded = type === 'user_detail' && user === undefined
    const isForNothing = user !== undefined && type !== 'user_detail' && type !== 'recent_activity'
    if (!isNeeded && !isForNothing) return
    const message = isNeeded ? 'is required for user_detail' : 'is only for user_detail and recent_activity'
    context.addIssue({ code: 'custom', path: ['user_email'], message })
  })

export type ActivityInput = z.output<typeof activityInput>
