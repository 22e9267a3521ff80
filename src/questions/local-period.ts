import { Temporal } from 'temporal-polyfill'

/** The local day (`2026-03-01`), ISO week (`2026-W10`) or month (`2026-03`) that an instant falls into. */
export function localPeriod(date: Date, unit: 'day' | 'week' | 'month', timeZone: string): string {
  const day = Temporal.Instant.fromEpochMilliseconds(date.getTime()).toZonedDateTimeISO(timeZone).toPlainDate()
  switch (unit) {
    case 'day':
      return day.toString()
    case 'week':
      return `${day.yearOfWeek}-W${String(day.weekOfYear).padStart(2, '0')}`
    case 'month':
      return day.toPlainYearMonth().toString()
  }
}
