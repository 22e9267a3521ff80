import { Readable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import {
  type Compiled,
  type CompiledQuery,
  Inexact,
  type Pipeline,
  type ScopedPipeline,
  type TimeSpan,
  type Source,
  compile,
  narrow,
  pinnedSession,
} from '../../pipeline/index.js'
import type { Problem } from '../../base/problem.js'
import { FairSlots } from '../../admission/fair-slots.js'
import type { Requester } from '../../admission/requester.js'
import type { NotReady } from '../../base/not-ready.js'
import type { ActivityTable } from '../activity-store.js'
import type { EventStore } from '../event-store.js'
import type { ImportStore } from '../import-store.js'
import { InProcessLeases } from '../in-process-leases.js'
import { InProcessTurns } from '../in-process-turns.js'
import type { KnowledgeStore } from '../knowledge-store.js'
import type { ModelBatchStore } from '../model-batch-store.js'
import type { MovedRows } from '../moved-rows.js'
import type { ModelAnswerStore } from '../model-answer-store.js'
import { BudgetSpent } from '../light-budget.js'
import type { PrivacyStore } from '../privacy-store.js'
import type { OAuthStore } from '../oauth-store.js'
import type { RestBounds } from '../rest-bounds.js'
import { team, type TeamRecord } from '../records/team.js'
import type { RestPool } from '../rest-pool.js'
import type { ReportStore } from '../report-store.js'
import type { RubricStore } from '../rubric-store.js'
import type { Shelf } from '../shelf.js'
import type { TaskStore } from '../task-store.js'
import { nobodyElse } from '../versions.js'
import type {
  CallStore,
  CountStore,
  EmbeddedExtras,
  HeldStore,
  KeyStore,
  ProjectStore,
  RunOptions,
  RunPlan,
  RunResult,
  Reading,
  Store,
  StoreLoad,
} from '../store.js'
import { timestamp } from './reading/activity-where.js'
import { callSource } from './reading/call-source.js'
import { Deadline } from '../deadline.js'
import { DuckDbActivity } from './duckdb-activity.js'
import { DuckDbCalls } from './duckdb-calls.js'
import { DuckDbCounts } from './duckdb-counts.js'
import { DuckDbEvents } from './duckdb-events.js'
import { DuckDbImports } from './duckdb-imports.js'
import { DuckDbKeys } from './duckdb-keys.js'
import { DuckDbKnowledge } from './duckdb-knowledge.js'
import { DuckDbModelBatches } from './duckdb-model-batches.js'
import { DuckDbModelAnswers } from './duckdb-model-answers.js'
import { DuckDbMovedRows } from './duckdb-moved-rows.js'
import { DuckDbOAuth } from './duckdb-oauth.js'
import { DuckDbPrivacy } from './duckdb-privacy.js'
import { DuckDbProjects } from './duckdb-projects.js'
import { DuckDbReports } from './duckdb-reports.js'
import { DuckDbRubrics } from './duckdb-rubrics.js'
import { DuckDbShelf } from './duckdb-shelf.js'
import { DuckDbSessions } from './duckdb-sessions.js'
import { DuckDbTasks } from './duckdb-tasks.js'
import { DuckDbWords } from './duckdb-words.js'
import { isOutOfMemory } from './engine-problem.js'
import { fetchRest } from './reading/fetch-rest.js'
import { inItsPlace } from './reading/in-its-place.js'
import type { CallWriting, Engine } from './engine.js'
import { placeUntil } from '../place-until.js'
import { isBeyondAll, type RememberedAnswers } from './reading/remembered-answers.js'
import type { QueryOptions } from './reading/reader.js'
import { type QueryResult, runQuery } from './reading/run-query.js'
import { storeClosing } from '../store-closing.js'
import { type ReadQuery, streamDocuments } from './reading/stream-documents.js'

interface Parts {
  readonly engine: Engine
  readonly remembered: RememberedAnswers
  /** Runs the stages that the engine can't, within these bounds. */
  readonly rest: RestPool
  readonly restBounds: RestBounds
  /** See DuckDbStoreOptions. */
  readonly countedAtOnce?: number | undefined
  readonly wordSegment?: number | undefined
  readonly sessionRun?: number | undefined
  /** Size of the store's files. */
  readonly bytes: () => number
  /** Called when the engine is closed. */
  readonly done: () => Promise<void>
}

/** Pipelines of one project that wait to be evaluated; how many questions there are is limited before. */
const MOST_WAITING = 64

/** How often a light query is tried when the engine's memory is taken, and the milliseconds between. */
const MOST_TRIES = 20
const RETRY_MS = 50

function planOf({ pipeline }: ScopedPipeline, { engineStages, keptOut }: Compiled): RunPlan {
  const evaluated = pipeline.stages.length - engineStages
  return { engine_stages: engineStages, evaluated_stages: evaluated, ...(keptOut && { kept_out: keptOut }) }
}

/** A pipeline of ours that the engine has to run from the first stage to the last. */
function wholeInEngine(scoped: ScopedPipeline): CompiledQuery {
  const compiled = compile(scoped, callSource)
  const evaluated = planOf(scoped, compiled).evaluated_stages
  if (evaluated > 0) throw new Error(`The engine cannot run the last ${evaluated} stages`)
  return compiled.query
}

/** Stages that make no documents of none. */
const NOTHING_OF_NOTHING: ReadonlySet<string> = new Set(['$match', '$project', '$group', '$count', '$sort', '$limit'])

/** Whether the engine need not pass over all calls to find that none is dated so far ahead: each of a caller's pipelines asks for those. */
const givesNothingOfNothing = ({ stages }: Pipeline): boolean =>
  stages.every(({ name }) => NOTHING_OF_NOTHING.has(name))

/** The embedded store: one DuckDB file in the data directory, owned by this process alone. See `openDuckDbStore`. */
export class DuckDbStore implements Store, EmbeddedExtras {
  readonly calls: CallStore
  readonly counts: CountStore
  readonly words: DuckDbWords
  readonly sessions: DuckDbSessions
  readonly keys: KeyStore
  readonly projects: ProjectStore
  readonly activity: ActivityTable
  readonly knowledge: KnowledgeStore
  readonly tasks: TaskStore
  readonly events: EventStore
  readonly imports: ImportStore
  readonly teams: Shelf<TeamRecord>
  readonly privacy: PrivacyStore
  readonly oauth: OAuthStore
  readonly rubrics: RubricStore
  readonly reports: ReportStore
  readonly modelAnswers: ModelAnswerStore
  readonly modelBatches: ModelBatchStore
  readonly moved: MovedRows
  readonly leases = new InProcessLeases()
  readonly turns = new InProcessTurns()
  readonly versions = nobodyElse
  readonly #parts: Parts
  /** One place for each thread that evaluates. */
  readonly #evaluating: FairSlots
  #closing: Promise<void> | undefined

  constructor(parts: Parts) {
    const { engine, remembered } = parts
    this.#parts = parts
    this.#evaluating = new FairSlots({
      what: 'evaluated pipelines',
      places: parts.restBounds.workers,
      waitingOfKey: MOST_WAITING,
      waitingOfProject: MOST_WAITING,
    })
    const writing: CallWriting = {
      transaction: (projectId, work) => remembered.changing(projectId, () => engine.transaction(work)),
      checkpoint: () => engine.checkpoint(),
      grow: () => engine.grow(),
      growOnce: () => engine.growOnce(),
    }
    const events = new DuckDbEvents(engine, engine)
    this.events = events
    this.imports = new DuckDbImports(engine, engine)
    this.calls = new DuckDbCalls(writing, engine, engine.secret(), () => events.noted.tell())
    this.counts = new DuckDbCounts({
      engine,
      remembered,
      steady: (projectId, span) => this.#steady(projectId, span),
      countedAtOnce: parts.countedAtOnce,
    })
    this.words = new DuckDbWords(engine, parts.wordSegment)
    this.sessions = new DuckDbSessions(engine, parts.sessionRun)
    this.keys = new DuckDbKeys(engine, engine)
    this.projects = new DuckDbProjects(engine, engine)
    this.activity = new DuckDbActivity(engine, engine)
    this.knowledge = new DuckDbKnowledge(engine, engine)
    this.privacy = new DuckDbPrivacy(engine, engine)
    this.teams = new DuckDbShelf<TeamRecord>(engine, engine, {
      table: 'teams',
      id: 'team_id',
      schema: team.stored,
      idOf: record => record.team_id,
    })
    this.oauth = new DuckDbOAuth(engine, engine)
    this.rubrics = new DuckDbRubrics(engine, engine)
    this.reports = new DuckDbReports(engine, engine)
    this.modelAnswers = new DuckDbModelAnswers(engine, engine)
    this.modelBatches = new DuckDbModelBatches(engine, engine)
    this.tasks = new DuckDbTasks(engine, engine)
    this.moved = new DuckDbMovedRows(engine, engine)
  }

  /** Runs one compiled statement. */
  query(query: CompiledQuery, options: QueryOptions): Promise<QueryResult> {
    return this.#parts.engine.query(query, options)
  }

  async run(scoped: ScopedPipeline, options: RunOptions): Promise<RunResult> {
    const deadline = Deadline.of(options)
    try {
      const { span, scope, pipeline } = scoped
      if (span === undefined) return await this.#runUntil(scoped, options, deadline)
      const { remembered } = this.#parts
      const { projectId } = scope
      const { begun } = remembered.changesOf(projectId)
      const steady = await this.#steady(projectId, span)
      if (steady === undefined) return await this.#runUntil(scoped, options, deadline)
      const found =
        isBeyondAll(steady) && givesNothingOfNothing(pipeline)
          ? { documents: [], truncated: false, plan: { engine_stages: pipeline.stages.length, evaluated_stages: 0 } }
          : await this.#runUntil(narrow(pipeline, scope, steady), options, deadline)
      // Calls that came meanwhile may lie on the other side of the bound.
      return remembered.changesOf(projectId).begun === begun ? found : await this.#runUntil(scoped, options, deadline)
    } finally {
      deadline.dispose()
    }
  }

  /** See RememberedAnswers.steady; undefined where the store can't be read or written either. */
  async #steady(projectId: string, span: TimeSpan): Promise<TimeSpan | undefined> {
    const { remembered, engine } = this.#parts
    if (engine.notReady() !== undefined) return undefined
    return await remembered.steady(projectId, span, instant => this.#firstCallFrom(projectId, instant))
  }

  async #firstCallFrom(projectId: string, instant: number): Promise<number | undefined> {
    // The least of a column itself the engine asks every block for, in vain where a condition stands (3 ms for 4,900 of them).
    const [row] = await this.#parts.engine.rows(
      'select min(epoch_ms(created_dt)) from calls where created_dt >= $2 and project_id = $1',
      [projectId, timestamp(instant)],
      { project: projectId },
    )
    const first = row?.[0]
    return first === null || first === undefined ? undefined : Number(first)
  }

  async #runUntil(scoped: ScopedPipeline, options: RunOptions, deadline: Deadline): Promise<RunResult> {
    const source = await this.#sourceFor(scoped, options)
    let tries = 0
    for (let mostInEngine = Infinity; ;) {
      try {
        // oxlint-disable-next-line no-await-in-loop -- each turn has fewer stages in the engine
        return await this.#run(scoped, options, compile(scoped, source, mostInEngine), deadline)
      } catch (error) {
        if (error instanceof Inexact) {
          // The engine met a value that it can't treat exactly: that stage is evaluated, and those after it.
          mostInEngine = error.engineStages
        } else if (options.lane === 'light' && isOutOfMemory(error) && tries < MOST_TRIES) {
          // What heavy queries hold now they have let go of soon.
          tries += 1
          // oxlint-disable-next-line no-await-in-loop -- waiting is the purpose
          await setTimeout(RETRY_MS)
        } else {
          throw error
        }
      }
    }
  }

  /** What leads to the calls a pipeline begins with. */
  async #sourceFor(scoped: ScopedPipeline, { endsEarly }: RunOptions): Promise<Source> {
    if (pinnedSession(scoped.pipeline.stages[0]) !== undefined) return await this.sessions.sourceFor(scoped.scope)
    return endsEarly === true ? callSource : await this.words.sourceFor(scoped)
  }

  stream(reading: Reading, requester: Requester, signal?: AbortSignal): Readable {
    const { engine } = this.#parts
    const end = (reason: Problem) => void stream.destroy(reason)
    const wholes = (read: ReadQuery) => reading(scoped => read(wholeInEngine(scoped)))
    const documents = streamDocuments(engine, wholes, { requester, end, signal })
    // Each item is many documents: one ahead is enough.
    const stream = Readable.from(documents, { highWaterMark: 1 })
    return stream
  }

  plan(scoped: ScopedPipeline): RunPlan {
    return planOf(scoped, compile(scoped, callSource))
  }

  async #run(scoped: ScopedPipeline, options: RunOptions, compiled: Compiled, deadline: Deadline): Promise<RunResult> {
    const { engine, remembered, rest, restBounds } = this.#parts
    const plan = planOf(scoped, compiled)
    const { maxDocuments, maxBytes } = options
    const requester = { project: scoped.scope.projectId, key: options.key ?? '' }
    if (plan.evaluated_stages === 0) {
      const ask = () =>
        engine.with(
          options.lane,
          { requester, deadline, budget: options.budget, worked: options.worked },
          async (connection, within) => {
            const run = (query: CompiledQuery) => runQuery(connection, query, maxDocuments, within, maxBytes)
            const { bytes, ...found } = await (compiled.place === undefined
              ? run(compiled.query)
              : inItsPlace(connection, compiled.place, within, at =>
                  run(at === undefined ? compiled.query : compile(scoped, callSource, compiled.engineStages, at).query),
                ))
            return { result: { ...found, plan }, bytes }
          },
        )
      // A store that is not there has to say so.
      return await (engine.notReady() === undefined && options.once !== true
        ? remembered.find(scoped.scope.projectId, compiled, options, ask)
        : ask().then(({ result }) => result))
    }
    const { stages, source, derivedFields, now } = scoped.pipeline
    const from = plan.engine_stages
    // What runs outside the engine is heavy, and keeps its place there to the end.
    if (options.budget !== undefined) throw new BudgetSpent()
    const giveBack = await placeUntil(this.#evaluating, requester, deadline)
    const evaluated = engine.with('heavy', { requester, deadline, worked: options.worked }, async connection => {
      const chunks = await fetchRest(connection, compiled, restBounds, stages[from]?.name ?? '', deadline)
      const { rows } = compiled
      const task = { source, derivedFields, now, from, rows, chunks, maxDocuments, maxBytes: maxBytes ?? Infinity }
      return { ...(await rest.run(task, deadline)), plan }
    })
    return await evaluated.finally(giveBack)
  }

  hold<T>(work: (held: HeldStore) => Promise<T>): Promise<T> {
    return this.#parts.engine.hold(work)
  }

  load(): StoreLoad {
    const { engine, remembered, bytes } = this.#parts
    return { lanes: engine.load, bytes: bytes(), remembered: remembered.load }
  }

  notReady(): NotReady | undefined {
    return this.#parts.engine.notReady()
  }

  async ping(): Promise<void> {
    // A table of the store, not a constant: that the engine answers even when its files are no more.
    await this.#parts.engine.rows('select writes from store_position')
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    const { rest, engine, done } = this.#parts
    try {
      await rest.close(storeClosing())
      await engine.close()
    } finally {
      await done()
    }
  }
}
