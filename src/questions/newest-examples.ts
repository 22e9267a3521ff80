import { Temporal } from 'temporal-polyfill'
import { z } from 'zod'
import type { Document, TimeSpan } from '../pipeline/index.js'
import type { Asker } from './asker.js'
import { byMonth } from './by-month.js'
import { type CallsOf, conditionsOf, spansOf, timeFilter } from './counted.js'
import { eachOf, isOf, type Kind, readBy } from './kinds.js'
import { newestTimes } from './newest-times.js'
import { readDocuments } from './read-document.js'
import { commonTime } from './settled.js'

/** Values of a kind that examples are wanted of, and how many calls each is of. Each kind is wanted once. */
export interface Wanted {
  readonly kind: Kind
  readonly of: readonly { readonly id: unknown; readonly calls: number }[]
}

/** Sessions that show a value of a kind, newest first; undefined where none are asked for. */
export type Examples = (kind: Kind, id: unknown) => string[] | undefined

/** Finds examples of values of several kinds. */
export type FindExamples = (wanted: readonly Wanted[]) => Promise<Examples>

/**
 * Calls in which examples are looked for first. What is common has some among the newest calls, and those are its
 * newest; keeping the newest of every value of every call took ten times as long as counting them.
 */
const NEWEST_CALLS = 2_000

/** Values of a kind that are named from the start: the others of as many are more to read than the names are to compare. */
const MANY_VALUES = 50

/** Most different values that are read. */
const MOST_VALUES = 100_000

/** Times of few calls that are looked through one after the other: of more, what lies between them is too. */
const MOST_TIMES = 8

const row = z.object({ _id: z.unknown(), examples: z.array(z.string()) })

/** The newest of a group, so that they are likely still remembered. */
const newest = (n: number) => ({ $topN: { n, sortBy: { created_dt: -1, _id: 1 }, output: '$_id' } })

/** The stages that group calls by a kind, with examples. @param narrowed filters for some of its values */
function grouped(kind: Kind, most: number, narrowed: readonly object[]): readonly object[] {
  return [
    { $match: { $and: isOf(kind) } },
    { $project: { created_dt: 1, ...readBy(kind) } },
    // Before unwinding a list the same filter means any of its elements.
    ...narrowed,
    ...(kind.unwind === undefined ? [] : [...eachOf(kind), ...narrowed]),
    { $group: { _id: kind.by, examples: newest(most) } },
  ]
}

/** A filter for many values of a kind. */
const namedOf = ({ kind, of }: Wanted): readonly object[] =>
  of.length > MANY_VALUES ? [{ $match: kind.among(of.map(({ id }) => id)) }] : []

/**
 * Begins to look for examples among some calls, with what does not hang on the values that they are wanted of.
 * @param most examples of each value, 0–3
 * @param months the months of these calls, where they are asked for anyway
 */
export function examplesAmong(
  asker: Asker,
  calls: CallsOf,
  most: number,
  months?: Promise<readonly Document[]>,
): FindExamples {
  if (most === 0) return () => Promise.resolve(() => undefined)
  const since = newestSince(asker, calls, months ?? byMonth(asker, calls))
  // Nobody waits for it where something else has failed before.
  since.catch(() => undefined)
  return wanted => newestExamples(asker, calls, wanted, { most, since })
}

/**
 * Examples of values of several kinds: the newest calls are looked through for all of them together. What is rarer than that is looked
 * for in the days that counts have it on, and where they do not say, in all.
 */
