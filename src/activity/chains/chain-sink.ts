import { hostname } from 'node:os'
import {
  type AuditChain,
  type AuditChainStore,
  type AuditLine,
  type ChainList,
  counterOf,
  seqOf,
} from '../../store/audit-chains.js'
import type { Leases } from '../../store/leases.js'
import type { NewActivityEvent } from '../activity-event.js'
import type { AuditSink } from '../audit-sink.js'
import type { ChainKey } from '../chain-key.js'
import { chainSeal, firstMac, isBefore, isSealedList, lineMac, sealList, sealPlace } from './seals.js'

/** Between two looks for what is too old, in milliseconds: one process at a time does it for all. */
const EXPIRE_EVERY_MS = 60 * 60 * 1000

interface Parts {
  readonly store: AuditChainStore
  readonly leases: Leases
  readonly key: ChainKey
}

/**
 * The trail in a store of several processes: a chain for each, so that none waits for another. A chain is on the list of chains
 * before its first line is acknowledged, and every line is there, with the head that says so, before its answer leaves. After a write
 * that failed another chain is begun: what may still arrive of it is in nobody's way.
 */
export class ChainSink implements AuditSink {
  readonly key: ChainKey
  readonly #store: AuditChainStore
  readonly #leases: Leases
  #chain: Pick<AuditChain, 'number'> | undefined
  #mac = ''
  #lastSequence = 0
  #expireFrom = 0

  constructor({ store, leases, key }: Parts) {
    this.key = key
    this.#store = store
    this.#leases = leases
  }

  get lastSequence(): number {
    return this.#lastSequence
  }

  /** The last line of this process, and its seal; undefined before the first. */
  get head(): { readonly chain: number; readonly last: number; readonly mac: string } | undefined {
    const last = counterOf(this.#lastSequence)
    return this.#chain === undefined || last === 0 ? undefined : { chain: this.#chain.number, last, mac: this.#mac }
  }

  async write(events: readonly NewActivityEvent[]): Promise<void> {
    const { number } = (this.#chain ??= await this.#begin())
    const written = new Date().toISOString()
    let mac = this.#mac
    const lines = events.map((event, index): AuditLine => {
      const line = { seq: this.#lastSequence + 1 + index, written, event }
      mac = lineMac(this.key, mac, line)
      return { ...line, mac }
    })
    const last = this.#lastSequence + lines.length
    await this.#store.append(lines)
    await this.#store.putHead(number, sealPlace(this.key, 'head', number, { counter: counterOf(last), mac }))
    this.#mac = mac
    this.#lastSequence = last
  }

  async abandon(): Promise<void> {
    this.#chain = undefined
    await Promise.resolve()
  }

  async renew(): Promise<void> {
    this.#chain = await this.#begin()
  }

  async upkeep(): Promise<void> {
    await Promise.resolve()
  }

  async removeBefore(instant: number): Promise<readonly string[]> {
    if (performance.now() < this.#expireFrom) return []
    const lease = await this.#leases.take('audit-retention')
    if (lease === undefined) return []
    try {
      const removed: string[] = []
      const list = await this.#store.list()
      for (const chain of await this.#store.chains()) {
        lease.mayWrite()
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        const count = await (isBefore(this.key, list, chain.number)
          ? this.#removeWhole(chain)
          : this.#shorten(chain, new Date(instant).toISOString()))
        if (count > 0) removed.push(`chain ${chain.number}: ${count} lines`)
      }
      this.#expireFrom = performance.now() + EXPIRE_EVERY_MS
      return removed
    } finally {
      await lease.release()
    }
  }

  async close(): Promise<void> {
    await Promise.resolve()
  }

  async #begin(): Promise<AuditChain> {
    for (;;) {
      // oxlint-disable no-await-in-loop -- until a number is this process's
      const list = await this.#store.list()
      const number = (list?.last ?? 0) + 1
      const identity = { number, host: hostname(), pid: process.pid, started: new Date().toISOString() }
      const seal = chainSeal(this.key, identity)
      const mac = firstMac(this.key, seal)
      const chain: AuditChain = {
        ...identity,
        seal,
        begins: sealPlace(this.key, 'begins', number, { counter: 1, mac }),
        head: sealPlace(this.key, 'head', number, { counter: 0, mac }),
      }
      const isOurs = await this.#store.begin(chain)
      // Also where the number is another's: that process may have died before it said so.
      await this.#lengthen(list, number)
      if (!isOurs) continue
      // oxlint-enable no-await-in-loop
      this.#mac = mac
      this.#lastSequence = seqOf(number, 0)
      return chain
    }
  }

  /** Puts a number on the list, unless it is there by now. */
  async #lengthen(from: ChainList | undefined, number: number): Promise<void> {
    for (let list = from; (list?.last ?? 0) < number; list = await this.#store.list()) {
      if (list !== undefined && !isSealedList(this.key, list)) {
        throw new Error('The list of chains of the audit trail is not as it was sealed')
      }
      // oxlint-disable-next-line no-await-in-loop -- until it is there
      if (await this.#store.putList(sealList(this.key, { first: list?.first ?? 1, last: number }), list)) return
    }
  }

  /** Takes from a chain what is too old; one of which nothing is left goes, from the first on. */
  async #shorten({ number, started, begins, head }: AuditChain, instant: string): Promise<number> {
    const first = await this.#store.firstSince(number, instant)
    const isOver = first === undefined && started < instant && number !== this.#chain?.number
    if (isOver) {
      const list = await this.#store.list()
      if (list === undefined || list.first !== number || list.last === number) return 0
      if (!(await this.#store.putList(sealList(this.key, { first: number + 1, last: list.last }), list))) return 0
      return await this.#removeWhole({ number, begins, head })
    }
    const counter = first === undefined ? begins.counter : counterOf(first.seq)
    if (counter > begins.counter) {
      const [before] = await this.#store.lines(number, counter - 2, 1)
      if (before === undefined || counterOf(before.seq) !== counter - 1) return 0
      // Said before anything goes: what is missing without it was taken by somebody else.
      await this.#store.putBegins(number, sealPlace(this.key, 'begins', number, { counter, mac: before.mac }))
    }
    return await this.#store.removeBefore(number, counter)
  }

  /** One that is off the list: also where whoever took it off was killed before it was gone. */
  async #removeWhole({ number, begins, head }: Pick<AuditChain, 'number' | 'begins' | 'head'>): Promise<number> {
    await this.#store.removeChain(number)
    return head.counter - begins.counter + 1
  }
}
