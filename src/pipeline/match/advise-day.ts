import { Temporal } from 'temporal-polyfill'
import { DAY } from '../../base/day-in.js'
import { echo } from '../../base/text.js'
import { advise } from '../advise.js'
import type { Comparison } from './compare-sql.js'
import type { LeafContext } from './leaf-operator.js'

/**
 * Advises about a day beside a date: a filter takes it for the day's first instant, in UTC. Who asks for calls up to a day
 * or on a day, or for days of another zone, means other calls.
 */
export function adviseDay(op: Comparison, argument: unknown, { isDate, parse }: LeafContext): void {
  if (!isDate || parse.shape === undefined || typeof argument !== 'string' || !DAY.test(argument)) return
  const day = dayOf(argument)
  if (day === undefined) return
  const next = echo(day.add({ days: 1 }).toString())
  const meant =
    op === '<=' ? `{"$lt": ${next}}` : op === '=' ? `{"$gte": ${echo(argument)}, "$lt": ${next}}` : undefined
  if (meant !== undefined)
    advise(parse, `${echo(argument)} is the first instant of that day; the whole day is ${meant}`)
  const { timeZone } = parse
  if (timeZone === undefined) return
  const start = day.toZonedDateTime(timeZone)
  if (start.offsetNanoseconds === 0) return
  const written = start.toString({ timeZoneName: 'never', smallestUnit: 'second' })
  advise(
    parse,
    'a date without a time is midnight UTC',
    `; in ${timeZone}, by which other tools cut days, ${argument} begins at ${echo(written)}`,
  )
}

function dayOf(text: string): Temporal.PlainDate | undefined {
  try {
    return Temporal.PlainDate.from(text)
  } catch {
    return undefined
  }
}
