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
      'Whose activity, for user_detail: the e-mail of an administrator, or the name or key_id of a key',
    ).optional(),
    start_date: bound('Earliest request, included'),
    end_date: bound('Latest request, included (a date covers that whole day)'),
    limit: limit(50, 100),
    cursor,
  })
  .superRefine(({ query_type: type, user_email: user }, context) => {
    const wanted = type === 'user_detail'
    if (wanted === (user !== undefined)) return
    const message = wanted ? 'is required for user_detail' : 'is only for user_detail'
    context.addIssue({ code: 'custom', path: ['user_email'], message })
  })

export type ActivityInput = z.output<typeof activityInput>
