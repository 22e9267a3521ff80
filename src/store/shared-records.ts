import { isDeepStrictEqual } from 'node:util'
import { InTurn } from '../base/in-turn.js'
import { InProcessTurns } from './in-process-turns.js'
import type { Store } from './store.js'
import { nobodyElse, type RecordKind } from './versions.js'

/** How processes of one store keep out of each other's way, and hear of each other. */
export type Sharing = Pick<Store, 'turns' | 'versions'>

/** Records that a process keeps in memory and that others may change. */
export interface Followed {
  readonly kind: RecordKind
  /** Takes up what others changed, where the version of the kind is another by now. */
  follow(versions: ReadonlyMap<string, number>): Promise<void>
  /** Takes up what others changed, whatever the versions say. */
  reload(): Promise<void>
}

interface SharedRecordsParts<T> {
  readonly kind: RecordKind
  /** Absent: of one process alone. */
  readonly sharing?: Sharing | undefined
  /** Reads every record of the store. */
  readonly all: () => Promise<readonly T[]>
  readonly idOf: (record: T) => string
  /** Hears of every record as it comes, changes (both) and goes, whoever did it, when it is so here. */
  readonly kept?: (after: T | undefined, before: T | undefined) => void
  /** Hears of what others did, after `kept`. */
  readonly changed?: (after: T | undefined, before: T | undefined) => void
}

/**
 * The records of one kind in memory, by id, every change in the store first. What is looked at in a turn and then written is so
 * among all processes: the turn is theirs too, and begins with what they did before.
 */
export class SharedRecords<T extends object> implements Followed {
  readonly #parts: SharedRecordsParts<T> & { readonly sharing: Sharing }
  readonly #byId = new Map<string, T>()
  /** Gone here, and not yet from the store. */
  readonly #leaving = new Set<string>()
  /** Nothing is read anew while something is written here. */
  readonly #here = new InTurn()
  #version: number | undefined
  #mayWrite: () => void = () => undefined

  constructor(parts: SharedRecordsParts<T>) {
    this.#parts = { ...parts, sharing: parts.sharing ?? { turns: new InProcessTurns(), versions: nobodyElse } }
  }

  /** Reads every record, before anything else is done. */
  async load(): Promise<void> {
    const { all, sharing } = this.#parts
    this.#version = (await sharing.versions.read()).get(this.kind)
    for (const record of await all()) this.set(record)
  }

  get kind(): RecordKind {
    return this.#parts.kind
  }

  get(id: string): T | undefined {
    return this.#byId.get(id)
  }

  values(): Iterable<T> {
    return this.#byId.values()
  }

  /** Does work in turn, beside which nobody writes records of this kind. */
  run<R>(work: () => Promise<R>): Promise<R> {
    const { sharing, kind } = this.#parts
    return sharing.turns.run(kind, ({ mayWrite }) =>
      this.#here.run(async () => {
        await this.#follow(await sharing.versions.read())
        this.#mayWrite = mayWrite
        try {
          return await work()
        } finally {
          this.#mayWrite = () => undefined
        }
      }),
    )
  }

  /** Writes one without looking at others. */
  write(record: T, write: () => Promise<void>): Promise<void> {
    return this.#here.run(() => this.put(record, write))
  }

  /** Writes one, within `run`. @param write in the store */
  async put(record: T, write: () => Promise<void>): Promise<void> {
    this.#mayWrite()
    await write()
    this.set(record)
  }

  /** Takes up what is in the store already. */
  set(record: T): void {
    const { idOf, kept } = this.#parts
    const id = idOf(record)
    const before = this.#byId.get(id)
    this.#byId.set(id, record)
    kept?.(record, before)
  }

  /** Takes up that one is gone from the store already. */
  forget(id: string): void {
    this.#delete(id)
  }

  /** Removes one, within `run`; it is there until the store has removed it. @param remove from the store */
  async remove(id: string, remove: () => Promise<unknown>): Promise<void> {
    this.#mayWrite()
    await remove()
    this.#delete(id)
  }

  /** Removes some without looking at others: from this instant on they are gone here, whatever the store says. */
  async drop(ids: readonly string[], remove: () => Promise<unknown>): Promise<void> {
    for (const id of ids) {
      this.#leaving.add(id)
      this.#delete(id)
    }
    try {
      await this.#here.run(remove)
    } finally {
      for (const id of ids) this.#leaving.delete(id)
    }
  }

  /** Takes up what others did by now. */
  async catchUp(): Promise<void> {
    await this.follow(await this.#parts.sharing.versions.read())
  }

  /** The same where one is not known here: it may have been made elsewhere just now. */
  async lookUp(id: string): Promise<void> {
    if (this.get(id) === undefined) await this.catchUp()
  }

  follow(versions: ReadonlyMap<string, number>): Promise<void> {
    return this.#here.run(() => this.#follow(versions))
  }

  async reload(): Promise<void> {
    const versions = await this.#parts.sharing.versions.read()
    await this.#here.run(() => this.#reload(versions.get(this.kind)))
  }

  async #follow(versions: ReadonlyMap<string, number>): Promise<void> {
    const version = versions.get(this.kind)
    if (version !== this.#version) await this.#reload(version)
  }

  /** @param version read before the records: what is changed between raises it once more */
  async #reload(version: number | undefined): Promise<void> {
    const { all, idOf, changed } = this.#parts
    const found = new Map((await all()).map(record => [idOf(record), record]))
    for (const [id, before] of this.#byId) {
      if (found.has(id)) continue
      this.#delete(id)
      changed?.(undefined, before)
    }
    for (const [id, record] of found) {
      const before = this.#byId.get(id)
      // What is known by the object stays known.
      if (this.#leaving.has(id) || isDeepStrictEqual(before, record)) continue
      this.set(record)
      changed?.(record, before)
    }
    this.#version = version
  }

  #delete(id: string): void {
    const before = this.#byId.get(id)
    if (before === undefined) return
    this.#byId.delete(id)
    this.#parts.kept?.(undefined, before)
  }
}
