import { Temporal } from 'temporal-polyfill'

/** A day as texts write it, whether or not there is one of the name. */
export const DAY = /^\d{4}-\d{2}-\d{2}$/

/** The day it is in a time zone. */
export function dayIn(now: number, timeZone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone).toPlainDate().toString()
}

/** The same with the zone, for sentences: who asks may not know either. */
export const todayIn = (now: number, timeZone: string) => `${dayIn(now, timeZone)} (${timeZone})`
