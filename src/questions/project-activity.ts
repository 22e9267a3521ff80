import { setTimeout } from 'node:timers/promises'
import { endedBy, Problem } from '../base/problem.js'
import type { ActivityStore } from '../store/activity-store.js'
import type { TimeLeft } from '../store/deadline.js'
import type { ActivityReader } from './activity-reader.js'

interface ActivityParts {
  readonly store: ActivityStore
  /** Copies what the audit trail holds by now into the store. */
  readonly catchUp: () => Promise<void>
}

/**
 * The activity of one project.
 * @param left what is left of the answer's time, at each read anew
 */
export function projectActivity(
  { store, catchUp }: ActivityParts,
  projectId: string,
  left: () => TimeLeft,
): ActivityReader {
  const bound = <T extends object>(period: T) => ({ ...period, projectId })
  return {
    upToDate: async () => {
      await inTime(catchUp(), left())
      return await store.pin()
    },
    summary: period => store.summary(bound(period), left()),
    users: (period, page) => store.users(bound(period), page, left()),
    usersNamed: (period, name) => store.usersNamed(bound(period), name, left()),
    pages: (period, page) => store.pages(bound(period), page, left()),
    recent: (period, page) => store.recent(bound(period), page, left()),
  }
}

/** The copying goes on when nobody waits for it any more: others profit. */
async function inTime(work: Promise<void>, { deadlineMs, signal }: TimeLeft): Promise<void> {
  const done = new AbortController()
  const late = setTimeout(deadlineMs, undefined, {
    signal: signal === undefined ? done.signal : AbortSignal.any([done.signal, signal]),
    ref: false,
  }).then(
    () => {
      throw new Problem('busy', 'The audit trail is still being read; try again in 5 s', { retryAfter: 5 })
    },
    () => {
      throw endedBy(signal)
    },
  )
  try {
    await Promise.race([work, late])
  } finally {
    // The timer's rejection comes after the race is over, where nobody listens.
    late.catch(() => undefined)
    done.abort()
  }
}