async function newestExamples(
  asker: Asker,
  calls: CallsOf,
  wanted: readonly Wanted[],
  begun: { readonly most: number; readonly since: Promise<Date> },
): Promise<Examples> {
  const { most } = begun
  const conditions = conditionsOf(calls)
  const found = new Map<string, string[]>()
  const keyOf = ({ name }: Kind, id: unknown) => `${name} ${JSON.stringify(id)}`
  const of = (kind: Kind, id: unknown) => found.get(keyOf(kind, id)) ?? []
  const find = async (kind: Kind, among: readonly object[], narrowed: readonly object[]) => {
    const stages = [{ $match: { $and: among } }, ...grouped(kind, most, narrowed)]
    return readDocuments(row, await asker.ask(stages, { maxDocuments: MOST_VALUES }))
  }
  /** Adds what is older than what was found. */
  const add = (kind: Kind, rows: readonly z.infer<typeof row>[]) => {
    for (const { _id, examples } of rows) {
      const known = of(kind, _id)
      found.set(keyOf(kind, _id), [...known, ...examples.filter(id => !known.includes(id))].slice(0, most))
    }
  }
  const all = wanted.filter(one => one.of.length > 0)
  if (all.length === 0) return () => []
  const since = await begun.since
  // To the end of a day, as counts are by days: those of days that are over are mostly known.
  const before = dayAfter(since, asker.project.timezone)
  const olderDays = spansOf(calls).flatMap(span => commonTime(span, { before }) ?? [])
  // One statement for all kinds: how many the engine passes over to reach the newest calls grows with all there are.
  const documents = await asker.ask([
    { $match: { $and: [...conditions, { created_dt: { $gte: since } }] } },
    { $facet: Object.fromEntries(all.map((one, at) => [at, grouped(one.kind, most, namedOf(one))])) },
  ])
  const [newestBy] = readDocuments(z.record(z.string(), z.array(row)), documents)
  for (const [at, { kind }] of all.entries()) add(kind, newestBy?.[at] ?? [])
  const rareOf = ({ kind, of: values }: Wanted) =>
    values.filter(({ id, calls: there }) => of(kind, id).length < Math.min(most, there))
  // Counts don't tell apart what agents have.
  const countsTell = (calls.agents ?? []).length === 0
  const counted = all.flatMap(one => {
    const rare = rareOf(one)
    const { counts } = one.kind
    return countsTell && rare.length > 0 && counts !== undefined ? [{ kind: one.kind, counts, rare }] : []
  })
  const times = await newestTimes(
    asker,
    { ...calls, spans: olderDays },
    counted.map(({ counts, rare }) => ({ counts, of: rare.map(({ id }) => ({ id, least: most })) })),
  )
  await Promise.all(
    counted.map(async ({ kind, rare }, at) => {
      const narrowed = [{ $match: kind.among(rare.map(({ id }) => id)) }]
      const older = { created_dt: { $lt: since } }
      const looked = await Promise.all(
        joined(times[at]!).map(time => find(kind, [...conditions, older, timeFilter(time)], narrowed)),
      )
      for (const rows of looked.toReversed()) add(kind, rows)
    }),
  )
  await Promise.all(
    all.map(async one => {
      const { kind } = one
      const missing = rareOf(one)
      if (missing.length === 0) return
      for (const { id } of missing) found.delete(keyOf(kind, id))
      add(kind, await find(kind, conditions, [{ $match: kind.among(missing.map(({ id }) => id)) }]))
    }),
  )
  return (kind, id) => of(kind, id)
}

/** As many times as are looked through, with what lies between the others. @param times in order */
function joined(times: readonly TimeSpan[]): readonly TimeSpan[] {
  const [first, last] = [times[0], times.at(-1)]
  if (times.length <= MOST_TIMES || first === undefined || last === undefined) return times
  return [{ ...last, ...(first.from !== undefined && { from: first.from }) }]
}

/** When the day after that of an instant begins. */
const dayAfter = (at: Date, timeZone: string) =>
  new Date(
    Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone).startOfDay().add({ days: 1 })
      .epochMilliseconds,
  )

const monthRow = z.object({ calls: z.int(), first: z.date(), last: z.date() })
const sinceRow = z.object({ since: z.date(), calls: z.int() })

/** An instant before which none of the newest calls was: months have enough, and the last of them are looked at. */
async function newestSince(asker: Asker, calls: CallsOf, months: Promise<readonly Document[]>): Promise<Date> {
  const newestFirst = readDocuments(monthRow, await months).toReversed()
  let left = NEWEST_CALLS
  let from = new Date(0)
  for (const month of newestFirst) {
    from = month.first
    left -= month.calls
    if (left <= 0) break
  }
  const newestOf = async (at: Date) => {
    const documents = await asker.ask([
      { $match: { $and: [...conditionsOf(calls), { created_dt: { $gte: at } }] } },
      { $project: { created_dt: 1 } },
      { $sort: { created_dt: -1 } },
      { $limit: NEWEST_CALLS },
      { $group: { _id: null, since: { $min: '$created_dt' }, calls: { $sum: 1 } } },
    ])
    return readDocuments(sinceRow, documents)[0]
  }
  const last = lastDays(newestFirst[0])
  if (last !== undefined && last > from) {
    const newest = await newestOf(last)
    if (newest?.calls === NEWEST_CALLS) return newest.since
  }
  // Without a call now, one that came since may be found all the same.
  return (await newestOf(from))?.since ?? new Date(0)
}

/** The last part of a month of many calls that has twice as many as wanted, if they are spread evenly. */
function lastDays(month: z.infer<typeof monthRow> | undefined): Date | undefined {
  if (month === undefined) return undefined
  const [first, last] = [month.first.getTime(), month.last.getTime()]
  return new Date(last - (last - first) * ((2 * NEWEST_CALLS) / month.calls))
}
