import { Temporal } from 'temporal-polyfill'
import type { Asker } from '../asker.js'
import { defined } from '../defined.js'
import { type ActivityOutput, shownActivity } from './activity-output.js'
import type { ActivityView } from './activity-view.js'

const MOST_ACTIVE = 10

/** Totals of a period, and who asked most. */
export async function activitySummary(asker: Asker, view: ActivityView): Promise<ActivityOutput> {
  const [{ users, requests }, most] = await Promise.all([
    asker.activity.summary(view.period),
    asker.activity.users(view.period, { limit: MOST_ACTIVE }),
  ])
  const days = daysOf(view, asker.project.timezone)
  return defined({
    window: view.window,
    users,
    requests,
    days,
    average_daily_requests: days === 0 ? undefined : requests / days,
    most_active: most.entries.map(shownActivity),
  })
}

/** Local days that the period touches; those to come don't count. */
function daysOf({ covered }: ActivityView, zone: string): number {
  if (covered === undefined) return 0
  const day = (instant: number) =>
    Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone).toPlainDate()
  return day(covered.to).since(day(covered.from)).days + 1
}
