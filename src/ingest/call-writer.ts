import { BATCH_CALLS, type CallStore, type PreparedCall, type UpsertResult } from '../store/store.js'
import type { HeldShare } from '../admission/held-share.js'
import { Problem } from '../base/problem.js'
import type { AgentIds } from './agent-ids.js'
import type { ReportKeeper } from './import-report.js'
import type { Fault } from './piece.js'
import type { PlacedRecord } from './prepare-pieces.js'
import { recordWarnings } from './record-warnings.js'
import { SeenIds } from './seen-ids.js'
import type { PackMemory } from './text-pack.js'

/**
 * Bytes of JSON with which a batch is full before it holds BATCH_CALLS: calls of up to 12 KiB come whole batches. One that
 * is not whole is no row group, and is written twice: to the log, and into the file when that is folded.
 */
const BATCH_BYTES = 24 * 1024 * 1024
/** Steps in which room for records is taken. */
const HELD_STEP_BYTES = 256 * 1024

/** What became of a batch, or would. */
type Outcome = Omit<UpsertResult, 'stored' | 'replaced' | 'unkept'> & {
  readonly replaced: number | readonly string[]
  /** Absent of a batch that is not written: the store makes nothing of it. */
  readonly unkept?: UpsertResult['unkept']
}

const ERASED = 'is the id of a call that was erased on request; it is not taken back'
const TAKEN =
  "is made of the file's name, and stored under it is another call, of another agent or start and with other words: import the folder above, rename the file, or say the id with --map session_id=…"
const HELD = 'is the id of a call that a legal hold keeps as it is; it is not replaced'
const BESIDE_BARE =
  'with its id from its path, while another call is stored under the bare name of its file, by which earlier versions called it: erase that one if it is the same call'

interface Placed extends Pick<PlacedRecord, 'file' | 'line' | 'evaluated' | 'warnings'> {
  readonly call: PreparedCall
  /** This import has met the id in an earlier batch. */
  readonly again: boolean
}

/**
 * Gathers prepared records into batches and writes them to one project, one batch after the other. While a batch is
 * written the next one gathers, so at most two are in memory.
 */
export class CallWriter<P> {
  readonly #store: Pick<CallStore, 'upsert' | 'preview'>
  readonly #projectId: string
  readonly #options: { readonly restoreErased: boolean }
  readonly #dryRun: boolean
  readonly #agents: AgentIds
  readonly #report: ReportKeeper
  readonly #seen = new SeenIds()
  /** By session_id: of two equal ids the last one is written. */
  #batch = new Map<string, Placed>()
  #bytes = 0
  /** What the records added so far lie in, as far as they were not written with an earlier batch. */
  #memory: PackMemory[] = []
  readonly #reuse: (memory: readonly PackMemory[]) => void
  readonly #held: HeldShare | undefined
  #heldSteps = 0
  #writing: Promise<void> = Promise.resolve()
  readonly #onWritten: ((place: P, last: string) => void) | undefined
  /** Id of the last call that is stored. */
  #last: string | undefined
  /** A place before which every record was added. */
  #noted: P | undefined

  /**
   * @param reuse takes the memory of records that are written
   * @param onWritten hears of the last place that was noted before what was written, and of the last call that was stored; never before there is one
   * @param held room for records to be written, where others share it: they are written earlier when there is no more
   */
  constructor(
    target: {
      readonly store: Pick<CallStore, 'upsert' | 'preview'>
      readonly projectId: string
      readonly restoreErased: boolean
      /** Nothing is written: what would become of the records is counted. */
      readonly dryRun: boolean
    },
    agents: AgentIds,
    report: ReportKeeper,
    {
      reuse,
      held,
      onWritten,
    }: {
      reuse: (memory: readonly PackMemory[]) => void
      held?: HeldShare | undefined
      onWritten?: (place: P, last: string) => void
    },
  ) {
    this.#onWritten = onWritten
    this.#reuse = reuse
    this.#held = held
    this.#store = target.store
    this.#projectId = target.projectId
    this.#options = { restoreErased: target.restoreErased }
    this.#dryRun = target.dryRun
    this.#agents = agents
    this.#report = report
  }

