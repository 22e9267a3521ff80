import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { canonicalText } from '../../base/canonical-text.js'
import { compile, type Compiled, fieldsRead, narrow, type ScopedCounts, type TimeSpan } from '../../pipeline/index.js'
import type { CountStore, MakingOptions, RunOptions, RunResult } from '../store.js'
import { beginCounting, dropMade, listCounts, makeCounts } from './counts/count-days.js'
import type { CountedParts } from '../counted-parts.js'
import { countsSource } from './counts/counts-source.js'
import type { ReadRows } from './counts/listed-days.js'
import { isFirstDay, type KnownDays, markNow, readDays } from './counts/known-days.js'
import { CALLS_AT_ONCE, type DaysToCount, nextDays } from './counts/plan-days.js'
import { dropStaleCounts, hasStaleCounts } from './counts/stale-counts.js'
import type { Engine } from './engine.js'
import { Deadline } from '../deadline.js'
import { Changes } from './reading/changes.js'
import type { Measured, RememberedAnswers } from './reading/remembered-answers.js'
import { allRows } from './reading/read-rows.js'
import { runQuery } from './reading/run-query.js'
import { untilEnded } from './reading/until-ended.js'

/** Longest that planning a piece of counting may take, in milliseconds: it looks at when each call began. */
const PLAN_MS = 120_000

interface Parts {
  readonly engine: Engine
  readonly remembered: RememberedAnswers
  /** Where a span that ends now ends as long as no call changes; undefined while any does. */
  readonly steady: (projectId: string, span: TimeSpan) => Promise<TimeSpan | undefined>
  /** Calls that are counted together; see counts/plan-days.ts. */
  readonly countedAtOnce?: number | undefined
}

/** The days that are counted, and when they were read. */
interface Read {
  readonly known: KnownDays
  /** See `#still`: of when their reading began. */
  readonly still: string | undefined
}

