import type { Filter } from 'mongodb'
import { firstPlace } from '../../../base/first-place.js'
import type { TimeSpan } from '../../../pipeline/index.js'
import { liesIn } from '../../counted-parts.js'
import { type BlockKind, blockOfDay, type DayBlock } from '../../day-blocks.js'
import { type CallDocument, callsOf } from '../call-document.js'
import { type MongoDatabase, unlessTakenOver } from '../mongodb-database.js'
import { type ListableDays, type ListedDays, type RowDay, rowDay, rowDayOf } from './listed-days.js'

/**
 * counted: its counts are those of its calls. counting: they are being made. dirty: its calls were changed since, and its counts are
 * still to be taken away. Blocks of several days are summed and summing in place of the first two: a process of a version that knows days
 * alone reads neither, and takes them off with their days all the same, since whoever changes calls looks for times.
 */
type State = 'counted' | 'counting' | 'summed' | 'summing' | 'dirty'

/** A day of a project by the days of a zone, or a block of several. */
interface Entry {
  readonly _id: string
  readonly project_id: string
  readonly time_zone: string
  readonly day: RowDay
  /** Of several days. */
  readonly kind?: BlockKind
  readonly first_day?: Date
  readonly last_day?: Date
  readonly from: Date
  readonly until: Date
  readonly state: State
  readonly shape: number
  /** The number under which its counts are kept. */
  readonly counting: number
  readonly first?: Date
  readonly last?: Date
}

/** What rows of counts are found by. */
type Stale = Pick<Entry, '_id' | 'day' | 'counting'>

const COLLECTION = 'counted_days'

/** What is counted of a day: one more than before where anything came to it. Days that were counted otherwise are counted anew. */
const SHAPE = 3

/** Longer than any month is, in milliseconds. */
const LONGEST_MS = 32 * 86_400_000

const FIELDS = {
  day: 1,
  kind: 1,
  first_day: 1,
  last_day: 1,
  from: 1,
  until: 1,
  counting: 1,
  first: 1,
  last: 1,
} as const

/** Of counts that nobody made under a higher number: who stalled takes nothing away that another counted since. */
export const madeUpTo = (counting: number) => ({ counting: { $not: { $gt: counting } } })

/** A time, in milliseconds since 1970. */
interface Time {
  readonly from: number
  readonly until: number
}

/** That days have to do with a time. None is so long that those before the time would have to be looked through for it. */
const during = ({ from, until }: Time) => ({
  ...((Number.isFinite(from) || Number.isFinite(until)) && {
    from: {
      ...(Number.isFinite(from) && { $gt: new Date(from - LONGEST_MS) }),
      ...(Number.isFinite(until) && { $lt: new Date(until) }),
    },
  }),
  ...(Number.isFinite(from) && { until: { $gt: new Date(from) } }),
})

/** From the beginning of the first of some spans to the end of the last. */
const around = (spans: readonly TimeSpan[]): Time => ({
  from: Math.min(...spans.map(({ from }) => from?.getTime() ?? -Infinity)),
  until: Math.max(...spans.map(({ before }) => before?.getTime() ?? Infinity)),
})

/** What of a time is left between others, which come in order. */
function between({ from, until }: Time, others: readonly Time[]): readonly Time[] {
  const begins = [from, ...others.map(one => one.until)]
  const ends = [...others.map(one => one.from), until]
  return begins.flatMap((begin, i) => (begin < ends[i]! ? [{ from: begin, until: ends[i]! }] : []))
}

/**
 * The list of days, and of blocks of several, whose counts are those of their calls. Who changes calls takes those off it in which they are:
 * behind the note that the write is under way, and before the first call is touched. Who counts puts a day on it first, looks whether such a
 * note is there, reads the calls, and has it count only where nobody took it off meanwhile. So what is killed anywhere leaves days to be
 * counted, and none that is wrong. A block says what its calls add up to by itself, whether its days are on the list or not.
 */
export class DayList {
  readonly #database: MongoDatabase

