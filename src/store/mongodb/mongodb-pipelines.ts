import { Readable } from 'node:stream'
import type { Requester } from '../../admission/requester.js'
import { entryFile } from '../../base/entry-file.js'
import { Problem } from '../../base/problem.js'
import { type Document, evaluate, type ScopedCounts, type ScopedPipeline } from '../../pipeline/index.js'
import { Deadline } from '../deadline.js'
import { documentTooLarge } from '../document-too-large.js'
import { leastBytes } from '../evaluate-rest.js'
import { BudgetSpent } from '../light-budget.js'
import type { RestBounds } from '../rest-bounds.js'
import { RestPool } from '../rest-pool.js'
import { storeClosing } from '../store-closing.js'
import type { Reading, RunOptions, RunPlan, RunResult } from '../store.js'
import type { DocumentsTask } from './evaluate-documents.js'
import { countsRead } from './counted-calls.js'
import type { MongoReader, Read } from './mongodb-reader.js'
import { type Names, type Native, nativeOf } from './native.js'
import { readCallBson } from './values.js'

/** Longest an export may take, in milliseconds. */
const LONGEST_MS = 24 * 60 * 60 * 1000
const MIB = 1024 * 1024

/** Runs narrowed pipelines: their beginning on the server, the rest in threads over what it returned. */
export class MongoPipelines {
  readonly #reader: MongoReader
  readonly #bounds: RestBounds
  readonly #rest: RestPool<DocumentsTask>

  readonly #otherwise: Names