/** Counts kept by day in tables beside the calls. */
export class DuckDbCounts implements CountStore {
  readonly #parts: Parts
  /** By project: countings of its days. */
  readonly #countings = new Map<string, Changes>()
  /** By project: the days that are counted, and at which step of its changes they were read. */
  readonly #days = new Map<string, { readonly step: string; readonly read: Promise<Read> }>()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  get keepsSettled(): boolean {
    return this.#parts.remembered.keeps
  }

  changes(projectId: string): number {
    return this.#parts.remembered.changesOf(projectId).steps
  }

  async run(scoped: ScopedCounts, options: RunOptions): Promise<RunResult> {
    const { remembered, steady } = this.#parts
    const { projectId } = scoped.scope
    const isOver = (span: TimeSpan) => span.before !== undefined && span.before <= scoped.before!
    if (scoped.before === undefined || scoped.asked.spans.every(isOver))
      return await this.#run(scoped, scoped.asked.spans, options)
    const { begun } = remembered.changesOf(projectId)
    const bound = await steady(projectId, { before: scoped.before })
    const found = await this.#run(
      scoped,
      endingBy(scoped, bound?.before ?? (bound === undefined ? scoped.before : undefined)),
      options,
    )
    if (bound === undefined || remembered.changesOf(projectId).begun === begun) return found
    // Calls that came meanwhile may lie on the other side of the bound.
    return await this.#run(scoped, endingBy(scoped, scoped.before), options)
  }

  async countDays(projectId: string, timeZone: string, { signal, progress }: MakingOptions = {}): Promise<number> {
    const { engine, countedAtOnce: callsAtOnce = CALLS_AT_ONCE } = this.#parts
    let [counted, from] = [0, -Infinity]
    const [row] = await engine.rows('select writes from store_position', [], { project: projectId })
    // What is being written stands under the number after it.
    const upTo = BigInt(String(row?.[0])) - 1n
    // oxlint-disable no-await-in-loop -- others ask between two pieces
    for (;;) {
      if (signal?.aborted === true) break
      const options = { deadlineMs: PLAN_MS, ...(signal && { signal }), project: projectId }
      const read: ReadRows = (sql, values) => engine.rows(sql, values, options)
      const days = await nextDays(read, { projectId, timeZone, callsAtOnce, from, upTo })
      if (days === undefined) {
        // Days that have no calls any more are not counted anew.
        const isStale = await hasStaleCounts(read, projectId)
        if (isStale)
          await this.#countingsOf(projectId).during(() =>
            engine.making((_, write) => write(own => dropStaleCounts(own, projectId))),
          )
        // What is remembered of days that changed goes too.
        await this.#read(projectId, timeZone)
        break
      }
      const began = performance.now()
      if (await this.#count(projectId, timeZone, days)) {
        counted += days.first.until(days.last, { largestUnit: 'days' }).days + 1
        progress?.({ made: counted, left: days.left })
        // Days that change all the time are left to whoever changes them.
      } else from = days.until
      // Half of the time is others'.
      await sleep(performance.now() - began, undefined, { ref: false, ...(signal && { signal }) }).catch(
        () => undefined,
      )
    }
    // oxlint-enable no-await-in-loop
    return counted
  }

  /** Counts days while others write; false where their calls changed meanwhile. */
  async #count(projectId: string, timeZone: string, days: DaysToCount): Promise<boolean> {
    return await this.#parts.engine.making(async (connection, write) => {
      await write(own => beginCounting(own, projectId, days))
      try {
        await makeCounts(connection, projectId, timeZone, days)
        return await this.#countingsOf(projectId).during(() => write(own => listCounts(own, projectId, timeZone, days)))
      } finally {
        await dropMade(connection).catch(() => undefined)
      }
    })
  }

  async #run(scoped: ScopedCounts, spans: readonly TimeSpan[], options: RunOptions): Promise<RunResult> {
    const { engine, remembered } = this.#parts
    const { scope } = scoped
    const deadline = Deadline.of(options)
    try {
      if (engine.notReady() !== undefined || options.once === true)
        return (await this.#ask(scoped, spans, options, deadline)).result
      const asked = hashOf(scoped, spans, options)
      const changes = remembered.changesOf(scope.projectId)
      const { still } = changes
      const read = await this.#read(scope.projectId, scoped.asked.timeZone)
      const { known } = read
      const { days, rests } = known.partsOf(spans)
      const mark = known.areEmpty(rests) ? known.markOf(days) : undefined
      const counted = mark === undefined ? undefined : { days, mark }
      return await remembered.findCounts(scope.projectId, asked, counted, async () => {
        const { by, ...found } = await this.#ask(scoped, spans, options, deadline, read)
        // A call may have come to a time that was empty.
        const isEmpty = rests.length === 0 || (still !== undefined && changes.begun === still)
        return { ...found, isAsKnown: by === known && isEmpty }
      })
    } finally {
      deadline.dispose()
    }
  }

  /** Asks the engine, by the days that are counted: those that are known, where they still are. */
  async #ask(
    scoped: ScopedCounts,
    spans: readonly TimeSpan[],
    options: RunOptions,
    deadline: Deadline,
    read?: Read,
  ): Promise<Measured & { readonly by: KnownDays }> {
    const { scope, asked } = scoped
    const requester = { project: scope.projectId, key: options.key ?? '' }
    const { maxDocuments, maxBytes } = options
    return await this.#parts.engine.with(
      options.lane,
      { requester, deadline, budget: options.budget, worked: options.worked },
      async (connection, within) => {
        const found = async (by: KnownDays, parts: CountedParts) => {
          const { query, engineStages } = compiled(scoped, parts)
          const { bytes, ...found } = await runQuery(connection, query, maxDocuments, within, maxBytes)
          return { result: { ...found, plan: { engine_stages: engineStages, evaluated_stages: 0 } }, bytes, by }
        }
        if (read !== undefined) {
          const { known, still } = read
          const parts = known.partsOf(spans)
          // Calls are what they are, whatever is counted.
          if (parts.days.length === 0) return await found(known, parts)
          const isStill = () => still !== undefined && this.#still(scope.projectId) === still
          if (isStill()) {
            const answer = await found(known, parts)
            // Nothing changed since the days were read.
            if (isStill()) return answer
          }
        }
        // Which days are counted, and their counts, as of one instant.
        await connection.run('begin transaction')
        try {
          const rows: ReadRows = (sql, values) => allRows(connection, sql, values)
          const by = await untilEnded(connection, within, async () => {
            const isSame =
              read !== undefined && (await markNow(rows, scope.projectId, asked.timeZone)) === read.known.mark
            return isSame ? read.known : await readDays(rows, scope.projectId, asked.timeZone)
          })
          return await found(by, by.partsOf(spans))
        } finally {
          await connection.run('rollback').catch(() => undefined)
        }
      },
    )
  }

  /** The days that are counted: as they were after the last change of a call, or later. */
  #read(projectId: string, timeZone: string): Promise<Read> {
    const { steps } = this.#parts.remembered.changesOf(projectId)
    const step = `${steps} ${this.#countingsOf(projectId).steps} ${timeZone}`
    const last = this.#days.get(projectId)
    if (last?.step === step) return last.read
    const read = this.#readAnew(projectId, timeZone, last?.read)
    this.#days.set(projectId, { step, read })
    read.catch(() => this.#days.delete(projectId))
    return read
  }

  async #readAnew(projectId: string, timeZone: string, before: Promise<Read> | undefined): Promise<Read> {
    const { engine, remembered } = this.#parts
    const still = this.#still(projectId)
    const read: ReadRows = (sql, values) => engine.rows(sql, values, { project: projectId })
    const last = (await before?.catch(() => undefined))?.known
    if (
      last !== undefined &&
      (await markNow(read, projectId, timeZone)) === last.mark &&
      // A call that comes before the first of them takes that one off the list; see markDays.
      (last.isFirst || !(await isFirstDay(read, projectId, last.days)))
    )
      return { known: last, still }
    const known = await readDays(read, projectId, timeZone)
    remembered.keepCounts(projectId, days => known.markOf(days))
    return { known, still }
  }

  /** Stands for a project's calls and counts: where two looks give the same, nothing changed between them. Undefined while something does. */
  #still(projectId: string): string | undefined {
    const calls = this.#parts.remembered.changesOf(projectId).still
    const counts = this.#countingsOf(projectId).still
    return calls === undefined || counts === undefined ? undefined : `${calls} ${counts}`
  }

  #countingsOf(projectId: string): Changes {
    const found = this.#countings.get(projectId) ?? new Changes()
    this.#countings.set(projectId, found)
    return found
  }
}

