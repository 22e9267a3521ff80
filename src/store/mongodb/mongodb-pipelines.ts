import { Readable } from 'node:stream'
import type { Requester } from '../../admission/requester.js'
import { entryFile } from '../../base/entry-file.js'
import { Problem } from '../../base/problem.js'
import { defaultLimits, type Document, evaluate, type ScopedCounts, type ScopedPipeline } from '../../pipeline/index.js'
import type { Rest } from '../counted-parts.js'
import { Deadline } from '../deadline.js'
import { documentTooLarge } from '../document-too-large.js'
import { leastBytes } from '../evaluate-rest.js'
import { BudgetSpent } from '../light-budget.js'
import type { RestBounds } from '../rest-bounds.js'
import { RestPool } from '../rest-pool.js'
import { storeClosing } from '../store-closing.js'
import type { Reading, RunOptions, RunPlan, RunResult } from '../store.js'
import type { DocumentsTask } from './evaluate-documents.js'
import { type MongoReader, type Read, RefusedByServer } from './mongodb-reader.js'
import type { Names } from './native-expression.js'
import { type Native, nativeOf } from './native.js'
import { readCallBson } from './values.js'

/** Longest an export may take, in milliseconds. */
const LONGEST_MS = 24 * 60 * 60 * 1000
const MIB = 1024 * 1024
/** Longest that is read for counts of days, in milliseconds. */
const COUNT_MS = 600_000
/** Bytes of calls that are counted, or of counts that are added up, together. */
const COUNTED_BYTES = 16 * MIB
/** A pipeline that gives what it is given. */
const EVERYTHING = { json: [{ $match: {} }], shape: undefined, limits: defaultLimits }

type Chunks = Uint8Array<ArrayBuffer>[]

/** What no document makes a server refuse: filters and the order of calls. */
const isSimple = (name: string) =>
  ['stage:$match', 'stage:$sort', 'stage:$limit', 'stage:$skip'].includes(name) ||
  (name.startsWith('match:') && name !== 'match:$regex' && name !== 'match:$expr')

/** Runs narrowed pipelines: their beginning on the server, the rest in threads over what it returned. */
export class MongoPipelines {
  readonly #reader: MongoReader
  readonly #bounds: RestBounds
  readonly #rest: RestPool<DocumentsTask>

  readonly #answered: Names
  readonly #simple: Names

