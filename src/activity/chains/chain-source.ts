import { createHash } from 'node:crypto'
import type { ActivityRecord } from '../../store/activity-record.js'
import { type AuditChainStore, type AuditLine, counterOf } from '../../store/audit-chains.js'
import type { Lease, Leases } from '../../store/leases.js'
import { activityEvent } from '../activity-event.js'
import type { TrailSource } from '../trail-source.js'

interface Parts {
  readonly store: Pick<AuditChainStore, 'chains' | 'lines' | 'position' | 'putPosition'>
  readonly leases: Leases
  /** Names the target: what another one got says nothing of this one. */
  readonly name: string
}

/** The event of a line as others take it; undefined where this program can't read it. */
export function eventOf({ seq, event }: Pick<AuditLine, 'seq' | 'event'>): ActivityRecord | undefined {
  const read = activityEvent.safeParse({ seq, ...event })
  return read.success ? read.data : undefined
}

/**
 * The trail of all processes of a store, chain after chain, for the one of them that has the lease: another goes on where it
 * stopped. Only what was acknowledged is given.
 */
export class ChainSource implements TrailSource {
  readonly #parts: Parts
  /** Under which it is known how far the target is. */
  readonly #name: string
  #lease: Lease | undefined
  #kept: ReadonlyMap<number, number> | undefined
  /** By chain, how far it was given. */
  #given = new Map<number, number>()
  /** How far it was given when an event was the last, by its number: those that are not sure yet. */
  #marks: { readonly seq: number; readonly given: ReadonlyMap<number, number> }[] = []

  constructor(parts: Parts) {
    this.#parts = parts
    this.#name = `audit-stream ${createHash('sha256').update(parts.name).digest('base64url').slice(0, 22)}`
  }

  async next(limit: number): Promise<Awaited<ReturnType<TrailSource['next']>>> {
    const { store } = this.#parts
    if (!(await this.#hasLease())) return { events: [], atEnd: true }
    for (const { number, begins, head } of await store.chains()) {
      const after = Math.max(this.#given.get(number) ?? 0, begins.counter - 1)
      if (after >= head.counter) continue
      // oxlint-disable-next-line no-await-in-loop -- the first that has some
      const lines = (await store.lines(number, after, limit)).filter(({ seq }) => counterOf(seq) <= head.counter)
      const last = lines.at(-1)
      if (last === undefined) continue
      this.#given.set(number, counterOf(last.seq))
      const events = lines.flatMap(line => eventOf(line) ?? [])
      const mark = events.at(-1)
      if (mark !== undefined) this.#marks.push({ seq: mark.seq, given: new Map(this.#given) })
      return { events, atEnd: false }
    }
    return { events: [], atEnd: true }
  }

  async keep(seq: number): Promise<void> {
    // Of one chain all before it are there, and all that was given before that chain was gone on with.
    const sure = this.#marks.findLastIndex(mark => mark.seq === seq)
    const mark = this.#marks[sure]
    if (mark === undefined) return
    this.#lease?.mayWrite()
    await this.#parts.store.putPosition(this.#name, mark.given)
    this.#kept = mark.given
    this.#marks = this.#marks.slice(sure + 1)
  }

  restart(): void {
    this.#given = new Map(this.#kept)
    this.#marks = []
  }

  async close(): Promise<void> {
    await this.#lease?.release()
  }

  async #hasLease(): Promise<boolean> {
    if (this.#lease?.lost.aborted === false) return true
    this.#lease = await this.#parts.leases.take('audit-stream')
    if (this.#lease === undefined) return false
    // Another may have gone on meanwhile.
    this.#kept = await this.#parts.store.position(this.#name)
    this.restart()
    return true
  }
}
