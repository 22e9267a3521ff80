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
import type { PlacedRecord, PrepareResult } from './prepare-pieces.js'
import { type Masking, noMasks } from '../redact/mask.js'
import { findSources, type ImportInput } from './sources.js'
import { tasksOf } from './tasks-of.js'
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
  const { projectId, store, signal, dryRun = false } = options
  const rubric = dryRun ? undefined : options.evaluate
  const format = options.format === undefined ? undefined : knownFormat(options.format)
  const sources = await findSources(options.inputs)
  const keeper = new ReportKeeper(options.rejects, {
    redacts: options.redact !== false,
    evaluates: rubric !== undefined,
    dryRun,
  })
  const target = { store, projectId, restoreErased: options.restoreErased ?? false, dryRun }
  const agents = new AgentIds(await store.agentIds(projectId))
  const total = sources.every(({ size }) => size !== undefined)
    ? sources.reduce((sum, { size }) => sum + (size ?? 0), 0)
    : undefined
  const memory = new PieceMemory()
  const preparer = preparerOf({ ...options, evaluate: rubric }, memory, total)
  // Without a sink nobody hears of more.
  const mostRejects = options.rejects === undefined ? FIRST_ERRORS : undefined
  const { memory: room } = options
  const place = new ImportPlace(sources, options.resume)
  const writer = new CallWriter(target, agents, keeper, {
    reuse: used => memory.give(used),
    held: room?.batch,
    onWritten: (mark: Place) => {
      const { stored, rejected } = place.earlier
      options.resume?.keep({ ...mark, stored: stored + keeper.stored, rejected: rejected + keeper.rejected })
    },
  })
  let bytes = 0
  let file = ''
  const running: { readonly of: string; readonly result: Promise<PrepareResult>; behind: Place }[] = []
  let contested: ReadonlyMap<string, readonly string[]> = new Map()

  const settleFirst = async (): Promise<void> => {
    const first = running.shift()
    if (first === undefined) return
    const { records, rejects, moreRejects, removed, masked, ...used } = await first.result
    keeper.charactersRemoved += removed
    keeper.redacted(masked)
    for (const record of records) {
      const files = record.placed && contested.get(record.session_id)
      if (files === undefined) await writer.add(record)
      else await keeper.reject(contestedReject(record, files))
    }
    memory.give(used.unused)
    writer.letGo(used.memory)
    for (const reject of rejects) await keeper.reject(reject)
    keeper.rejectMore(first.of, moreRejects)
    await writer.note(first.behind)
    const { received, stored, rejected } = keeper
    options.onProgress?.({ file, bytes, total_bytes: total, received, stored, rejected })
  }

  const take = async (entries: readonly EntryLine[]): Promise<void> => {
    while (running.length > 0) await settleFirst()
    await writer.end()
    const { rejects, masked } = await (options.takeEntries ?? takeNone)(entries, options.redact)
    keeper.redacted(masked)
    for (const reject of rejects) await keeper.reject(reject)
  }

  try {
    const limits = {
      recordBytes: options.maxRecordBytes ?? RECORD_BYTES,
      pieceBytes: PIECE_BYTES,
      pieceRecords: PIECE_RECORDS,
      memory,
      onHeld: room && ((bytes: number) => room.record.hold(bytes > RECORD_FREE_BYTES ? bytes : 0)),
    }
    const reading = {
      reading: {
        redact: options.redact,
        mapping: options.mapping ?? [],
        agentSpeakers: options.agentSpeakers ?? [],
        timeZone: options.timeZone,
      },
      format,
      evaluatesExported: options.evaluatesExported ?? options.takeEntries === undefined,
      limits,
      onBytes: (more: number) => void (bytes += more),
      signal,
      inputBytes: options.maxInputBytes,
    }
    contested = await contestedIds(sources, reading, () =>
      preparerOf({ ...options, evaluate: undefined }, memory, total),
    )
    for (const source of sources) {
      file = source.name
      let known = true
      let parts = 0
      const { done } = place
      if (done === undefined) {
        bytes += source.size ?? 0
        place.behind(source)
        continue
      }
      for await (const cut of tasksOf(source, reading)) {
        signal?.throwIfAborted()
        if (cut.kind === 'skipped') known = false
        else if (parts < done) parts += cut.kind === 'task' ? 1 : 0
        else if (cut.kind === 'reject') await keeper.reject(cut.reject)
        else if (cut.kind === 'entries') await take(cut.entries)
        else {
          keeper.isOf(source.name, cut.task.format)
          const result = preparer.run({ ...cut.task, mostRejects })
          // Waited for in its turn; until then a failure must not count as unhandled.
          result.catch(() => {})
          parts += 1
          running.push({ of: source.name, result, behind: place.within(parts, cut.task.pieces[0]?.line ?? 1) })
          // Results are taken in the order of the input, so that of equal ids the last one wins.
          if (running.length > preparer.width * 2) await settleFirst()
        }
      }
      if (known) keeper.files += 1
      else keeper.skip(source.name)
      const behind = place.behind(source)
      const last = running.at(-1)
      if (last === undefined) await writer.note(behind)
      else last.behind = behind
    }
    while (running.length > 0) await settleFirst()
    signal?.throwIfAborted()
    await writer.end()
    return keeper.report()
  } catch (error) {
    signal?.throwIfAborted()
    throw error
  } finally {
    room?.record.hold(0)
    room?.batch.hold(0)
    await preparer.close()
  }
}

/** Most files that a reject names. */
const MOST_NAMED = 5

function contestedReject({ file, line, session_id: id }: PlacedRecord, files: readonly string[]): Reject {
  const named = files.slice(0, MOST_NAMED).map(echo).join(', ')
  const more = files.length > MOST_NAMED ? ` and ${files.length - MOST_NAMED} more` : ''
  const message = `is made of the file's name and the same, ${echo(id)}, for different calls, none of which is taken: ${named}${more}; import the folder above them, or rename one`
  return { file, line, path: 'session_id', message }
}

function preparerOf(
  { shared, workers, roomy = false, evaluate, signal }: ImportOptions,
  memory: PieceMemory,
  total: number | undefined,
): Preparer {
  if (shared !== undefined)
    return prepareInTurns(shared.threads, { requester: shared.requester, signal }, evaluate, memory)
  const usual = total !== undefined && total <= SMALL_BYTES ? 0 : USUAL_WORKERS
  return createPreparer(workers ?? usual, evaluate, { roomy, memory })
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