  /** @param answered what the server does as MongoDB does: all else is evaluated here */
  constructor(reader: MongoReader, bounds: RestBounds, answered: Names) {
    this.#answered = answered
    this.#simple = new Set([...answered].filter(isSimple))
    this.#reader = reader
    this.#bounds = bounds
    this.#rest = new RestPool<DocumentsTask>(bounds, {
      filename: entryFile(import.meta.url, './evaluate-documents.js'),
      name: 'evaluateDocuments',
    })
  }

  plan(scoped: ScopedPipeline): RunPlan {
    return nativeOf(scoped, this.#answered).plan
  }

  async run(scoped: ScopedPipeline, options: RunOptions): Promise<RunResult> {
    try {
      return await this.#run(scoped, nativeOf(scoped, this.#answered), options)
    } catch (error) {
      if (!(error instanceof RefusedByServer)) throw error
      // A value that an operator refuses, or a server that does: what is to be said of it is said here.
      return await this.#run(scoped, nativeOf(scoped, this.#simple), options)
    }
  }

  #run(scoped: ScopedPipeline, native: Native, options: RunOptions): Promise<RunResult> {
    const { pipeline, scope } = scoped
    const { plan, groups } = native
    const isWhole = plan.evaluated_stages === 0 && !groups
    // What runs outside the server is heavy.
    if (!isWhole && options.budget !== undefined) return Promise.reject(new BudgetSpent())
    return this.within(scope.projectId, options, async deadline => {
      if (isWhole) return await this.#whole(native, options, deadline)
      const from = plan.engine_stages
      const stage = pipeline.stages[from]?.name ?? 'the end'
      const { source, derivedFields, now } = pipeline
      const task = { source, derivedFields, now, from, ...(groups && { groups }) }
      return { ...(await this.#evaluated(native, task, stage, options, deadline)), plan }
    })
  }

  /**
   * A pipeline over counts: those of days as the server has added them up, and those that calls are, which are made here.
   * @param calls what reads the calls, where there are any
   * @param days what reads the counts of days, where there are any
   */
  async count(
    { pipeline, asked }: ScopedCounts,
    { calls, days, rests }: { readonly calls?: Read; readonly days?: Read; readonly rests: readonly Rest[] },
    { maxDocuments, maxBytes = Infinity, deadlineMs }: RunOptions,
    deadline: Deadline,
  ): Promise<RunResult> {
    const gather = async (read: Read | undefined) =>
      read === undefined ? [] : await this.#gather(read, 'the counting', deadlineMs, deadline)
    const [chunks, rows] = [await gather(calls), await gather(days)]
    const { source, derivedFields, now, stages } = pipeline
    const counted = { asked, rests, rows }
    const task = { source, derivedFields, now, from: 0, chunks, counted, maxDocuments, maxBytes }
    const plan = { engine_stages: 0, evaluated_stages: stages.length }
    return { ...(await this.#rest.run(task, deadline)), plan }
  }

  /** What is kept of days or blocks of several, by what is read for it: some at a time, each time as documents that add up with the others. */
  async *keptCounts(
    read: Read,
    of: Pick<DocumentsTask, 'days' | 'blocks'>,
    deadline: Deadline,
  ): AsyncGenerator<readonly Document[]> {
    const parts = { source: EVERYTHING, derivedFields: true, now: new Date(), from: 0, ...of }
    const bounds = { maxDocuments: Infinity, maxBytes: Infinity }
    const count = async (chunks: Chunks) => await this.#rest.run({ ...parts, ...bounds, chunks }, deadline)
    let [chunks, bytes]: [Chunks, number] = [[], 0]
    for await (const part of this.#reader.documents(read, deadline, COUNT_MS)) {
      const chunk = joined(part)
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes < COUNTED_BYTES) continue
      yield (await count(chunks)).documents
      ;[chunks, bytes] = [[], 0]
    }
    if (chunks.length > 0) yield (await count(chunks)).documents
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

  /** Does work in a place of a lane, until the deadline. */
  async within<T>(project: string, options: RunOptions, work: (deadline: Deadline) => Promise<T>): Promise<T> {
    const { lane, key = '', deadlineMs, budget, worked } = options
    const deadline = Deadline.of(options)
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
    task: Pick<DocumentsTask, 'source' | 'derivedFields' | 'now' | 'from' | 'groups'>,
    stage: string,
    { maxDocuments, maxBytes = Infinity, deadlineMs }: RunOptions,
    deadline: Deadline,
  ): Promise<Omit<RunResult, 'plan'>> {
    const chunks = await this.#gather(read, stage, deadlineMs, deadline)
    return await this.#rest.run({ ...task, chunks, maxDocuments, maxBytes }, deadline)
  }

  /** Documents for the threads, as many as they take. @param stage what they are for, for the sentence */
  async #gather(read: Read, stage: string, deadlineMs: number, deadline: Deadline): Promise<Chunks> {
    const chunks: Chunks = []
    const tooMuch = (what: string) =>
      new Problem(
        'too_large',
        `More than ${what} reach ${stage}, which runs outside the store; narrow them with $match, or keep fewer fields with $project, before it`,
      )
    let [count, bytes] = [0, 0]
    for await (const part of this.#reader.documents(read, deadline, deadlineMs)) {
      count += part.length
      if (count > this.#bounds.documents) throw tooMuch(`${this.#bounds.documents} documents`)
      const chunk = joined(part)
      bytes += chunk.length
      if (bytes > this.#bounds.bytes) throw tooMuch(`${this.#bounds.bytes / MIB} MiB`)
      chunks.push(chunk)
    }
    return chunks
  }

  /** A pipeline of ours: what the server does not run of it looks at one document at a time. */
  async *#streamed(scoped: ScopedPipeline, deadline: Deadline): AsyncGenerator<readonly Document[]> {
    const native = nativeOf(scoped, this.#simple)
    const from = native.plan.engine_stages
    if (scoped.pipeline.stages.slice(from).some(({ order }) => order !== 'kept')) {
      throw new Error(`The store cannot run the last ${native.plan.evaluated_stages} stages`)
    }
    for await (const part of this.#reader.documents(native, deadline, LONGEST_MS)) {
      yield evaluate(scoped.pipeline, part.map(readCallBson), from)
    }
  }
}

/** Documents one behind the other. */
function joined(documents: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const chunk = new Uint8Array(documents.reduce((sum, one) => sum + one.length, 0))
  let at = 0
  for (const one of documents) {
    chunk.set(one, at)
    at += one.length
  }
  return chunk
}
