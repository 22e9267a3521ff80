import type { Writable } from 'node:stream'
import { Problem } from '../base/problem.js'
import { echo } from '../base/text.js'
import type { RunRubric } from '../evaluation/run/evaluate-batch.js'
import type { HeldShare } from '../admission/held-share.js'
import type { Requester } from '../admission/requester.js'
import type { Threads } from '../admission/threads.js'
import type { CallStore } from '../store/store.js'
import { AgentIds } from './agent-ids.js'
import { CallWriter } from './call-writer.js'
import { contestedIds } from './contested-ids.js'
import type { EntryLine, TakeEntries } from './entries.js'
import type { Format } from './formats/format.js'
import { formats } from './formats/formats.js'
import { ImportPlace, type Place, type Resume } from './import-mark.js'
import { FIRST_ERRORS, type ImportReport, ReportKeeper } from './import-report.js'
import type { Reject } from './piece.js'
import type { MapRule } from './mapping/map-rule.js'
import { PieceMemory } from './piece-memory.js'
import { prepareInTurns } from './prepare-in-turns.js'
import type { PlacedRecord, PrepareResult, PrepareTask } from './prepare-pieces.js'
import { type Masking, noMasks } from '../redact/mask.js'
import { findSources, type ImportInput, type Source } from './sources.js'
import { type ReadOptions, tasksOf } from './tasks-of.js'
import { createPreparer, type Preparer } from './worker-pool.js'

const PIECE_BYTES = 256 * 1024
/** The same of records: each is as much work, however short. */
const PIECE_RECORDS = 2_048
/** A record that is not whole counts when it is longer than this: what is read of an input at a time. */
const RECORD_FREE_BYTES = 256 * 1024
const RECORD_BYTES = 16 * 1024 * 1024
/** Inputs of up to this many bytes in all are read in this thread: starting another takes longer than the work. */
const SMALL_BYTES = 256 * 1024
/** One keeps up with the engine, which writes with one thread. Another takes 75 MB where it evaluates. */
const USUAL_WORKERS = 1

/** How far an import has come. */
export interface ImportProgress {
  /** The input being read. */
  readonly file: string
  readonly bytes: number
  /** All bytes there are; unknown when an input is a stream. */
  readonly total_bytes: number | undefined
  readonly received: number
  readonly stored: number
  readonly rejected: number
}

export interface ImportOptions {
  /** Files, folders, `-` for standard input, or streams under a name; read in this order. */
  readonly inputs: readonly ImportInput[]
  readonly projectId: string
  readonly store: Pick<CallStore, 'upsert' | 'preview' | 'agentIds'>
  /** Only looks: the report says what would become of every record and file. Nothing is evaluated or written. */
  readonly dryRun?: boolean
  /** Name of a format to read every input as; else each is recognised by its content. */
  readonly format?: string
  /** Takes every reject as a line of JSON {file, line, path, message, also?}. It is not ended. */
  readonly rejects?: Writable
  /** Hears of progress after every piece of about 256 KiB. */
  readonly onProgress?: (progress: ImportProgress) => void
  /** Ends the import early; calls stored so far stay. */
  readonly signal?: AbortSignal
  /** Worker threads of this import that parse, check and evaluate; 0 does so in this thread. Default: 1, for small inputs 0. */
  readonly workers?: number
  /** Whether its workers may take memory for speed. Default false. */
  readonly roomy?: boolean
  /** Threads that others use too, in place of own ones, and for whom they work: what a service imports by. */
  readonly shared?: { readonly threads: Threads; readonly requester: Requester }
  /**
   * Which personal data is masked in every free text (`maskingOf` a project). Not optional, so that nobody who imports forgets
   * the project's setting.
   */
  readonly redact: Masking
  /**
   * What calls are evaluated by that bring no evaluation; undefined leaves them as they come. Not optional, for the same
   * reason.
   */
  readonly evaluate: RunRubric | undefined
  /** Takes what stands in the export of a project beside calls; without it only the calls are taken, like any others. */
  readonly takeEntries?: TakeEntries
  /** With it, calls in the export of a project stay as they were there; true evaluates them like others. */
  readonly evaluatesExported?: boolean
  /** Where fields come from in sources that have their own names; see parseMaps. */
  readonly mapping?: readonly MapRule[]
  /** Labels of the speakers who are agents. */
  readonly agentSpeakers?: readonly string[]
  /** IANA zone of times that say none; without it such times are refused. */
  readonly timeZone?: string
  /**
   * What an import holds while it waits for its input, where others share the memory: of a record that is not whole, which
   * ends the import when there is no room for it, and of records to be written, which are written earlier then.
   */
  readonly memory?: { readonly record: HeldShare; readonly batch: HeldShare }
  /** Goes on where an import of the same inputs, read the same way, was interrupted. */
  readonly resume?: Resume | undefined
  /** Takes calls back that were erased on request. */
  readonly restoreErased?: boolean
  /** Most bytes of one record. Default 16 MiB. */
  readonly maxRecordBytes?: number
  /** Most bytes of one input, decompressed; unbounded by default. */
  readonly maxInputBytes?: number
}

