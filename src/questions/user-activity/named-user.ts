import { z } from 'zod'
import { Problem } from '../../base/problem.js'
import { echo } from '../../base/text.js'
import type { ActivityUser, UserActivity } from '../../store/activity-store.js'
import type { Asker } from '../asker.js'
import { defined } from '../defined.js'
import { type ActivityOutput, shownActivity, shownUser } from './activity-output.js'
import type { ActivityView } from './activity-view.js'

/** Whose list goes on: the name alone may mean someone else by then. */
export const userOfCursor = z.strictObject({ kind: z.enum(['application_key', 'admin']), credential_id: z.string() })

interface NamedUser {
  readonly user: ActivityUser
  /** What they did in the period; undefined: nothing. */
  readonly did: UserActivity | undefined
  /** Who is meant, as an answer says it, and who else may have been. */
  readonly said: Pick<ActivityOutput, 'user' | 'same_name'>
}

/**
 * Who is meant by a name or an id: of several with the name, the one seen last in the period.
 * @param on whose list goes on
 * @throws Problem `not_found` for whoever never appears, in no period
 */
export async function namedUser(
  asker: Asker,
  name: string,
  { period }: ActivityView,
  on: z.output<typeof userOfCursor> | undefined,
): Promise<NamedUser> {
  const found = await asker.activity.usersNamed(period, name)
  const did =
    on === undefined
      ? found[0]
      : found.find(({ user }) => user.kind === on.kind && user.credential_id === on.credential_id)
  if (did !== undefined) {
    const { user } = did
    const others = found.filter(other => other !== did).map(shownActivity)
    return {
      user,
      did,
      said: defined({ user: shownUser(user), same_name: others.length === 0 ? undefined : others }),
    }
  }
  const [ever] = await asker.activity.usersNamed(defined({ upTo: period.upTo }), name)
  if (ever === undefined)
    throw new Problem('not_found', `User not found: ${echo(name)}; query_type active_users lists them`)
  return { user: ever.user, did: undefined, said: { user: shownUser(ever.user) } }
}
