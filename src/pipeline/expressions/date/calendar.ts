import { DAY_MS } from './units.js'

/** Whole days since 1970 of a local time. */
export const dayNumber = (local: Date): number => Math.floor(local.getTime() / DAY_MS)

/** Months since the year 0. */
export const monthNumber = (local: Date): number => local.getUTCFullYear() * 12 + local.getUTCMonth()

/** ISO day of the week: Monday is 1. */
export const isoDay = (local: Date): number => ((local.getUTCDay() + 6) % 7) + 1

/** Day of the year, from 1. */
export function dayOfYear(local: Date): number {
  return dayNumber(local) - dayNumber(new Date(startOfMonth(local.getUTCFullYear() * 12))) + 1
}

/** The first instant of a month, counted from the year 0. Date.UTC would take years below 100 for those after 1900. */
export function startOfMonth(month: number): number {
  const date = new Date(0)
  date.setUTCFullYear(Math.floor(month / 12), ((month % 12) + 12) % 12, 1)
  return date.getTime()
}

/** ISO 8601 week and the year it belongs to: the week of a Thursday. */
export function isoWeek(local: Date): { readonly week: number; readonly year: number } {
  const thursday = new Date((dayNumber(local) + 4 - isoDay(local)) * DAY_MS)
  return { week: Math.floor((dayOfYear(thursday) - 1) / 7) + 1, year: thursday.getUTCFullYear() }
}

/** Week of the year from Sunday on, 0–53: 0 before the first Sunday. */
export function sundayWeek(local: Date): number {
  return Math.floor((dayOfYear(local) + 6 - local.getUTCDay()) / 7)
}

/** A local time some months later, its day cut to the month's last. */
export function addMonths(local: Date, months: number): Date {
  const month = monthNumber(local) + months
  const start = startOfMonth(month)
  const days = Math.round((startOfMonth(month + 1) - start) / DAY_MS)
  const day = Math.min(local.getUTCDate(), days)
  const inDay = local.getTime() - dayNumber(local) * DAY_MS
  return new Date(start + (day - 1) * DAY_MS + inDay)
}
