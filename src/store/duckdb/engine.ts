import type { DuckDBConnection } from '@duckdb/node-api'
import { setTimeout as sleep } from 'node:timers/promises'
import { faultClass } from '../../base/fault-class.js'
import type { NotReady } from '../../base/not-ready.js'
import { Problem } from '../../base/problem.js'
import type { HeldStore, StoreLoad } from '../store.js'
import { collectGarbage } from './writing/collect-garbage.js'
import { AcknowledgedWrites } from './files/acknowledged-writes.js'
import { countTables } from './files/count-rows.js'
import type { StoreLog } from './duckdb-store-options.js'
import { isInvalidated, storeFault, wantsMemory } from './engine-problem.js'
import type { OpenEngine } from './files/open-files.js'
import type { Reader } from './reading/reader.js'
import { storeClosing } from '../store-closing.js'
import { ACKNOWLEDGED, FILE, type StoreFiles } from './files/store-files.js'
import { readPosition } from './files/store-position.js'
import { storeVersion } from './files/store-version.js'
import type { Writer } from './writing/writer.js'

/** What the parts of the store read and write through; never a connection they could keep. */
export type Reading = Pick<Reader, 'rows'>
export type Writing = Pick<Writer, 'transaction'> & Pick<Engine, 'checkpoint' | 'grow' | 'growOnce'>

/** What writes the calls of a project, which it has to name: nothing found among them before is given again. */
export interface CallWriting extends Omit<Writing, 'transaction'> {
  transaction<T>(projectId: string, work: (connection: DuckDBConnection) => Promise<T>): Promise<T>
}

interface EngineParts {
  /** Opens the store's files; rejects as long as that can't be done. */
  readonly open: (memoryLimit: string) => Promise<OpenEngine>
  /** What the engine may take: first, when that is too little, and at most. */
  readonly memory: readonly string[]
  /** By path, never opened. `hasRoom`: a store on a full disk must not come and go. */
  readonly files: Pick<StoreFiles, 'hasRoom' | 'hasLog' | 'size'>
  readonly log?: StoreLog | undefined
  /** Milliseconds before the first try again after a fault; doubled with each, up to ten seconds. */
  readonly retryMs?: number | undefined
  /** See `renewAfterWrites` of DuckDbStoreOptions. */
  readonly renewAfterWrites?: number | undefined
}

/** Writes between two collections of garbage, some 50 ms each, where an engine is renewed. */
const WRITES_BETWEEN_COLLECTIONS = 16

/** Between two times that the log is folded, where who reads keeps the engine from it; doubled with each. Milliseconds. */
const FOLD_PAUSE_MS = 1_000
const LONGEST_FOLD_PAUSE_MS = 30_000

const RETRY_MS = 250
const LONGEST_RETRY_MS = 10_000

const NO_LOAD: StoreLoad['lanes'] = { light: { running: 0, waiting: 0 }, heavy: { running: 0, waiting: 0 } }

/**
 * The engine that is open now, and the one place that opens it again: when a fault has made it useless (a checkpoint on
 * a full disk, a failed sync), what runs is ended with a clear refusal, and its files are opened anew, with growing
 * pauses for as long as the cause lasts. What was acknowledged before is in the files; opening checks that.
 */
export class Engine {
  readonly #parts: EngineParts
  #open: OpenEngine | undefined
  /** Which of the memory it may take. */
  #step = 0
  /** Why there is no engine, or why the last write failed. */
  #fault: { readonly code: 'store_unavailable' | 'store_not_writable'; readonly cause: unknown } | undefined
  #repairing: Promise<void> | undefined
  /** Resolves when the engine before this one has let its files go. */
  #ended: Promise<void> = Promise.resolve()
  readonly #closing = new AbortController()
  /** Writes since the engine was opened; counted for the next renewal only. */
  #writes = 0
  /** Under way while the engine is closed and opened again. */
  #renewing: Promise<void> | undefined
  /** What is being read and written, and who waits for it to end. */
  #using = 0
  #unused: (() => void) | undefined
  /** The log is to be folded. */
  #folding: NodeJS.Timeout | undefined

  private constructor(parts: EngineParts, open: OpenEngine) {
    this.#parts = parts
    this.#open = open
  }

  static async start(parts: EngineParts): Promise<Engine> {
    return new Engine(parts, await parts.open(parts.memory[0]!))
  }

  /** Has all the memory it may take from now on, where it began with less. */
  async grow(): Promise<void> {
    await this.#growTo(this.#parts.memory.length - 1)
  }

  /** Has the next larger memory at least, where it began with the smallest. */
  async growOnce(): Promise<void> {
    await this.#growTo(Math.min(1, this.#parts.memory.length - 1))
  }

  async #growTo(step: number): Promise<void> {
    if (step <= this.#step) return
    this.#step = step
    await this.#renew()
    // A fault may be why it has to grow.
    await this.#repairing
  }