/**
 * Imports calls into a project. Inputs of any size are streamed; good records are kept whatever stands beside them; of
 * equal session_ids the last one wins.
 *
 * @returns what became of every record, when everything kept is durable
 * @throws Problem `not_found` for a path that does not exist, `invalid_input` for an unknown format, `too_large` for an
 *   input over its limit; calls stored by then stay
 * @throws the signal's reason when it was aborted, and whatever the store throws
 */
export async function importCalls(options: ImportOptions): Promise<ImportReport> {
  const format = options.format === undefined ? undefined : knownFormat(options.format)
  const sources = await findSources(options.inputs)
  const agents = new AgentIds(await options.store.agentIds(options.projectId))
  const run = new ImportRun(options, sources, { format, agents, isStored: await isLastStored(options) })
  try {
    return await run.toItsEnd()
  } catch (error) {
    options.signal?.throwIfAborted()
    throw error
  } finally {
    await run.close()
  }
}

/**
 * Whether the store has heard of the call that was stored last before an interruption. It says nothing where that call
 * was stored before the interrupted import already.
 */
async function isLastStored({ resume, store, projectId }: ImportOptions): Promise<boolean> {
  const last = resume?.from?.last
  if (last === undefined) return false
  const { replaced, held, erased } = await store.preview(projectId, [{ session_id: last, agent_name: '' }])
  return replaced.length + held.length + erased.length > 0
}

/** What an import knows before it begins. */
interface Known {
  readonly format: Format | undefined
  readonly agents: AgentIds
  readonly isStored: boolean
}

/** Pieces that are being prepared, and where the import is when they are written. */
interface Preparing {
  readonly of: string
  readonly result: Promise<PrepareResult>
  behind: Place
}

/**
 * One import: what its inputs are cut into is prepared, several tasks at a time, and settled in the order of the input, so
 * that of equal ids the last one wins.
 */
class ImportRun {
  readonly #options: ImportOptions
  readonly #sources: readonly Source[]
  /** Of all inputs; unknown when one is a stream. */
  readonly #totalBytes: number | undefined
  readonly #keeper: ReportKeeper
  readonly #memory = new PieceMemory()
  readonly #preparer: Preparer
  readonly #place: ImportPlace
  readonly #writer: CallWriter<Place>
  readonly #reading: ReadOptions
  readonly #preparing: Preparing[] = []
  /** Ids that files of one name would give different calls, and which files. */
  #contested: ReadonlyMap<string, readonly string[]> = new Map()
  #bytes = 0
  #file = ''

