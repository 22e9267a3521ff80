import type { Random } from './random.js'

const HOUR_MS = 3_600_000
/** Share of calls by hour of the day (UTC) and by day of the week, from Sunday. */
const HOURS = [0, 0, 0, 0, 0, 0, 0, 1, 4, 8, 10, 9, 7, 8, 9, 9, 8, 6, 4, 2, 1, 0, 0, 0]
const WEEKDAYS = [0.2, 1.25, 1.1, 1, 1, 1.05, 0.45]

/**
 * The start times of calls, in order, spread over the days before `end` as a call centre's are: by the hour and the
 * weekday. In order without sorting, so that a million calls need no memory.
 */
export function* timeline(calls: number, days: number, end: number, random: Random): Generator<number> {
  const first = end - days * 24 * HOUR_MS
  const weightOf = (slot: number): number => {
    const at = new Date(first + slot * HOUR_MS)
    return (HOURS[at.getUTCHours()] ?? 0) * (WEEKDAYS[at.getUTCDay()] ?? 0)
  }
  let total = 0
  for (let slot = 0; slot < days * 24; slot += 1) total += weightOf(slot)
  let slot = 0
  let weight = weightOf(0)
  let passed = 0
  for (let call = 0; call < calls; call += 1) {
    const place = ((call + random.unit()) / calls) * total
    while (passed + weight <= place && slot < days * 24 - 1) {
      passed += weight
      slot += 1
      weight = weightOf(slot)
    }
    const part = weight === 0 ? 0 : Math.min(0.999_999, Math.max(0, (place - passed) / weight))
    yield Math.floor(first + (slot + part) * HOUR_MS)
  }
}
