import { Temporal } from 'temporal-polyfill'
import type { CountedDay } from '../../counted-parts.js'
import { blockOfDay, type DayBlock } from '../../day-blocks.js'
import type { MongoDatabase } from '../mongodb-database.js'
import type { ListableDays } from './listed-days.js'

/** Calls that are counted together, or those of a day: some seconds of a thread's work. */
const CALLS_AT_ONCE = 10_000
/** Longest row of days that is counted together; and most days without calls behind a counted one that are counted as none. */
const MOST_DAYS = 31

type Day = Temporal.PlainDate

const dayOf = (ms: number, timeZone: string): Day =>
  Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timeZone).toPlainDate()
const asUtc = (day: Day) => day.toZonedDateTime('UTC').epochMilliseconds
const startOf = (day: Day, timeZone: string) => day.toZonedDateTime(timeZone).epochMilliseconds
const daysFrom = (first: Day, last: Day) => first.until(last, { largestUnit: 'days' }).days
const earlier = (a: Day, b: Day): Day => (Temporal.PlainDate.compare(a, b) <= 0 ? a : b)

/** From when until when days in a row are in a zone. */
export function timeOf({ first, last }: Pick<DayBlock, 'first' | 'last'>, timeZone: string) {
  const next = dayOf(last, 'UTC').add({ days: 1 })
  return { from: startOf(dayOf(first, 'UTC'), timeZone), until: startOf(next, timeZone) }
}

const daysOf = (first: Day, last: Day, timeZone: string): readonly ListableDays[] =>
  Array.from({ length: daysFrom(first, last) + 1 }, (_, n) => asUtc(first.add({ days: n })))
    .map(day => ({ day, block: blockOfDay(day), ...timeOf({ first: day, last: day }, timeZone) }))
    // A zone may leave one out.
    .filter(day => day.from < day.until)

interface Asked {
  readonly projectId: string
  readonly timeZone: string
  /** Days that are counted, in order. */
  readonly counted: readonly CountedDay[]
  /** Only days from an instant on. */
  readonly from: number
}

/**
 * The next days to count: the oldest that hold calls and are not counted, with those without calls between them, as many as are counted
 * together. Only a plan: what is counted is right whatever days are chosen.
 */
export async function nextDays(
  facts: ReturnType<typeof MongoDatabase.prototype.reading>,
  { projectId, timeZone, counted, from }: Asked,
): Promise<readonly ListableDays[] | undefined> {
  const within = (low: number, high: number) => ({
    project_id: projectId,
    created_dt: {
      ...(Number.isFinite(low) && { $gte: new Date(low) }),
      ...(Number.isFinite(high) && { $lt: new Date(high) }),
    },
  })
  const outermost = async (low: number, high: number, order: 1 | -1): Promise<Day | undefined> => {
    const range = within(low, high)
    const filter = Object.keys(range.created_dt).length === 0 ? { project_id: projectId } : range
    const found = await facts.findOne(filter, { sort: { created_dt: order }, projection: { created_dt: 1 } })
    return found === null ? undefined : dayOf((found['created_dt'] as Date).getTime(), timeZone)
  }
  for (let i = 0; i <= counted.length; i += 1) {
    const [after, before] = [counted[i - 1], counted[i]]
    const [low, high] = [Math.max(after?.until ?? -Infinity, from), before?.from ?? Infinity]
    if (low >= high) continue
    // oxlint-disable no-await-in-loop -- the oldest first
    const oldest = await outermost(low, high, 1)
    const behind = after?.until === low ? dayOf(after.day, 'UTC').add({ days: 1 }) : undefined
    const next = before && dayOf(before.day, 'UTC')
    if (oldest === undefined) {
      // Days whose calls are all gone are counted as none: days follow one another, and what is added up of them is whole.
      if (behind === undefined || next === undefined || daysFrom(behind, next) >= MOST_DAYS) continue
      return daysOf(behind, next.subtract({ days: 1 }), timeZone)
    }
    const first = behind !== undefined && daysFrom(behind, oldest) < MOST_DAYS ? behind : oldest
    const furthest = oldest.add({ days: MOST_DAYS - 1 })
    const end = next === undefined ? furthest : earlier(furthest, next.subtract({ days: 1 }))
    let last = (await outermost(low, Math.min(high, startOf(end.add({ days: 1 }), timeZone)), -1)) ?? oldest
    for (;;) {
      const length = daysFrom(oldest, last)
      if (length <= 0) break
      const range = within(startOf(oldest, timeZone), startOf(last.add({ days: 1 }), timeZone))
      if ((await facts.countDocuments(range, { limit: CALLS_AT_ONCE + 1 })) <= CALLS_AT_ONCE) break
      last = oldest.add({ days: length >> 1 })
    }
    // oxlint-enable no-await-in-loop
    return daysOf(first, last, timeZone)
  }
  return undefined
}
