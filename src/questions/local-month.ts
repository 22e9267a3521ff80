import { Temporal } from 'temporal-polyfill'

/** The month of an instant in a time zone: `2026-03`. */
export function localMonth(date: Date, timeZone: string): string {
  const local = Temporal.Instant.fromEpochMilliseconds(date.getTime()).toZonedDateTimeISO(timeZone)
  return local.toPlainDate().toPlainYearMonth().toString()
}
