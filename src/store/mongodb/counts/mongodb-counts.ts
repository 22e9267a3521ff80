import { fieldsRead, type ScopedCounts, tellsDays, type TimeSpan } from '../../../pipeline/index.js'
import { countedParts } from '../../counted-parts.js'
import { BudgetSpent } from '../../light-budget.js'
import type { CountStore, MakingOptions, RunOptions, RunResult } from '../../store.js'
import type { CallWriter } from '../call-writer.js'
import type { MongoDatabase } from '../mongodb-database.js'
import type { MongoPipelines } from '../mongodb-pipelines.js'
import type { ProjectChanges } from '../project-changes.js'
import { CountMaker } from './count-maker.js'
import { callsRead } from './counted-calls.js'
import type { DayList } from './day-list.js'
import type { ListedDays } from './listed-days.js'
import { listedOf, rowsRead } from './rows-of-days.js'

/** How often a question asks again where days changed while it read their counts; then it reads the calls. */
const MOST_TRIES = 3

interface Parts {
  readonly database: MongoDatabase
  readonly writer: CallWriter
  readonly changes: ProjectChanges
  readonly pipelines: MongoPipelines
  readonly days: DayList
}

/** Counts kept by day, and by blocks of several, beside the calls. */
export class MongoCounts implements CountStore {
  readonly keepsSettled = false
  readonly #parts: Parts
  readonly #maker: CountMaker

  constructor(parts: Parts) {
    this.#parts = parts
    this.#maker = new CountMaker(parts)
  }

  changes(projectId: string): number {
    return this.#parts.changes.of(projectId)
  }

  async run(scoped: ScopedCounts, options: RunOptions): Promise<RunResult> {
    // What runs outside the server is heavy.
    if (options.budget !== undefined) throw new BudgetSpent()
    const { pipelines, days } = this.#parts
    const { asked, before, pipeline, scope } = scoped
    const { projectId } = scope
    const { timeZone } = asked
    const spans = asked.spans.map(span => endingBy(span, before))
    const isByDay = tellsDays(asked, fieldsRead(pipeline.stages))
    const list = () =>
      isByDay ? days.counted(projectId, timeZone, spans) : days.countedOrSummed(projectId, timeZone, spans)
    return await pipelines.within(projectId, options, async deadline => {
      // oxlint-disable no-await-in-loop -- again where it has to be
      for (let tries = 0; ; tries += 1) {
        const listed = tries < MOST_TRIES ? await list() : []
        const { days: rows, rests } = countedParts(spans, listed.filter(inARow))
        const read = listedOf(rows, listed)
        const found = await pipelines.count(
          scoped,
          {
            rests,
            ...(rests.length > 0 && { calls: callsRead(scoped, rests) }),
            ...(rows.length > 0 && { days: rowsRead(scoped, rows, read) }),
          },
          options,
          deadline,
        )
        // Nothing was read as of one instant: what days said counts where they say it still.
        if (read.length === 0) return found
        const still = await days.still(projectId, timeZone, read)
        if (still.length === read.length) return found
      }
      // oxlint-enable no-await-in-loop
    })
  }

  countDays(projectId: string, timeZone: string, options?: MakingOptions): Promise<number> {
    return this.#maker.make(projectId, timeZone, options)
  }
}

function endingBy(span: TimeSpan, before: Date | undefined): TimeSpan {
  if (before === undefined || (span.before !== undefined && span.before <= before)) return span
  return { ...span, before }
}

/** Smaller blocks lie among their days. */
const inARow = ({ kind }: ListedDays): boolean => kind === undefined || kind === 'month'