  /** Takes a record; waits while the store is behind. */
  async add(record: PlacedRecord): Promise<void> {
    if (this.#isFull()) await this.#write()
    const { session_id, agent_name, json, placed, evaluated, warnings, file, line } = record
    const agent_id = this.#agents.idOf(agent_name, record.agent_id)
    this.#report.received += 1
    const earlier = this.#batch.get(session_id)
    const met = this.#seen.meet(session_id) || earlier !== undefined
    // Which file had it in an earlier batch nobody remembers.
    if (met) this.#report.duplicate(earlier?.file ?? file)
    const again = earlier === undefined ? met : earlier.again
    this.#batch.delete(session_id)
    const call = { session_id, agent_id, agent_name, json, ...(placed && { placed }) }
    this.#batch.set(session_id, {
      call,
      file,
      line,
      again,
      ...(evaluated !== undefined && { evaluated }),
      ...(warnings && { warnings }),
    })
    this.#bytes += json.length
    if (!this.#hasRoom()) await this.#write()
  }

  #isFull(): boolean {
    return this.#batch.size >= BATCH_CALLS || this.#bytes >= BATCH_BYTES
  }

  /** Whether what is gathered may wait for more. */
  #hasRoom(): boolean {
    const steps = Math.ceil(this.#bytes / HELD_STEP_BYTES)
    if (this.#held === undefined || steps === this.#heldSteps) return true
    try {
      this.#held.hold(steps * HELD_STEP_BYTES)
    } catch (error) {
      if (error instanceof Problem) return false
      throw error
    }
    this.#heldSteps = steps
    return true
  }

  /** Passes on what records added before lie in, to be used again when the last of them is written. */
  letGo(memory: readonly PackMemory[]): void {
    this.#memory.push(...memory)
  }

  /** Notes a place in what is imported, before which every record was added. */
  async note(place: P): Promise<void> {
    this.#noted = place
    if (this.#isFull()) await this.#write()
  }

  /** Writes what is left. Everything taken is durable when it resolves. */
  async end(): Promise<void> {
    await this.#write()
    await this.#writing
  }

  async #write(): Promise<void> {
    const batch = this.#batch
    this.#batch = new Map()
    this.#bytes = 0
    this.#heldSteps = 0
    this.#held?.hold(0)
    const memory = this.#memory
    this.#memory = []
    const noted = this.#noted
    await this.#writing
    if (batch.size === 0) return
    this.#writing = this.#put([...batch.values()].map(({ call }) => call)).then(async result => {
      this.#reuse(memory)
      await this.#count(batch, result)
      if (noted !== undefined && this.#last !== undefined) this.#onWritten?.(noted, this.#last)
    })
    // A failure is thrown where it is waited for: by the next write, or at the end.
    this.#writing.catch(() => {})
  }

  async #put(calls: readonly PreparedCall[]): Promise<Outcome> {
    if (!this.#dryRun) return await this.#store.upsert(this.#projectId, calls, this.#options)
    return await this.#store.preview(this.#projectId, calls, this.#options)
  }

  async #count(batch: ReadonlyMap<string, Placed>, result: Outcome): Promise<void> {
    const { replaced, erased, taken, held, unkept = [], besideBare } = result
    const ofId = (message: string): Fault => ({ path: 'session_id', message })
    const refused = new Map([
      ...erased.map(id => [id, ofId(ERASED)] as const),
      ...taken.map(id => [id, ofId(TAKEN)] as const),
      ...held.map(id => [id, ofId(HELD)] as const),
      ...unkept.map(({ session_id: id, why }) => [id, { path: '', message: why }] as const),
    ])
    const kept = [...batch].filter(([id]) => !refused.has(id)).map(([, placed]) => placed)
    this.#last = kept.at(-1)?.call.session_id ?? this.#last
    // What an earlier batch of this import stored counts once, and replacing it is no replacement.
    const first = kept.filter(({ again }) => !again)
    const again = kept.length - first.length
    const there = typeof replaced === 'number' ? undefined : new Set(replaced)
    this.#report.replaced += Math.max(0, typeof replaced === 'number' ? replaced - again : 0)
    for (const { call, file, evaluated, warnings = [] } of first) {
      this.#report.store(file, there?.has(call.session_id))
      this.#report.evaluated(evaluated)
      for (const warning of warnings) this.#report.warn(recordWarnings[warning], 1)
      if (warnings.includes('future')) this.#report.futureCalls += 1
    }
    this.#report.warn(BESIDE_BARE, besideBare.length)
    for (const [id, fault] of refused) {
      const placed = batch.get(id)
      // A repeated id was counted as a duplicate when it came, and refused before.
      if (placed === undefined || placed.again) continue
      // It was received as a record already.
      this.#report.received -= 1
      await this.#report.reject({ file: placed.file, line: placed.line, ...fault })
    }
  }
}