  constructor(options: ImportOptions, sources: readonly Source[], { format, agents, isStored }: Known) {
    const { projectId, store, resume, memory: room, dryRun = false } = options
    this.#options = options
    this.#sources = sources
    this.#totalBytes = bytesOf(sources)
    const evaluate = dryRun ? undefined : options.evaluate
    this.#keeper = new ReportKeeper(options.rejects, {
      redacts: options.redact !== false,
      evaluates: evaluate !== undefined,
      dryRun,
    })
    this.#preparer = this.#createPreparer(evaluate)
    this.#place = new ImportPlace(sources, resume, isStored)
    const target = { store, projectId, restoreErased: options.restoreErased ?? false, dryRun }
    this.#writer = new CallWriter(target, agents, this.#keeper, {
      reuse: used => this.#memory.give(used),
      held: room?.batch,
      onWritten: (mark, last) => {
        const { stored, rejected } = this.#place.earlier
        const { stored: more, rejected: moreRejected } = this.#keeper
        resume?.keep({ ...mark, last, stored: stored + more, rejected: rejected + moreRejected })
      },
    })
    this.#reading = {
      reading: {
        redact: options.redact,
        mapping: options.mapping ?? [],
        agentSpeakers: options.agentSpeakers ?? [],
        timeZone: options.timeZone,
      },
      format,
      evaluatesExported: options.evaluatesExported ?? options.takeEntries === undefined,
      limits: {
        recordBytes: options.maxRecordBytes ?? RECORD_BYTES,
        pieceBytes: PIECE_BYTES,
        pieceRecords: PIECE_RECORDS,
        memory: this.#memory,
        onHeld: room && (bytes => room.record.hold(bytes > RECORD_FREE_BYTES ? bytes : 0)),
      },
      onBytes: more => void (this.#bytes += more),
      signal: options.signal,
      inputBytes: options.maxInputBytes,
    }
  }

  async toItsEnd(): Promise<ImportReport> {
    this.#contested = await contestedIds(this.#sources, this.#reading, () => this.#createPreparer(undefined))
    for (const source of this.#sources) await this.#read(source)
    await this.#settleAll()
    this.#options.signal?.throwIfAborted()
    await this.#writer.end()
    return this.#keeper.report()
  }

  async close(): Promise<void> {
    const { memory: room } = this.#options
    room?.record.hold(0)
    room?.batch.hold(0)
    await this.#preparer.close()
  }

  async #read(source: Source): Promise<void> {
    this.#file = source.name
    const { done } = this.#place
    if (done === undefined) {
      this.#bytes += source.size ?? 0
      this.#place.behind(source)
      return
    }
    const isKnown = await this.#readFrom(done, source)
    if (isKnown) this.#keeper.files += 1
    else this.#keeper.skip(source.name)
    const behind = this.#place.behind(source)
    const last = this.#preparing.at(-1)
    if (last === undefined) await this.#writer.note(behind)
    else last.behind = behind
  }

  /**
   * Reads a source behind so many parts of it, which were done before.
   * @returns whether its format is known
   */
  async #readFrom(done: number, source: Source): Promise<boolean> {
    let isKnown = true
    let parts = 0
    for await (const cut of tasksOf(source, this.#reading)) {
      this.#options.signal?.throwIfAborted()
      if (cut.kind === 'skipped') isKnown = false
      else if (parts < done) parts += cut.kind === 'task' ? 1 : 0
      else if (cut.kind === 'reject') await this.#keeper.reject(cut.reject)
      else if (cut.kind === 'entries') await this.#take(cut.entries)
      else {
        parts += 1
        this.#prepare(cut.task, source, this.#place.within(parts, cut.task.pieces[0]?.line ?? 1))
        if (this.#preparing.length > this.#preparer.width * 2) await this.#settleFirst()
      }
    }
    return isKnown
  }

  #prepare(task: PrepareTask, source: Source, behind: Place): void {
    this.#keeper.isOf(source.name, task.format)
    // Without a sink nobody hears of more.
    const mostRejects = this.#options.rejects === undefined ? FIRST_ERRORS : undefined
    const result = this.#preparer.run({ ...task, mostRejects })
    // Waited for in its turn; until then a failure must not count as unhandled.
    result.catch(() => {})
    this.#preparing.push({ of: source.name, result, behind })
  }

  async #settleAll(): Promise<void> {
    while (this.#preparing.length > 0) await this.#settleFirst()
  }

  async #settleFirst(): Promise<void> {
    const first = this.#preparing.shift()
    if (first === undefined) return
    const { records, rejects, moreRejects, removed, masked, ...used } = await first.result
    this.#keeper.charactersRemoved += removed
    this.#keeper.redacted(masked)
    for (const record of records) {
      const files = record.placed && this.#contested.get(record.session_id)
      if (files === undefined) await this.#writer.add(record)
      else await this.#keeper.reject(contestedReject(record, files))
    }
    this.#memory.give(used.unused)
    this.#writer.letGo(used.memory)
    for (const reject of rejects) await this.#keeper.reject(reject)
    this.#keeper.rejectMore(first.of, moreRejects)
    await this.#writer.note(first.behind)
    const { received, stored, rejected } = this.#keeper
    const total_bytes = this.#totalBytes
    this.#options.onProgress?.({ file: this.#file, bytes: this.#bytes, total_bytes, received, stored, rejected })
  }

  /** Takes what stands in the export of a project beside calls, when all calls before it are written. */
  async #take(entries: readonly EntryLine[]): Promise<void> {
    await this.#settleAll()
    await this.#writer.end()
    const { takeEntries = takeNone, redact } = this.#options
    const { rejects, masked } = await takeEntries(entries, redact)
    this.#keeper.redacted(masked)
    for (const reject of rejects) await this.#keeper.reject(reject)
  }

  #createPreparer(evaluate: RunRubric | undefined): Preparer {
    const { shared, workers, roomy = false, signal } = this.#options
    if (shared !== undefined) {
      const { threads, requester } = shared
      return prepareInTurns(threads, { requester, signal }, evaluate, this.#memory)
    }
    const usual = this.#totalBytes !== undefined && this.#totalBytes <= SMALL_BYTES ? 0 : USUAL_WORKERS
    return createPreparer(workers ?? usual, evaluate, { roomy, memory: this.#memory })
  }
}

/** How many bytes sources have in all; undefined when one is a stream. */
function bytesOf(sources: readonly Source[]): number | undefined {
  if (sources.some(({ size }) => size === undefined)) return undefined
  return sources.reduce((sum, { size = 0 }) => sum + size, 0)
}

/** Most files that a reject names. */
const MOST_NAMED = 5

function contestedReject({ file, line, session_id: id }: PlacedRecord, files: readonly string[]): Reject {
  const named = files.slice(0, MOST_NAMED).map(echo).join(', ')
  const more = files.length > MOST_NAMED ? ` and ${files.length - MOST_NAMED} more` : ''
  const message = `is made of the file's name and the same, ${echo(id)}, for different calls, none of which is taken: ${named}${more}; import the folder above them, or rename one`
  return { file, line, path: 'session_id', message }
}

const takeNone: TakeEntries = entries =>
  Promise.resolve({
    rejects: entries.map(({ file, line }) => {
      const message = 'is no call but a setting or the like, of the export of a project; "earshot import" takes those'
      return { file, line, path: '', message }
    }),
    masked: noMasks(),
  })

function knownFormat(name: string): Format {
  const format = formats.find(candidate => candidate.name === name)
  if (format !== undefined) return format
  const known = formats.map(candidate => echo(candidate.name)).join(', ')
  throw new Problem('invalid_input', `Unknown import format ${echo(name)} (known: ${known})`)
}
