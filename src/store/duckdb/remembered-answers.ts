import { createHash } from 'node:crypto'
import { serialize } from 'node:v8'
import { LRUCache } from 'lru-cache'
import type { Compiled, CompiledQuery } from '../../pipeline/index.js'
import type { RememberedLoad, RunOptions, RunResult } from '../store.js'
import { frozen } from './frozen.js'

/** A result, and how many bytes its JSON has at least. */
export interface Measured {
  readonly result: RunResult
  readonly bytes: number
}

/** What an entry takes beside what was found, in the same measure. */
const ENTRY_BYTES = 512
/** Part of the room that one result may take. */
const MOST_OF_ROOM = 1 / 8

/**
 * Results that are given again to whoever asks the same of the same calls. The same means the same statement with the same
 * parameters, and the scope is among them: nobody gets what was found for another scope.
 *
 * While calls are being changed nothing is given or kept, and what was kept before is forgotten: a result is never older
 * than a write that was acknowledged, and what was erased stays nowhere.
 */
export class RememberedAnswers {
  readonly #kept: LRUCache<string, RunResult> | undefined
  /** Changes under way, and how many have begun so far. */
  #changing = 0
  #changes = 0
  #given = 0
  #found = 0

  /** @param room bytes of JSON that are kept, in memory some four times as much; 0 keeps nothing */
  constructor(room: number) {
    if (room > 0) this.#kept = new LRUCache({ maxSize: room, maxEntrySize: Math.ceil(room * MOST_OF_ROOM) })
  }

  /** What was found before, else what `ask` finds. Nobody may change it: it is frozen. */
  async find(
    { query, repeatable }: Pick<Compiled, 'query' | 'repeatable'>,
    options: Pick<RunOptions, 'maxDocuments' | 'maxBytes'>,
    ask: () => Promise<Measured>,
  ): Promise<RunResult> {
    const kept = this.#kept
    if (kept === undefined || this.#changing > 0 || !repeatable) return (await ask()).result
    const key = keyOf(query, options)
    const known = kept.get(key)
    if (known !== undefined) {
      this.#given += 1
      return known
    }
    this.#found += 1
    const changes = this.#changes
    const { result, bytes } = await ask()
    if (this.#changes === changes) kept.set(key, frozen(result), { size: ENTRY_BYTES + bytes })
    return result
  }

  get load(): RememberedLoad {
    return { given: this.#given, found: this.#found, bytes: this.#kept?.calculatedSize ?? 0 }
  }

  /** Runs something that may change calls. */
  async changing<T>(change: () => Promise<T>): Promise<T> {
    this.#changing += 1
    this.#changes += 1
    this.#kept?.clear()
    try {
      return await change()
    } finally {
      this.#changing -= 1
    }
  }
}

function keyOf(
  { sql, params }: CompiledQuery,
  { maxDocuments, maxBytes }: Pick<RunOptions, 'maxDocuments' | 'maxBytes'>,
) {
  return createHash('sha256')
    .update(sql)
    .update('\0')
    .update(serialize([params, maxDocuments, maxBytes]))
    .digest('base64')
}
