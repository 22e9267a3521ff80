import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { canonicalText } from '../../base/canonical-text.js'
import { compile, type Compiled, fieldsRead, narrow, type ScopedCounts, type TimeSpan } from '../../pipeline/index.js'
import type { CountStore, MakingOptions, RunOptions, RunResult } from '../store.js'
import { countDays, nextDays, type ReadRows } from './counts/count-days.js'
import type { CountedParts } from '../counted-parts.js'
import { countsSource } from './counts/counts-source.js'
import { isFirstDay, type KnownDays, markNow, readDays } from './counts/known-days.js'
import { dropStaleCounts, hasStaleCounts } from './counts/stale-counts.js'
import type { Engine } from './engine.js'
import { Deadline } from '../deadline.js'
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
}

/** Counts kept by day in tables beside the calls. */
export class DuckDbCounts implements CountStore {
  readonly #parts: Parts
  /** How often days of a project were counted. */
  readonly #countings = new Map<string, number>()
  /** By project: the days that are counted, and at which step of its changes they were read. */
  readonly #days = new Map<string, { readonly step: string; readonly known: Promise<KnownDays> }>()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  get keepsSettled(): boolean {
    return this.#parts.remembered.keeps
  }

  changes(projectId: string): number {
    return this.#parts.remembered.stepsOf(projectId)
  }

  async run(scoped: ScopedCounts, options: RunOptions): Promise<RunResult> {
    const { remembered, steady } = this.#parts
    const { projectId } = scoped.scope
    const isOver = (span: TimeSpan) => span.before !== undefined && span.before <= scoped.before!
    if (scoped.before === undefined || scoped.asked.spans.every(isOver))
      return await this.#run(scoped, scoped.asked.spans, options)
    const before = remembered.changesOf(projectId)
    const bound = await steady(projectId, { before: scoped.before })
    const found = await this.#run(
      scoped,
      endingBy(scoped, bound?.before ?? (bound === undefined ? scoped.before : undefined)),
      options,
    )
    if (bound === undefined || remembered.changesOf(projectId) === before) return found
    // Calls that came meanwhile may lie on the other side of the bound.
    return await this.#run(scoped, endingBy(scoped, scoped.before), options)
  }

  async countDays(projectId: string, timeZone: string, { signal, progress }: MakingOptions = {}): Promise<number> {
    const { engine } = this.#parts
    let counted = 0
    // oxlint-disable no-await-in-loop -- others write between two pieces
    for (;;) {
      if (signal?.aborted === true) break
      const options = { deadlineMs: PLAN_MS, ...(signal && { signal }), project: projectId }
      const days = await nextDays((sql, values) => engine.rows(sql, values, options), projectId, timeZone)
      if (days === undefined) {
        // Days that have no calls any more are not counted anew.
        const isStale = await hasStaleCounts((sql, values) => engine.rows(sql, values, options), projectId)
        if (isStale) await engine.transaction(connection => dropStaleCounts(connection, projectId))
        // What is remembered of days that changed goes too.
        await this.#known(projectId, timeZone)
        break
      }
      const began = performance.now()
      await engine.transaction(connection => countDays(connection, projectId, timeZone, days))
      this.#countings.set(projectId, (this.#countings.get(projectId) ?? 0) + 1)
      // Half of the time is others'.
      await sleep(performance.now() - began, undefined, { ref: false, ...(signal && { signal }) }).catch(
        () => undefined,
      )
      counted += days.first.until(days.last, { largestUnit: 'days' }).days + 1
      progress?.({ made: counted, left: days.left })
    }
    // oxlint-enable no-await-in-loop
    return counted
  }

  async #run(scoped: ScopedCounts, spans: readonly TimeSpan[], options: RunOptions): Promise<RunResult> {
    const { engine, remembered } = this.#parts
    const { scope } = scoped
    const deadline = Deadline.of(options)
    try {
      if (engine.notReady() !== undefined || options.once === true)
        return (await this.#ask(scoped, spans, options, deadline)).result
      const asked = hashOf(scoped, spans, options)
      const step = remembered.stepsOf(scope.projectId)
      const known = await this.#known(scope.projectId, scoped.asked.timeZone)
      const { days, rests } = known.partsOf(spans)
      const mark = known.areEmpty(rests) ? known.markOf(days) : undefined
      const counted = mark === undefined ? undefined : { days, mark }
      return await remembered.findCounts(scope.projectId, asked, counted, async () => {
        const { by, ...found } = await this.#ask(scoped, spans, options, deadline, known)
        // A call may have come to a time that was empty.
        const isEmpty = rests.length === 0 || remembered.stepsOf(scope.projectId) === step
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
    known?: KnownDays,
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
        const parts = known?.partsOf(spans)
        // Calls are what they are, whatever is counted.
        if (known !== undefined && parts?.days.length === 0) return await found(known, parts)
        // Which days are counted, and their counts, as of one instant.
        await connection.run('begin transaction')
        try {
          const read: ReadRows = (sql, values) => allRows(connection, sql, values)
          const by = await untilEnded(connection, within, async () => {
            const isSame = known !== undefined && (await markNow(read, scope.projectId, asked.timeZone)) === known.mark
            return isSame ? known : await readDays(read, scope.projectId, asked.timeZone)
          })
          return await found(by, by.partsOf(spans))
        } finally {
          await connection.run('rollback').catch(() => undefined)
        }
      },
    )
  }

  /** The days that are counted: as they were after the last change of a call, or later. */
  #known(projectId: string, timeZone: string): Promise<KnownDays> {
    const step = `${this.#parts.remembered.stepsOf(projectId)} ${this.#countings.get(projectId) ?? 0} ${timeZone}`
    const last = this.#days.get(projectId)
    if (last?.step === step) return last.known
    const known = this.#readKnown(projectId, timeZone, last?.known)
    this.#days.set(projectId, { step, known })
    known.catch(() => this.#days.delete(projectId))
    return known
  }

  async #readKnown(projectId: string, timeZone: string, before: Promise<KnownDays> | undefined): Promise<KnownDays> {
    const { engine, remembered } = this.#parts
    const read: ReadRows = (sql, values) => engine.rows(sql, values, { project: projectId })
    const last = await before?.catch(() => undefined)
    if (
      last !== undefined &&
      (await markNow(read, projectId, timeZone)) === last.mark &&
      (await isFirstDay(read, projectId, last.days)) === last.isFirst
    )
      return last
    const known = await readDays(read, projectId, timeZone)
    remembered.keepCounts(projectId, days => known.markOf(days))
    return known
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
