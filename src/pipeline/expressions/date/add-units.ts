import { addMonths } from './calendar.js'
import { fromLocal, toLocal } from './time-zone.js'
import { DAYS, DAY_MS, FIXED_MS, MONTHS, type Unit } from './units.js'

/**
 * A date so many units later, no valid one where that leaves the dates there are. Months are cut to their last day; from
 * days on the time of day in the zone stays the same across changes of the clock.
 */
export function addUnits(date: Date, unit: Unit, amount: number, zone: string): Date {
  const fixed = FIXED_MS[unit]
  if (fixed !== undefined) return new Date(date.getTime() + amount * fixed)
  const local = toLocal(date, zone)
  const months = MONTHS[unit]
  if (months !== undefined) return fromLocal(addMonths(local, amount * months), zone)
  return fromLocal(new Date(local.getTime() + amount * (DAYS[unit] ?? 0) * DAY_MS), zone)
}
