import { z } from 'zod'
import { Problem } from '../../base/problem.js'
import { type DateRange, isoInstant, readRange } from '../../base/window.js'
import type { ActivityPeriod } from '../activity-reader.js'
import type { Asker } from '../asker.js'
import { defined } from '../defined.js'
import type { ActivityInput } from './activity-input.js'
import type { ActivityOutput } from './activity-output.js'

const QUESTION = 'query_user_activity'

const place = z.strictObject({ up_to: z.int(), now: z.int(), after: z.unknown() })

/** What one page of an answer is over. */
export interface ActivityView {
  readonly period: ActivityPeriod
  readonly window: ActivityOutput['window']
  /** First and last instant covered, milliseconds since 1970, never later than now; undefined when there is none. */
  readonly covered: { readonly from: number; readonly to: number } | undefined
  /** Where this page goes on, as the page before sealed it. @throws Problem when it is of another kind */
  after<T>(schema: z.ZodType<T>): T | undefined
  /** The cursor of the next page. */
  next(position: unknown): string | undefined
}

/**
 * Resolves period and cursor. A cursor holds the number of the last event of its first page and that page's now: people
 * go on asking while someone turns pages.
 */
export async function activityView(asker: Asker, args: ActivityInput): Promise<ActivityView> {
  const { cursor, ...query } = args
  const opened = cursor === undefined ? undefined : place.safeParse(asker.cursors.open(QUESTION, query, cursor))
  if (opened?.success === false) throw belongsElsewhere()
  const upTo = await asker.activity.upToDate()
  const { up_to, now, after } = opened?.data ?? { up_to: upTo, now: asker.now, after: undefined }

  const zone = asker.project.timezone
  const range: DateRange = readRange(args.start_date, args.end_date, ['start_date', 'end_date'], {
    timeZone: zone,
    now: asker.now,
  })
  const period: ActivityPeriod = defined({ from: range.from, until: range.until, upTo: up_to })
  const from = range.from ?? (await firstEvent(asker, period))
  const last = range.until === undefined ? now : range.until - 1
  const to = Math.min(last, now)
  return {
    period,
    window: defined({ from: from === undefined ? undefined : isoInstant(from), to: isoInstant(last), time_zone: zone }),
    covered: from === undefined || from > to ? undefined : { from, to },
    after: schema => {
      if (after === undefined) return undefined
      const position = schema.safeParse(after)
      if (!position.success) throw belongsElsewhere()
      return position.data
    },
    next: position =>
      position === undefined ? undefined : asker.cursors.seal(QUESTION, query, { up_to, now, after: position }),
  }
}

async function firstEvent(asker: Asker, period: ActivityPeriod): Promise<number | undefined> {
  const { first_seen: first } = await asker.activity.summary(period)
  return first === undefined ? undefined : Date.parse(first)
}

function belongsElsewhere(): Problem {
  return new Problem('invalid_input', 'Cursor belongs to another query')
}