  constructor(database: MongoDatabase) {
    this.#database = database
  }

  /** The days of a zone that are counted, in order; those alone that have to do with some spans, where these are given. */
  async counted(
    projectId: string,
    timeZone: string,
    spans: readonly TimeSpan[] = [{}],
  ): Promise<readonly ListedDays[]> {
    return await this.#find(projectId, timeZone, { state: 'counted', ...during(around(spans)) })
  }

  /** The blocks of several days that are summed, in order. */
  async summed(projectId: string, timeZone: string): Promise<readonly ListedDays[]> {
    return await this.#find(projectId, timeZone, { state: 'summed' })
  }

  /**
   * What has to do with some spans, in order, for whom days need not be told apart: months that lie in one of them, and of the times
   * between, days and smaller blocks. So of years few are read.
   */
  async countedOrSummed(
    projectId: string,
    timeZone: string,
    spans: readonly TimeSpan[],
  ): Promise<readonly ListedDays[]> {
    const time = around(spans)
    const months = (await this.#find(projectId, timeZone, { state: 'summed', kind: 'month', ...during(time) })).filter(
      month => spans.some(span => liesIn(span, month)),
    )
    const times = between(time, months)
    if (times.length === 0) return months
    const others = await this.#find(projectId, timeZone, {
      state: { $in: ['counted', 'summed'] },
      kind: { $ne: 'month' },
      ...(times.length === 1 ? during(times[0]!) : { $or: times.map(during) }),
    })
    return [...months, ...others].toSorted((a, b) => a.from - b.from)
  }

  /** Those of some days and blocks that are on the list. */
  async those(projectId: string, timeZone: string, blocks: readonly DayBlock[]): Promise<readonly ListedDays[]> {
    const ids = blocks.map(one => idOf(projectId, timeZone, rowDay(one)))
    return await this.#find(projectId, timeZone, { _id: { $in: ids }, state: { $in: ['counted', 'summed'] } })
  }

  /** Those of some that were on the list which are on it still, with the same counts. */
  async still<T extends ListedDays>(projectId: string, timeZone: string, some: readonly T[]): Promise<readonly T[]> {
    const found = await this.those(
      projectId,
      timeZone,
      some.map(({ block, day, last = day }) => ({ block, first: day, last })),
    )
    const countings = new Map(found.map(({ block, counting }) => [block, counting]))
    return some.filter(({ block, counting }) => countings.get(block) === counting)
  }

  /** Takes the days and blocks off the list in which calls are, and those in which they will be. */
  async mark(projectId: string, sessionIds: readonly string[], after: readonly CallDocument[] = []): Promise<void> {
    const isAny = await this.#reading.findOne({ project_id: projectId }, { projection: { _id: 1 } })
    if (isAny === null) return
    const before = await this.#database
      .reading('calls')
      .find(callsOf(projectId, sessionIds), { projection: { created_dt: 1 } })
      .toArray()
    const instants = [...before, ...after].map(call => (call['created_dt'] as Date).getTime()).toSorted((a, b) => a - b)
    const [least, most] = [instants[0], instants.at(-1)]
    if (least === undefined || most === undefined) return
    const entries = await this.#reading
      .find(
        { project_id: projectId, ...during({ from: least, until: most + 1 }) },
        { projection: { from: 1, until: 1 } },
      )
      .toArray()
    const touched = entries.filter(({ from, until }) => {
      const next = instants[firstPlace(instants, one => one >= from.getTime())]
      return next !== undefined && next < until.getTime()
    })
    if (touched.length === 0) return
    await this.#writing.updateMany({ _id: { $in: touched.map(({ _id }) => _id) } }, { $set: { state: 'dirty' } })
  }

  /**
   * Begins to count days or blocks under a number: what is kept of them counts no more.
   * @throws Problem `store_unavailable` where another began one of them under a higher number
   */
  async begin(projectId: string, timeZone: string, some: readonly ListableDays[], counting: number): Promise<void> {
    const begun = this.#writing.bulkWrite(
      some.map(one => ({
        replaceOne: {
          filter: { _id: idOf(projectId, timeZone, rowDayOf(one)), ...madeUpTo(counting) },
          replacement: {
            project_id: projectId,
            time_zone: timeZone,
            day: rowDayOf(one),
            ...(one.kind !== undefined && {
              kind: one.kind,
              first_day: new Date(one.day),
              last_day: new Date(one.last ?? one.day),
            }),
            from: new Date(one.from),
            until: new Date(one.until),
            state: beingMade(one),
            shape: SHAPE,
            counting,
          },
          upsert: true,
        },
      })),
    )
    await unlessTakenOver(begun)
  }

  /** Has days or blocks count that were counted under a number, but for those that were changed meanwhile. Gives back how many do. */
  async finish(projectId: string, timeZone: string, some: readonly ListableDays[], counting: number): Promise<number> {
    const { matchedCount } = await this.#writing.bulkWrite(
      some.map(one => ({
        updateOne: {
          filter: { _id: idOf(projectId, timeZone, rowDayOf(one)), state: beingMade(one), counting },
          update: {
            $set: {
              state: one.kind === undefined ? ('counted' as const) : ('summed' as const),
              ...(one.calls && { first: new Date(one.calls.first), last: new Date(one.calls.last) }),
            },
          },
        },
      })),
    )
    return matchedCount
  }

  /** Whether days of another zone than this are on the list, or days that were counted otherwise. */
  async hasOthers(projectId: string, timeZone: string): Promise<boolean> {
    const other = { project_id: projectId, $or: [{ time_zone: { $ne: timeZone } }, { shape: { $ne: SHAPE } }] }
    return (await this.#reading.findOne(other, { projection: { _id: 1 } })) !== null
  }

  /** Forgets all days of a project that were counted up to a number. */
  async clear(projectId: string, counting: number): Promise<void> {
    await this.#writing.deleteMany({ project_id: projectId, ...madeUpTo(counting) })
  }

  /** Days and blocks whose counts are to be taken away: they count no more, nor will they when who began to count them goes on. */
  async stale(projectId: string): Promise<readonly Stale[]> {
    const begun: Filter<Entry> = { project_id: projectId, state: { $in: ['counting', 'summing'] } }
    await this.#writing.updateMany(begun, { $set: { state: 'dirty' } })
    return await this.#reading
      .find({ project_id: projectId, state: 'dirty' }, { projection: { day: 1, counting: 1 } })
      .toArray()
  }

  /** Forgets a day or block that is still as it was found. */
  async forget({ _id, counting }: Stale): Promise<void> {
    await this.#writing.deleteOne({ _id, counting, state: 'dirty' })
  }

  async #find(projectId: string, timeZone: string, filter: Filter<Entry>): Promise<readonly ListedDays[]> {
    const found = await this.#reading
      .find(
        { project_id: projectId, time_zone: timeZone, shape: SHAPE, ...filter },
        { sort: { from: 1 }, projection: FIELDS },
      )
      .toArray()
    return found.map(({ day, kind, first_day: firstDay, last_day: lastDay, from, until, counting, first, last }) => ({
      ...(typeof day === 'number'
        ? { block: day, kind, day: firstDay!.getTime(), last: lastDay!.getTime() }
        : { block: blockOfDay(day.getTime()), day: day.getTime() }),
      from: from.getTime(),
      until: until.getTime(),
      counting,
      ...(first && last && { calls: { first: first.getTime(), last: last.getTime() } }),
    }))
  }

  get #reading() {
    return this.#database.reading<Entry>(COLLECTION)
  }

  get #writing() {
    return this.#database.writing<Entry>(COLLECTION)
  }
}

const beingMade = ({ kind }: ListableDays): State => (kind === undefined ? 'counting' : 'summing')

/** No project's id has a colon in it. */
const idOf = (projectId: string, timeZone: string, day: RowDay): string =>
  `${projectId}:${typeof day === 'number' ? day : day.toISOString().slice(0, 10)}:${timeZone}`
