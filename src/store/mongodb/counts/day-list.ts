import { firstPlace } from '../../../base/first-place.js'
import type { CountedDay } from '../../counted-parts.js'
import { type CallDocument, callsOf } from '../call-document.js'
import type { MongoDatabase } from '../mongodb-database.js'

/**
 * counted: its counts are those of its calls. counting: they are being made. dirty: its calls were changed since, and its counts are
 * still to be taken away.
 */
type DayState = 'counted' | 'counting' | 'dirty'

/** A day of a project by the days of a zone. */
interface KeptDay {
  readonly _id: string
  readonly project_id: string
  readonly time_zone: string
  /** Local midnight, written as if it were UTC. */
  readonly day: Date
  readonly from: Date
  readonly until: Date
  readonly state: DayState
  readonly shape: number
  /** The number under which its counts are kept. */
  readonly counting: number
  readonly first?: Date
  readonly last?: Date
}

/** A day that is on the list, with the number under which its counts are kept. */
export interface ListedDay extends CountedDay {
  readonly counting: number
}

/** When the first and the last call of a day began. */
export type CallsOfDay = NonNullable<CountedDay['calls']>

const COLLECTION = 'counted_days'

/** What is counted of a day: one more than before where anything came to it. Days that were counted otherwise are counted anew. */
const SHAPE = 3

/**
 * The list of days whose counts are those of their calls. Who changes calls takes their days off it: behind the note that the write
 * is under way, and before the first call is touched. Who counts puts a day on it first, looks whether such a note is there, reads the
 * calls, and has it count only where nobody took it off meanwhile. So what is killed anywhere leaves days to be counted, and none
 * that is wrong.
 */
export class DayList {
  readonly #database: MongoDatabase

  constructor(database: MongoDatabase) {
    this.#database = database
  }

  /** The days of a zone that are counted, in order; those alone that have to do with a time, where one is given. */
  async counted(
    projectId: string,
    timeZone: string,
    { from, until }: { readonly from?: number | undefined; readonly until?: number | undefined } = {},
  ): Promise<readonly ListedDay[]> {
    const found = await this.#reading
      .find(
        {
          project_id: projectId,
          time_zone: timeZone,
          shape: SHAPE,
          state: 'counted',
          ...(from !== undefined && { until: { $gt: new Date(from) } }),
          ...(until !== undefined && { from: { $lt: new Date(until) } }),
        },
        { sort: { from: 1 }, projection: { day: 1, from: 1, until: 1, counting: 1, first: 1, last: 1 } },
      )
      .toArray()
    return found.map(({ day, from: begin, until: end, counting, first, last }) => ({
      day: day.getTime(),
      from: begin.getTime(),
      until: end.getTime(),
      counting,
      ...(first && last && { calls: { first: first.getTime(), last: last.getTime() } }),
    }))
  }

  /** Takes the days off the list in which calls are, and those in which they will be. */
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
    const days = await this.#reading
      .find(
        { project_id: projectId, from: { $lte: new Date(most) }, until: { $gt: new Date(least) } },
        { projection: { from: 1, until: 1 } },
      )
      .toArray()
    const touched = days.filter(({ from, until }) => {
      const next = instants[firstPlace(instants, one => one >= from.getTime())]
      return next !== undefined && next < until.getTime()
    })
    if (touched.length === 0) return
    await this.#writing.updateMany({ _id: { $in: touched.map(({ _id }) => _id) } }, { $set: { state: 'dirty' } })
  }

  /** Begins to count days under a number: what is kept of them counts no more. */
  async begin(projectId: string, timeZone: string, days: readonly CountedDay[], counting: number): Promise<void> {
    await this.#writing.bulkWrite(
      days.map(({ day, from, until }) => ({
        replaceOne: {
          filter: { _id: dayId(projectId, timeZone, day) },
          replacement: {
            project_id: projectId,
            time_zone: timeZone,
            day: new Date(day),
            from: new Date(from),
            until: new Date(until),
            state: 'counting',
            shape: SHAPE,
            counting,
          },
          upsert: true,
        },
      })),
    )
  }

  /** Has days count that were counted under a number, but for those that were changed meanwhile. Gives back how many do. */
  async finish(
    projectId: string,
    timeZone: string,
    days: readonly (Pick<CountedDay, 'day'> & { readonly calls: CallsOfDay | undefined })[],
    counting: number,
  ): Promise<number> {
    const { matchedCount } = await this.#writing.bulkWrite(
      days.map(({ day, calls }) => ({
        updateOne: {
          filter: { _id: dayId(projectId, timeZone, day), state: 'counting', counting },
          update: {
            $set: {
              state: 'counted',
              ...(calls && { first: new Date(calls.first), last: new Date(calls.last) }),
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

  /** Forgets all days of a project. */
  async clear(projectId: string): Promise<void> {
    await this.#writing.deleteMany({ project_id: projectId })
  }

  /** Days whose counts are to be taken away. */
  async stale(projectId: string): Promise<readonly Pick<KeptDay, '_id' | 'day' | 'counting'>[]> {
    return await this.#reading
      .find({ project_id: projectId, state: { $in: ['dirty', 'counting'] } }, { projection: { day: 1, counting: 1 } })
      .toArray()
  }

  /** Forgets a day that is still as it was found. */
  async forget({ _id, counting }: Pick<KeptDay, '_id' | 'counting'>): Promise<void> {
    await this.#writing.deleteOne({ _id, counting, state: { $in: ['dirty', 'counting'] } })
  }

  get #reading() {
    return this.#database.reading<KeptDay>(COLLECTION)
  }

  get #writing() {
    return this.#database.writing<KeptDay>(COLLECTION)
  }
}

/** No project's id has a colon in it. */
const dayId = (projectId: string, timeZone: string, day: number): string =>
  `${projectId}:${new Date(day).toISOString().slice(0, 10)}:${timeZone}`
