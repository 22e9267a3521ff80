import { z } from 'zod'
import { Problem } from '../../base/problem.js'
import { echo } from '../../base/text.js'
import type { Asker } from '../asker.js'
import { defined } from '../defined.js'
import type { ActivityInput } from './activity-input.js'
import { type ActivityOutput, shownActivity, shownUser } from './activity-output.js'
import type { ActivityView } from './activity-view.js'

/** Whose pages go on, and where: the name alone may mean someone else by then. */
const position = z.strictObject({
  kind: z.enum(['application_key', 'admin']),
  credential_id: z.string(),
  views: z.int(),
  page: z.string(),
})

/** What one user asked for. Of several with the name, the one seen last; the others are named beside it. */
export async function userDetail(asker: Asker, args: ActivityInput, view: ActivityView): Promise<ActivityOutput> {
  const { period, window } = view
  const name = args.user_email ?? ''
  const after = view.after(position)
  const found = await asker.activity.usersNamed(period, name)
  const one =
    after === undefined
      ? found[0]
      : found.find(({ user }) => user.kind === after.kind && user.credential_id === after.credential_id)
  if (one === undefined) return await withoutRequests(asker, name, view)

  const { user } = one
  const pages = await asker.activity.pages(
    { ...period, user },
    { limit: args.limit, ...(after === undefined ? {} : { after: { views: after.views, page: after.page } }) },
  )
  const { kind, credential_id } = user
  const others = found.filter(other => other !== one).map(shownActivity)
  return defined({
    window,
    user: shownUser(user),
    same_name: others.length === 0 ? undefined : others,
    requests: one.requests,
    first_seen: one.first_seen,
    last_seen: one.last_seen,
    pages: pages.entries.map(({ page, views }) => ({ page, views })),
    count: pages.entries.length,
    next_cursor: view.next(pages.next && { kind, credential_id, ...pages.next }),
  })
}

/** A user who did nothing in the period, but did at other times. Whoever never appears reads as not there. */
async function withoutRequests(asker: Asker, name: string, { period, window }: ActivityView): Promise<ActivityOutput> {
  const [ever] = await asker.activity.usersNamed(defined({ upTo: period.upTo }), name)
  if (ever === undefined)
    throw new Problem('not_found', `User not found: ${echo(name)}; query_type active_users lists them`)
  return { window, user: shownUser(ever.user), requests: 0, pages: [], count: 0 }
}
