import type { ScopedCounts, TimeSpan } from '../../../pipeline/index.js'
import { toBson } from '../values.js'
import { type CountedDay, countedParts } from '../../counted-parts.js'
import { Deadline } from '../../deadline.js'
import { BudgetSpent } from '../../light-budget.js'
import type { CountStore, MakingOptions, RunOptions, RunResult } from '../../store.js'
import type { CallWriter } from '../call-writer.js'
import type { Kept, MongoDatabase } from '../mongodb-database.js'
import type { MongoPipelines } from '../mongodb-pipelines.js'
import type { ProjectChanges } from '../project-changes.js'
import { callsRead, COUNTED_FIELDS } from './counted-calls.js'
import type { CallsOfDay, DayList, ListedDay } from './day-list.js'
import { nextDays } from './plan-days.js'
import { DAY_COUNTS, rowsRead } from './rows-of-days.js'

/** How often a question asks again where days changed while it read their counts; then it reads the calls. */
const MOST_TRIES = 3
/** Longest that counting some days may take, in milliseconds. */
const COUNT_MS = 600_000
/** Documents that are written together. */
const SOME = 1_000

interface Parts {
  readonly database: MongoDatabase
  readonly writer: CallWriter
  readonly changes: ProjectChanges
  readonly pipelines: MongoPipelines
  readonly days: DayList
}

/** Counts kept by day beside the calls. */
export class MongoCounts implements CountStore {
  readonly keepsSettled = false
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  changes(projectId: string): number {
    return this.#parts.changes.of(projectId)
  }

  async run(scoped: ScopedCounts, options: RunOptions): Promise<RunResult> {
    // What runs outside the server is heavy.
    if (options.budget !== undefined) throw new BudgetSpent()
    const { pipelines } = this.#parts
    const { asked, before } = scoped
    const spans = asked.spans.map(span => endingBy(span, before))
    const list = async () => await this.#listed(scoped, spans)
    return await pipelines.within(scoped.scope.projectId, options, async deadline => {
      // oxlint-disable no-await-in-loop -- again where it has to be
      for (let tries = 0; ; tries += 1) {
        const days = tries < MOST_TRIES ? await list() : []
        const { days: rows, rests } = countedParts(spans, days)
        const found = await pipelines.count(
          scoped,
          {
            rests,
            ...(rests.length > 0 && { calls: callsRead(scoped, rests) }),
            ...(rows.length > 0 && {
              days: rowsRead(
                scoped,
                rows,
                days.map(({ counting }) => counting),
              ),
            }),
          },
          options,
          deadline,
        )
        // Nothing was read as of one instant: what days said counts where they say it still.
        if (rows.length === 0 || isSame(days, await list())) return found
      }
      // oxlint-enable no-await-in-loop
    })
  }

  async countDays(projectId: string, timeZone: string, { signal, progress }: MakingOptions = {}): Promise<number> {
    const { database, days } = this.#parts
    if (await days.hasOthers(projectId, timeZone)) {
      await days.clear(projectId)
      await database.writing(DAY_COUNTS).deleteMany({ project_id: projectId })
    }
    let [counted, from] = [0, -Infinity]
    // oxlint-disable no-await-in-loop -- some days after the others
    for (;;) {
      if (signal?.aborted === true) break
      const known = await days.counted(projectId, timeZone)
      const next = await nextDays(database.reading('facts'), { projectId, timeZone, counted: known, from })
      const last = next?.at(-1)
      if (next === undefined || last === undefined) {
        await this.#dropStale(projectId)
        break
      }
      counted += await this.#count(projectId, timeZone, next, signal)
      progress?.({ made: counted })
      // Days that change all the time are left to whoever changes them.
      from = last.until
    }
    // oxlint-enable no-await-in-loop
    return counted
  }

  async #listed({ scope, asked }: ScopedCounts, spans: readonly TimeSpan[]): Promise<readonly ListedDay[]> {
    const from = Math.min(...spans.map(span => span.from?.getTime() ?? -Infinity))
    const until = Math.max(...spans.map(span => span.before?.getTime() ?? Infinity))
    return await this.#parts.days.counted(scope.projectId, asked.timeZone, {
      ...(Number.isFinite(from) && { from }),
      ...(Number.isFinite(until) && { until }),
    })
  }

  /** Counts days anew; gives back how many of them count then. See DayList for why it is right whoever writes meanwhile. */
  async #count(
    projectId: string,
    timeZone: string,
    next: readonly CountedDay[],
    signal: AbortSignal | undefined,
  ): Promise<number> {
    const { database, writer, pipelines, days } = this.#parts
    const [first, last] = [next[0]!, next.at(-1)!]
    const counting = await this.#number()
    await days.begin(projectId, timeZone, next, counting)
    await database.writing(DAY_COUNTS).deleteMany({
      project_id: projectId,
      day: { $gte: new Date(first.day), $lte: new Date(last.day) },
    })
    await writer.settled(projectId)
    const range = { $gte: new Date(first.from), $lt: new Date(last.until) }
    const read = {
      collection: 'facts',
      stages: [{ $match: { project_id: { $eq: projectId }, created_dt: range } }, COUNTED_FIELDS],
    }
    const calls = new Map<number, CallsOfDay>()
    const deadline = new Deadline(COUNT_MS, signal)
    try {
      for await (const found of pipelines.dayCounts(read, next, deadline)) {
        for (const one of found) {
          if (one['by'] !== 'agent') continue
          const [day, begin, end] = ['day', 'first', 'last'].map(name => (one[name] as Date).getTime())
          const known = calls.get(day!)
          calls.set(day!, {
            first: Math.min(known?.first ?? Infinity, begin!),
            last: Math.max(known?.last ?? -Infinity, end!),
          })
        }
        for (let at = 0; at < found.length; at += SOME) {
          const some = found
            .slice(at, at + SOME)
            .map(one => toBson({ ...one, project_id: projectId, counting }) as Kept)
          await database.writing(DAY_COUNTS).insertMany(some, { ordered: false })
        }
      }
    } finally {
      deadline.dispose()
    }
    const ends = next.map(({ day }) => ({ day, calls: calls.get(day) }))
    return await days.finish(projectId, timeZone, ends, counting)
  }

  /** Takes counts away of days that are not counted any more: they hold what is known of calls that may be erased or masked. */
  async #dropStale(projectId: string): Promise<void> {
    const { database, days } = this.#parts
    for (const stale of await days.stale(projectId)) {
      // oxlint-disable no-await-in-loop -- one day after the other
      await database.writing(DAY_COUNTS).deleteMany({ project_id: projectId, day: stale.day })
      await days.forget(stale)
      // oxlint-enable no-await-in-loop
    }
  }

  /** A number that no counting had before. */
  async #number(): Promise<number> {
    const counted = await this.#parts.database
      .writing('counters')
      .findOneAndUpdate({ _id: 'countings' }, { $inc: { last: 1 } }, { upsert: true, returnDocument: 'after' })
    return Number(counted?.['last'])
  }
}

function endingBy(span: TimeSpan, before: Date | undefined): TimeSpan {
  if (before === undefined || (span.before !== undefined && span.before <= before)) return span
  return { ...span, before }
}

const isSame = (days: readonly ListedDay[], now: readonly ListedDay[]): boolean => {
  const kept = new Map(now.map(({ day, counting }) => [day, counting]))
  return days.every(({ day, counting }) => kept.get(day) === counting)
}
