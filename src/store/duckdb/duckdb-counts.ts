import { setTimeout as sleep } from 'node:timers/promises'
import { compile, type Compiled, fieldsRead, narrow, type ScopedCounts, type TimeSpan } from '../../pipeline/index.js'
import type { CountStore, RunOptions, RunResult } from '../store.js'
import { countDays, countedDays, nextDays } from './counts/count-days.js'
import { countedParts, type CountedParts } from '../counted-parts.js'
import { countsSource } from './counts/counts-source.js'
import { dropStaleCounts, hasStaleCounts } from './counts/stale-counts.js'
import type { Engine } from './engine.js'
import { Deadline } from '../deadline.js'
import type { RememberedAnswers } from './reading/remembered-answers.js'
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

  constructor(parts: Parts) {
    this.#parts = parts
  }

  changes(projectId: string): number {
    return this.#parts.remembered.stepsOf(projectId)
  }

  async run(scoped: ScopedCounts, options: RunOptions): Promise<RunResult> {
    const { remembered, steady } = this.#parts
    const { projectId } = scoped.scope
    if (scoped.before === undefined) return await this.#run(scoped, scoped.asked.spans, options)
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

  async countDays(projectId: string, timeZone: string, signal?: AbortSignal): Promise<number> {
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
        break
      }
      const began = performance.now()
      await engine.transaction(connection => countDays(connection, projectId, timeZone, days))
      // Half of the time is others'.
      await sleep(performance.now() - began, undefined, { ref: false, ...(signal && { signal }) }).catch(
        () => undefined,
      )
      counted += days.first.until(days.last, { largestUnit: 'days' }).days + 1
    }
    // oxlint-enable no-await-in-loop
    return counted
  }

  async #run(scoped: ScopedCounts, spans: readonly TimeSpan[], options: RunOptions): Promise<RunResult> {
    const { engine, remembered } = this.#parts
    const { scope, asked } = scoped
    const requester = { project: scope.projectId, key: options.key ?? '' }
    const byCalls = compiled(scoped, countedParts(spans, []))
    const plan = { engine_stages: byCalls.engineStages, evaluated_stages: 0 }
    const { maxDocuments, maxBytes } = options
    const deadline = new Deadline(options.deadlineMs, options.signal, options.limitMs)
    const ask = () =>
      engine.with(options.lane, { requester, deadline, budget: options.budget }, async (connection, within) => {
        // Which days are counted, and their counts, as of one instant.
        await connection.run('begin transaction')
        try {
          const read = async (sql: string, values: (string | bigint)[]) =>
            (await connection.runAndReadAll(sql, values)).getRowsJS()
          const days = await untilEnded(connection, within, () => countedDays(read, scope.projectId, asked.timeZone))
          const { query } = days.length === 0 ? byCalls : compiled(scoped, countedParts(spans, days))
          const { bytes, ...found } = await runQuery(connection, query, maxDocuments, within, maxBytes)
          return { result: { ...found, plan }, bytes }
        } finally {
          await connection.run('rollback').catch(() => undefined)
        }
      })
    try {
      return await (engine.notReady() === undefined && options.once !== true
        ? remembered.find(scope.projectId, byCalls, options, ask)
        : ask().then(({ result }) => result))
    } finally {
      deadline.dispose()
    }
  }
}

function compiled({ pipeline, scope, asked }: ScopedCounts, parts: CountedParts): Compiled {
  const made = compile(narrow(pipeline, scope), countsSource(asked, parts, scope, fieldsRead(pipeline.stages)))
  const evaluated = pipeline.stages.length - made.engineStages
  if (evaluated > 0) throw new Error(`The engine cannot run the last ${evaluated} stages over counts`)
  return made
}

/** The spans of a question, none reaching further than an instant. */
function endingBy({ asked }: ScopedCounts, before: Date | undefined): readonly TimeSpan[] {
  if (before === undefined) return asked.spans
  return asked.spans.map(span => (span.before !== undefined && span.before <= before ? span : { ...span, before }))
}
