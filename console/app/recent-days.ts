import type { Answer } from '../client/questions.js'
import { addDays, dateIn } from '../look/format.js'

/** Whole days of the project's calendar, as 2026-03-01, both included. */
export interface Days {
  readonly from: string
  readonly to: string
}

export interface RecentDays extends Days {
  readonly before: Days
  /** They do not end yesterday: the newest calls are older. */
  readonly isPast: boolean
}

/** The newest whole days and as many before them; of calls that were imported long after they were made, the newest there are. */
export function recentDays({ project, volume }: Answer<'get_project_context'>, days: number): RecentDays {
  const { today, timezone } = project
  const dayOf = (iso: string | undefined) => (iso === undefined ? today : dateIn(iso, timezone))
  const isPast = dayOf(volume.last_call) < addDays(today, -days)
  const isNew = dayOf(volume.first_call) >= today
  const to = isPast ? dayOf(volume.last_call) : isNew ? today : addDays(today, -1)
  const from = addDays(to, 1 - days)
  return { from, to, before: { from: addDays(from, -days), to: addDays(from, -1) }, isPast }
}
