import { runsOf } from '../../counted-parts.js'
import { BLOCK_KINDS, blocksWithin, type SummedBlock } from '../../day-blocks.js'
import { Deadline } from '../../deadline.js'
import type { MakingOptions } from '../../store.js'
import type { CallWriter } from '../call-writer.js'
import type { DocumentsTask } from '../evaluate-documents.js'
import type { Kept, MongoDatabase } from '../mongodb-database.js'
import type { MongoPipelines } from '../mongodb-pipelines.js'
import type { Read } from '../mongodb-reader.js'
import { toBson } from '../values.js'
import { COUNTED_FIELDS } from './counted-calls.js'
import { WITHOUT_PLACE } from './day-counts.js'
import { type DayList, madeUpTo } from './day-list.js'
import { type ListableDays, type ListedDays, rowDayOf } from './listed-days.js'
import { nextDays, timeOf } from './plan-days.js'
import { DAY_COUNTS, keptOf } from './rows-of-days.js'

/** Longest that counting some days may take, in milliseconds. */
const COUNT_MS = 600_000
/** Documents that are written together. */
const SOME = 1_000
/** Blocks of a kind that are added up together: a month's parts. */
const BLOCKS_AT_ONCE = 8

/** Whose days are counted, and until when. */
interface Making {
  readonly projectId: string
  readonly timeZone: string
  readonly signal: AbortSignal | undefined
}

/** What counts are made of. */
interface MadeOf {
  readonly read: Read
  readonly of: Pick<DocumentsTask, 'days' | 'blocks'>
  /** Those whose counts are right, when all is read. */
  readonly right: () => Promise<readonly ListableDays[]>
}

interface Parts {
  readonly database: MongoDatabase
  readonly writer: Pick<CallWriter, 'settled'>
  readonly pipelines: Pick<MongoPipelines, 'keptCounts'>
  readonly days: DayList
}

/** Counts days, and adds up blocks of several: behind the writes, and for a project one at a time. */
export class CountMaker {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** See `countDays` of CountStore. */
  async make(projectId: string, timeZone: string, { signal, progress }: MakingOptions = {}): Promise<number> {
    const { database, days } = this.#parts
    const making = { projectId, timeZone, signal }
    if (await days.hasOthers(projectId, timeZone)) await this.#clear(projectId)
    let [counted, from] = [0, -Infinity]
    // oxlint-disable no-await-in-loop -- some days after the others
    for (;;) {
      if (signal?.aborted === true) break
      const known = await days.counted(projectId, timeZone)
      const next = await nextDays(database.reading('facts'), { projectId, timeZone, counted: known, from })
      const last = next?.at(-1)
      if (next === undefined || last === undefined) {
        await this.#addUp(making, known)
        await this.#dropStale(projectId)
        break
      }
      counted += await this.#count(making, next)
      progress?.({ made: counted })
      // Days that change all the time are left to whoever changes them.
      from = last.until
    }
    // oxlint-enable no-await-in-loop
    return counted
  }