function compiled({ pipeline, scope, asked }: ScopedCounts, parts: CountedParts): Compiled {
  const made = compile(narrow(pipeline, scope), countsSource(asked, parts, scope, fieldsRead(pipeline.stages)))
  const evaluated = pipeline.stages.length - made.engineStages
  if (evaluated > 0) throw new Error(`The engine cannot run the last ${evaluated} stages over counts`)
  return made
}

/** What tells a question to counts from others: who asks is among it. */
function hashOf(
  { pipeline, scope, asked: { roster, ...asked } }: ScopedCounts,
  spans: readonly TimeSpan[],
  options: RunOptions,
): string {
  const { maxDocuments, maxBytes } = options
  return (
    createHash('sha256')
      .update(canonicalText([pipeline.source.json, scope, { ...asked, spans }, maxDocuments, maxBytes]))
      .update('\0')
      // Thousands of names, and nothing but texts.
      .update(JSON.stringify(roster ?? null))
      .digest('base64')
  )
}

/** The spans of a question, none reaching further than an instant. */
function endingBy({ asked }: ScopedCounts, before: Date | undefined): readonly TimeSpan[] {
  if (before === undefined) return asked.spans
  return asked.spans.map(span => (span.before !== undefined && span.before <= before ? span : { ...span, before }))
}
