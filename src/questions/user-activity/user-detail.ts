import { z } from 'zod'
import type { Asker } from '../asker.js'
import { defined } from '../defined.js'
import type { ActivityInput } from './activity-input.js'
import type { ActivityOutput } from './activity-output.js'
import type { ActivityView } from './activity-view.js'
import { namedUser, userOfCursor } from './named-user.js'

const position = userOfCursor.extend({ views: z.int(), page: z.string() })

/** What one user asked for. Of several with the name, the one seen last; the others are named beside it. */
export async function userDetail(asker: Asker, args: ActivityInput, view: ActivityView): Promise<ActivityOutput> {
  const { period, window } = view
  const after = view.after(position)
  const { user, did, said } = await namedUser(asker, args.user_email ?? '', view, after)
  if (did === undefined) return { window, ...said, requests: 0, pages: [], count: 0 }

  const pages = await asker.activity.pages(
    { ...period, user },
    { limit: args.limit, ...(after === undefined ? {} : { after: { views: after.views, page: after.page } }) },
  )
  const { kind, credential_id } = user
  return defined({
    window,
    ...said,
    requests: did.requests,
    first_seen: did.first_seen,
    last_seen: did.last_seen,
    pages: pages.entries.map(({ page, views }) => ({ page, views })),
    count: pages.entries.length,
    next_cursor: view.next(pages.next && { kind, credential_id, ...pages.next }),
  })
}