  /** Counts days of their calls; gives back how many of them count then. */
  async #count(making: Making, days: readonly ListableDays[]): Promise<number> {
    const range = { $gte: new Date(days[0]!.from), $lt: new Date(days.at(-1)!.until) }
    const match = { project_id: { $eq: making.projectId }, created_dt: range }
    return await this.#make(making, days, async () => ({
      read: { collection: 'facts', stages: [{ $match: match }, COUNTED_FIELDS] },
      of: { days },
      right: async () => days,
    }))
  }

  /** Adds up the blocks within counted days that are not on the list: smaller ones first, of which others are made. */
  async #addUp(making: Making, counted: readonly ListedDays[]): Promise<void> {
    const { projectId, timeZone, signal } = making
    const there = new Set((await this.#parts.days.summed(projectId, timeZone)).map(({ block }) => block))
    const missing = runsOf(counted).flatMap(run => blocksWithin(run).filter(({ block }) => !there.has(block)))
    for (const kind of BLOCK_KINDS) {
      const some = missing.filter(one => one.kind === kind)
      for (let at = 0; at < some.length; at += BLOCKS_AT_ONCE) {
        if (signal?.aborted === true) return
        // oxlint-disable-next-line no-await-in-loop -- some blocks after the others
        await this.#sum(making, some.slice(at, at + BLOCKS_AT_ONCE))
      }
    }
  }

  /** Adds blocks of one kind up from the counts of what they are made of. */
  async #sum(making: Making, blocks: readonly SummedBlock[]): Promise<void> {
    const { projectId, timeZone } = making
    const { days } = this.#parts
    const listable = blocks.map(one => ({ ...one, day: one.first, ...timeOf(one, timeZone) }))
    await this.#make(making, listable, async () => {
      const all = blocks.flatMap(({ of }) => of)
      const parts = await days.those(projectId, timeZone, all)
      const whole = listable.filter(block => isWhole(block, parts))
      if (whole.length === 0) return undefined
      return {
        read: {
          collection: DAY_COUNTS,
          stages: [
            { $match: { project_id: { $eq: projectId }, ...keptOf(parts) } },
            // What adds up comes together.
            { $sort: { of: 1, by: 1, agent_name: 1 } },
            WITHOUT_PLACE,
          ],
        },
        of: { blocks: whole },
        // Whoever counts a day anew takes its counts away: what was read of it meanwhile may lack some.
        right: async () => {
          const still = await days.still(projectId, timeZone, parts)
          return whole.filter(block => isWhole(block, still))
        },
      }
    })
  }

  /**
   * Makes the counts of days or blocks anew, under a number that no counting had before; gives back how many of them count then. See
   * DayList for why it is right whoever writes meanwhile.
   * @param of what they are made of, found out when no write is under way that may have looked before they were on the list
   */
  async #make(
    { projectId, timeZone, signal }: Making,
    some: readonly ListableDays[],
    of: () => Promise<MadeOf | undefined>,
  ): Promise<number> {
    const { database, writer, pipelines, days } = this.#parts
    const counting = await this.#number()
    await days.begin(projectId, timeZone, some, counting)
    const own = { project_id: projectId, day: { $in: some.map(rowDayOf) } }
    await database.writing(DAY_COUNTS).deleteMany({ ...own, ...madeUpTo(counting) })
    await writer.settled(projectId)
    const made = await of()
    if (made === undefined) return 0
    const calls = new Map<number, { readonly first: number; readonly last: number }>()
    const deadline = new Deadline(COUNT_MS, signal)
    try {
      for await (const found of pipelines.keptCounts(made.read, made.of, deadline)) {
        for (const { by, day, first, last } of found) {
          if (by !== 'agent') continue
          const known = calls.get(Number(day))
          calls.set(Number(day), {
            first: Math.min(known?.first ?? Infinity, Number(first)),
            last: Math.max(known?.last ?? -Infinity, Number(last)),
          })
        }
        for (let at = 0; at < found.length; at += SOME) {
          const written = found
            .slice(at, at + SOME)
            .map(one => toBson({ ...one, project_id: projectId, counting }) as Kept)
          await database.writing(DAY_COUNTS).insertMany(written, { ordered: false })
        }
      }
    } finally {
      deadline.dispose()
    }
    const right = (await made.right()).map(one => {
      const found = calls.get(Number(rowDayOf(one)))
      return found === undefined ? one : { ...one, calls: found }
    })
    return right.length === 0 ? 0 : await days.finish(projectId, timeZone, right, counting)
  }

  /** Takes all counts of a project away. */
  async #clear(projectId: string): Promise<void> {
    const { database, days } = this.#parts
    const counting = await this.#number()
    await days.clear(projectId, counting)
    await database.writing(DAY_COUNTS).deleteMany({ project_id: projectId, ...madeUpTo(counting) })
  }

  /** Takes counts away of days that are not counted any more: they hold what is known of calls that may be erased or masked. */
  async #dropStale(projectId: string): Promise<void> {
    const { database, days } = this.#parts
    for (const stale of await days.stale(projectId)) {
      // oxlint-disable no-await-in-loop -- one day after the other
      const own = { project_id: projectId, day: stale.day, ...madeUpTo(stale.counting) }
      await database.writing(DAY_COUNTS).deleteMany(own)
      await days.forget(stale)
      // oxlint-enable no-await-in-loop
    }
  }

  /** A number that no counting had before: it is higher than those. */
  async #number(): Promise<number> {
    const counted = await this.#parts.database
      .writing('counters')
      .findOneAndUpdate({ _id: 'countings' }, { $inc: { last: 1 } }, { upsert: true, returnDocument: 'after' })
    return Number(counted?.['last'])
  }
}

/** Whether parts of a block are all there: they follow one another from its beginning to its end. @param parts in order */
function isWhole({ of, from, until }: SummedBlock & ListableDays, parts: readonly ListedDays[]): boolean {
  const own = new Set(of.map(({ block }) => block))
  let end = from
  for (const part of parts) {
    if (!own.has(part.block)) continue
    if (part.from !== end) return false
    end = part.until
  }
  return end === until
}
