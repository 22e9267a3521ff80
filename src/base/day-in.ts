import { Temporal } from 'temporal-polyfill'

/** The day it is in a time zone. */
export function dayIn(now: number, timeZone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone).toPlainDate().toString()
}

/** The same with the zone, for sentences: who asks may not know either. */
export const todayIn = (now: number, timeZone: string) => `${dayIn(now, timeZone)} (${timeZone})`
