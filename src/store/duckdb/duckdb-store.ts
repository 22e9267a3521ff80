import { type CompiledQuery, Inexact, type ScopedPipeline, compile, evaluate } from '../../pipeline/index.js'
import { Problem } from '../../base/problem.js'
import type { ActivityStore } from '../activity-store.js'
import type { EventStore } from '../event-store.js'
import type { KnowledgeStore } from '../knowledge-store.js'
import type { TaskStore } from '../task-store.js'
import type { CallStore, KeyStore, ProjectStore, RunOptions, RunResult, Store, StoreLoad } from '../store.js'
import { callSource } from './call-source.js'
import { DuckDbActivity } from './duckdb-activity.js'
import { DuckDbCalls } from './duckdb-calls.js'
import { DuckDbEvents } from './duckdb-events.js'
import { DuckDbKeys } from './duckdb-keys.js'
import { DuckDbKnowledge } from './duckdb-knowledge.js'
import { DuckDbProjects } from './duckdb-projects.js'
import { DuckDbTasks } from './duckdb-tasks.js'
import type { QueryOptions, Reader } from './reader.js'
import type { QueryResult } from './run-query.js'
import type { Writer } from './writer.js'

/** Most documents that stages outside the engine work over. */
const MAX_EVALUATED = 100_000

interface Parts {
  readonly writer: Writer
  readonly reader: Reader
  readonly secret: string
  /** Size of the store's files. */
  readonly bytes: () => number
  /** Closes the engine when nobody uses it any more. */
  readonly closeEngine: () => void
}

/** The embedded store: one DuckDB file in the data directory, owned by this process alone. See `openDuckDbStore`. */
export class DuckDbStore implements Store {
  readonly calls: CallStore
  readonly keys: KeyStore
  readonly projects: ProjectStore
  readonly activity: ActivityStore
  readonly knowledge: KnowledgeStore
  readonly tasks: TaskStore
  readonly events: EventStore
  readonly #parts: Parts
  #closing: Promise<void> | undefined

  constructor(parts: Parts) {
    const { writer, reader } = parts
    this.#parts = parts
    const events = new DuckDbEvents(writer, reader)
    this.events = events
    this.calls = new DuckDbCalls(writer, reader, parts.secret, () => events.noted.tell())
    this.keys = new DuckDbKeys(writer, reader)
    this.projects = new DuckDbProjects(writer, reader)
    this.activity = new DuckDbActivity(writer, reader)
    this.knowledge = new DuckDbKnowledge(writer, reader)
    this.tasks = new DuckDbTasks(writer, reader)
  }

  /** Runs one compiled statement. */
  query(query: CompiledQuery, options: QueryOptions): Promise<QueryResult> {
    return this.#parts.reader.query(query, options)
  }

  async run(scoped: ScopedPipeline, options: RunOptions): Promise<RunResult> {
    for (let mostInEngine = Infinity; ;) {
      try {
        // oxlint-disable-next-line no-await-in-loop -- each turn has fewer stages in the engine
        return await this.#run(scoped, options, mostInEngine)
      } catch (error) {
        // The engine met a value that it can't treat exactly: that stage is evaluated, and those after it.
        if (!(error instanceof Inexact)) throw error
        mostInEngine = error.engineStages
      }
    }
  }

  async #run(scoped: ScopedPipeline, options: RunOptions, mostInEngine: number): Promise<RunResult> {
    const { query, engineStages } = compile(scoped, callSource, mostInEngine)
    const { pipeline } = scoped
    const evaluatedStages = pipeline.stages.length - engineStages
    const plan = { engine_stages: engineStages, evaluated_stages: evaluatedStages }
    const { lane, signal, deadlineMs, maxDocuments } = options
    const maxRows = evaluatedStages === 0 ? maxDocuments : MAX_EVALUATED
    const found = await this.query(query, { lane, signal, deadlineMs, maxRows })
    if (evaluatedStages === 0) return { documents: found.documents, truncated: found.truncated, plan }
    if (found.truncated) {
      const stage = pipeline.stages[engineStages]?.name ?? ''
      throw new Problem(
        'too_large',
        `More than ${MAX_EVALUATED} documents reach ${stage}, which runs outside the engine; narrow them with $match before it`,
      )
    }
    const documents = evaluate(pipeline, found.documents, engineStages)
    return { documents: documents.slice(0, maxDocuments), truncated: documents.length > maxDocuments, plan }
  }

  load(): StoreLoad {
    return { lanes: this.#parts.reader.load, bytes: this.#parts.bytes() }
  }

  async ping(): Promise<void> {
    await this.#parts.reader.rows('select 1')
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    const { writer, reader, closeEngine } = this.#parts
    try {
      // Readers first, so that none holds a snapshot during the checkpoint.
      await reader.close()
      await writer.checkpoint()
    } finally {
      await writer.close()
      closeEngine()
    }
  }
}