  /** @param otherwise what the server does otherwise than MongoDB: it is evaluated here */
  constructor(reader: MongoReader, bounds: RestBounds, otherwise: Names) {
    this.#otherwise = otherwise
    this.#reader = reader
    this.#bounds = bounds
    this.#rest = new RestPool<DocumentsTask>(bounds, {
      filename: entryFile(import.meta.url, './evaluate-documents.js'),
      name: 'evaluateDocuments',
    })
  }

  plan(scoped: ScopedPipeline): RunPlan {
    return nativeOf(scoped, this.#otherwise).plan
  }

  run(scoped: ScopedPipeline, options: RunOptions): Promise<RunResult> {
    const native = nativeOf(scoped, this.#otherwise)
    const { pipeline, scope } = scoped
    // What runs outside the server is heavy.
    if (native.plan.evaluated_stages > 0 && options.budget !== undefined) return Promise.reject(new BudgetSpent())
    return this.#within(scope.projectId, options, async deadline => {
      if (native.plan.evaluated_stages === 0) return await this.#whole(native, options, deadline)
      const from = native.plan.engine_stages
      const stage = pipeline.stages[from]?.name ?? ''
      const task = { source: pipeline.source, derivedFields: pipeline.derivedFields, now: pipeline.now, from }
      return { ...(await this.#evaluated(native, task, stage, options, deadline)), plan: native.plan }
    })
  }

  /** Counts are made of calls here, and added up by the pipeline over them. */
  count(scoped: ScopedCounts, options: RunOptions): Promise<RunResult> {
    const { pipeline, scope, asked, before } = scoped
    if (options.budget !== undefined) return Promise.reject(new BudgetSpent())
    const counted = { asked, ...(before !== undefined && { before }) }
    return this.#within(scope.projectId, options, async deadline => {
      const task = {
        source: pipeline.source,
        derivedFields: pipeline.derivedFields,
        now: pipeline.now,
        from: 0,
        counted,
      }
      const found = await this.#evaluated(countsRead(scoped), task, 'the counting', options, deadline)
      return { ...found, plan: { engine_stages: 0, evaluated_stages: pipeline.stages.length } }
    })
  }

  stream(reading: Reading, requester: Requester, signal?: AbortSignal): Readable {
    const deadline = new Deadline(LONGEST_MS, signal)
    const turn = { requester, deadline, deadlineMs: LONGEST_MS }
    const read = (scoped: ScopedPipeline) => this.#streamed(scoped, deadline)
    const reader = this.#reader
    async function* documents(): AsyncGenerator<readonly Document[]> {
      let release: () => void = () => undefined
      const released = new Promise<void>(resolve => (release = resolve))
      try {
        // The place is held until the reader has all of it.
        await new Promise<void>((resolve, reject) => {
          const holding = async () => {
            resolve()
            await released
          }
          reader.with('bulk', turn, holding).catch(reject)
        })
        yield* reading(read)
      } finally {
        release()
        deadline.dispose()
      }
    }
    // Each item is many documents: one ahead is enough.
    return Readable.from(documents(), { highWaterMark: 1 })
  }

  async close(): Promise<void> {
    await this.#rest.close(storeClosing())
  }

  async #within<T>(project: string, options: RunOptions, work: (deadline: Deadline) => Promise<T>): Promise<T> {
    const { lane, key = '', deadlineMs, signal, limitMs, budget, worked } = options
    const deadline = new Deadline(deadlineMs, signal, limitMs)
    try {
      return await this.#reader.with(lane, { requester: { project, key }, deadline, deadlineMs, budget, worked }, work)
    } finally {
      deadline.dispose()
    }
  }

  /** All stages ran on the server. */
  async #whole({ collection, stages, plan }: Native, options: RunOptions, deadline: Deadline): Promise<RunResult> {
    const { maxDocuments, maxBytes = Infinity, deadlineMs } = options
    const documents: Document[] = []
    let left = maxBytes
    const limited = { collection, stages: [...stages, { $limit: maxDocuments + 1 }] }
    for await (const part of this.#reader.documents(limited, deadline, deadlineMs)) {
      for (const bytes of part) {
        const document = readCallBson(bytes)
        left -= leastBytes(document, left)
        if (left < 0 && documents.length === 0) throw documentTooLarge(maxBytes)
        if (left < 0 || documents.length === maxDocuments) return { documents, truncated: true, plan }
        documents.push(document)
      }
    }
    return { documents, truncated: false, plan }
  }

  async #evaluated(
    read: Read,
    task: Pick<DocumentsTask, 'source' | 'derivedFields' | 'now' | 'from' | 'counted'>,
    stage: string,
    { maxDocuments, maxBytes = Infinity, deadlineMs }: RunOptions,
    deadline: Deadline,
  ): Promise<Omit<RunResult, 'plan'>> {
    const chunks: Uint8Array<ArrayBuffer>[] = []
    const tooMuch = (what: string) =>
      new Problem(
        'too_large',
        `More than ${what} reach ${stage}, which runs outside the store; narrow them with $match, or keep fewer fields with $project, before it`,
      )
    let [count, bytes] = [0, 0]
    for await (const part of this.#reader.documents(read, deadline, deadlineMs)) {
      count += part.length
      if (count > this.#bounds.documents) throw tooMuch(`${this.#bounds.documents} documents`)
      const length = part.reduce((sum, one) => sum + one.length, 0)
      bytes += length
      if (bytes > this.#bounds.bytes) throw tooMuch(`${this.#bounds.bytes / MIB} MiB`)
      const chunk = new Uint8Array(length)
      let at = 0
      for (const one of part) {
        chunk.set(one, at)
        at += one.length
      }
      chunks.push(chunk)
    }
    return await this.#rest.run({ ...task, chunks, maxDocuments, maxBytes }, deadline)
  }

  /** A pipeline of ours: what the server does not run of it looks at one document at a time. */
  async *#streamed(scoped: ScopedPipeline, deadline: Deadline): AsyncGenerator<readonly Document[]> {
    const native = nativeOf(scoped, this.#otherwise)
    const from = native.plan.engine_stages
    if (scoped.pipeline.stages.slice(from).some(({ order }) => order !== 'kept')) {
      throw new Error(`The store cannot run the last ${native.plan.evaluated_stages} stages`)
    }
    for await (const part of this.#reader.documents(native, deadline, LONGEST_MS)) {
      yield evaluate(scoped.pipeline, part.map(readCallBson), from)
    }
  }
}