  readonly transaction: Writing['transaction'] = work =>
    this.#written(writer => this.#noteWrite(() => writer.transaction(work)))

  /** See Writer.making. */
  readonly making: Writer['making'] = work =>
    this.#written(writer =>
      writer.making((connection, write) => work(connection, one => this.#noteWrite(() => write(one)))),
    )

  async #written<T>(write: (writer: Writer) => Promise<T>): Promise<T> {
    const result = await this.#withEnough(() => this.#use(({ writer }) => write(writer)))
    await this.#tidy()
    return result
  }

  /** Folds the log into the file, now or, where it has to wait for whoever reads, when they have ended: nobody waits for that. */
  async checkpoint(): Promise<void> {
    await this.#fold(FOLD_PAUSE_MS)
  }

  /** @param pauseMs until it is tried again, where it has to wait */
  async #fold(pauseMs: number): Promise<void> {
    const isFolded = await this.#use(({ writer }) => this.#noteWrite(() => writer.checkpoint()))
    clearTimeout(this.#folding)
    if (isFolded || this.#closing.signal.aborted) return
    const again = (): void => void this.#fold(Math.min(2 * pauseMs, LONGEST_FOLD_PAUSE_MS)).catch(() => undefined)
    this.#folding = setTimeout(again, pauseMs).unref()
  }

  /** See Store.hold. */
  async hold<T>(work: (held: HeldStore) => Promise<T>): Promise<T> {
    const { files } = this.#parts
    const look = async (connection: DuckDBConnection): Promise<Omit<HeldStore, 'at' | 'pausedMs'>> => {
      if (files.hasLog()) throw new Problem('conflict', 'The store could not be brought to one file; try again')
      return {
        file: { name: FILE, bytes: files.size() ?? 0 },
        record: { name: ACKNOWLEDGED, text: AcknowledgedWrites.text(await readPosition(connection)) },
        version: await storeVersion(connection),
        counts: await countTables(connection),
      }
    }
    // A failure of the work is not one of the store.
    const tried = (held: HeldStore) =>
      work(held).then(
        value => ({ value }),
        (error: unknown) => ({ error }),
      )
    const done = await this.#use(({ writer }) => this.#noteWrite(() => writer.hold(look, tried)))
    if ('error' in done) throw done.error
    return done.value
  }

  readonly query: Reader['query'] = (query, options) => this.#read(reader => reader.query(query, options))

  readonly rows: Reader['rows'] = (sql, values, options) => this.#read(reader => reader.rows(sql, values, options))

  readonly with: Reader['with'] = (lane, turn, work) => this.#read(reader => reader.with(lane, turn, work))

  readonly lease: Reader['lease'] = (turn, end) => this.#use(({ reader }) => reader.lease(turn, end))

  get load(): StoreLoad['lanes'] {
    return this.#open?.reader.load ?? NO_LOAD
  }

  /** The secret that keys the hashes of erased ids. */
  secret(): string {
    if (this.#open === undefined) throw storeFault(this.#fault?.cause)
    return this.#open.secret
  }

  /** Why the store can't be read or written at the moment; undefined while it can. */
  notReady(): NotReady | undefined {
    if (this.#fault === undefined) return undefined
    return { code: this.#fault.code, cause: faultClass(this.#fault.cause) }
  }

  /** Ends what runs, folds the log into the file, closes. */
  async close(): Promise<void> {
    this.#closing.abort()
    clearTimeout(this.#folding)
    await this.#renewing
    await this.#repairing
    const open = this.#open
    this.#open = undefined
    this.#fault = { code: 'store_unavailable', cause: storeClosing() }
    try {
      await open?.close()
    } catch (error) {
      if (this.#isWhole(this.#step) || !wantsMemory(error)) throw error
      // Everything is in the log; folding it takes more than a small engine has.
      await (await this.#parts.open(this.#parts.memory.at(-1)!)).close()
    }
  }

  #isWhole(step: number): boolean {
    return step === this.#parts.memory.length - 1
  }

  /** Work that is done again, with more memory each time, when a small engine had too little for it. */
  async #withEnough<T>(work: () => Promise<T>): Promise<T> {
    const step = this.#step
    try {
      return await work()
    } catch (error) {
      if (this.#isWhole(step) || !wantsMemory(error)) throw error
      await this.#growTo(step + 1)
      return await this.#withEnough(work)
    }
  }

  async #use<T>(run: (open: OpenEngine) => Promise<T>): Promise<T> {
    if (this.#renewing !== undefined) await this.#renewing
    const open = this.#open
    if (open === undefined) {
      throw this.#closing.signal.aborted ? storeClosing() : storeFault(this.#fault?.cause)
    }
    this.#using += 1
    try {
      return await run(open)
    } catch (error) {
      if (isInvalidated(error) && this.#open === open) this.#abandon(open, causeOf(error))
      throw error
    } finally {
      this.#using -= 1
      if (this.#using === 0) this.#unused?.()
    }
  }

  /** A part of the files that can't be read fails what reads there; all else goes on, so that only the log tells of it. */
  async #read<T>(read: (reader: Reader) => Promise<T>): Promise<T> {
    return await this.#use(async ({ reader }) => {
      try {
        return await read(reader)
      } catch (error) {
        if (isFault(error) && !isInvalidated(error)) this.#tell(causeOf(error), 'the store cannot be read')
        throw error
      }
    })
  }

  /** After a write, where much is written. */
  async #tidy(): Promise<void> {
    const { renewAfterWrites } = this.#parts
    if (renewAfterWrites === undefined) return
    this.#writes += 1
    if (this.#writes >= renewAfterWrites) await this.#renew()
    // What the writes left behind lies in old memory, which JavaScript has no reason to look through: half a kilobyte a call.
    else if (this.#writes % WRITES_BETWEEN_COLLECTIONS === 0) collectGarbage()
  }

  /** Never rejects: files that don't open again are a fault like any other. */
  #renew(): Promise<void> {
    this.#writes = 0
    this.#renewing ??= this.#openAgain().finally(() => (this.#renewing = undefined))
    return this.#renewing
  }

  async #openAgain(): Promise<void> {
    if (this.#using > 0) await new Promise<void>(resolve => (this.#unused = resolve))
    this.#unused = undefined
    const open = this.#open
    if (open === undefined || this.#closing.signal.aborted) return
    this.#open = undefined
    try {
      await open.close()
      collectGarbage()
      this.#open = await this.#parts.open(this.#parts.memory[this.#step]!)
    } catch (error) {
      this.#fault = { code: 'store_unavailable', cause: error }
      this.#startRepair()
    }
  }

  /** A write that fails for its files makes the store unready until a trial succeeds; writes are still taken. */
  async #noteWrite<T>(write: () => Promise<T>): Promise<T> {
    try {
      return await write()
    } catch (error) {
      if (isFault(error) && this.#fault === undefined) this.#notWritable(causeOf(error))
      throw error
    }
  }

  #notWritable(cause: unknown): void {
    this.#fault = { code: 'store_not_writable', cause }
    this.#tell(cause, 'the store cannot be written')
    this.#startRepair()
  }

  #abandon(broken: OpenEngine, cause: unknown): void {
    this.#open = undefined
    this.#fault = { code: 'store_unavailable', cause }
    this.#tell(cause, 'the store failed; its files are opened anew')
    this.#ended = broken.abandon(storeFault(cause))
    this.#startRepair()
  }

  #tell(cause: unknown, what: string): void {
    this.#parts.log?.error({ err: cause, fault: faultClass(cause) }, what)
  }

  #startRepair(): void {
    this.#repairing ??= this.#repair().finally(() => (this.#repairing = undefined))
  }

  /** Tries until there is no fault any more or the store is closed. Never rejects. */
  async #repair(): Promise<void> {
    const { signal } = this.#closing
    let pause = this.#parts.retryMs ?? RETRY_MS
    // oxlint-disable no-await-in-loop -- one try after the other
    while (this.#fault !== undefined && !signal.aborted) {
      await (this.#open === undefined ? this.#tryToOpen() : this.#tryToWrite())
      if (this.#fault === undefined) return
      await sleep(pause, undefined, { signal, ref: false }).catch(() => undefined)
      pause = Math.min(2 * pause, LONGEST_RETRY_MS)
    }
    // oxlint-enable no-await-in-loop
  }

  /** Numbered and recorded like any write: what has to work is just that. */
  async #tryToWrite(): Promise<void> {
    if (!this.#parts.files.hasRoom()) return
    const worked = await this.transaction(() => Promise.resolve(true)).catch(() => false)
    // A trial that found the engine useless has another fault to tell of.
    if (!worked || this.#open === undefined) return
    this.#fault = undefined
    this.#parts.log?.info({}, 'the store can be written again')
  }

  async #tryToOpen(): Promise<void> {
    try {
      await this.#ended
      this.#open = await this.#parts.open(this.#parts.memory[this.#step]!)
      this.#fault = undefined
      this.#parts.log?.info({}, 'the store is open again')
    } catch (error) {
      const known = messageOf(this.#fault?.cause)
      if (messageOf(error) !== known) this.#parts.log?.warn({ err: error }, 'the store cannot be opened again yet')
      this.#fault = { code: 'store_unavailable', cause: error }
    }
  }
}

function isFault(error: unknown): boolean {
  return error instanceof Problem && error.code === 'store_unavailable' && error.cause !== undefined
}

function causeOf(error: unknown): unknown {
  return error instanceof Problem && error.cause !== undefined ? error.cause : error
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
