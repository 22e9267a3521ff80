import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { canonicalText } from '../../../base/canonical-text.js'
import type { Compiled, TimeSpan } from '../../../pipeline/index.js'
import type { DaysInRow } from '../../counted-parts.js'
import type { RememberedLoad, RunOptions, RunResult } from '../../store.js'
import { Changes } from './changes.js'

/** A result, and how many bytes its JSON has at least. */
export interface Measured {
  readonly result: RunResult
  readonly bytes: number
}

/** What an entry takes beside what was found, in the same measure. */
const ENTRY_BYTES = 512
/** Part of the room that one result may take. */
const MOST_OF_ROOM = 1 / 4
/** An instant after every call, milliseconds since 1970: calls begin in the years 1970 to 2199. */
const NEVER = Date.UTC(2200, 0)
/** Stands in no project's id. */
const BETWEEN = '\0'

/** Whether a bound of `steady` is one that no call begins behind. */
export const isBeyondAll = ({ from }: TimeSpan): boolean => from?.getTime() === NEVER

interface Kept {
  readonly result: RunResult
  /** What was found of counted days alone: of which, and what stood for them. */
  readonly counted?: { readonly days: readonly DaysInRow[]; readonly mark: string }
}

interface OfProject {
  /** Changes of its calls. */
  readonly changes: Changes
  /**
   * When the first call begins from an instant on, as it was after so many changes: Infinity without one. Milliseconds
   * since 1970. An answer asks for it several times at once: whoever comes while it is looked for waits for the same.
   */
  ahead?: { readonly begun: number; readonly since: number; readonly first: Promise<number> } | undefined
}

/**
 * Results that are given again to whoever asks the same of the same calls. The same means the same statement with the same
 * parameters, and the scope is among them: nobody gets what was found for another scope. What its rows become is part of
 * it too: a statement does not know the names of the fields.
 *
 * While calls of a project are being changed nothing found among them is given or kept, and what was kept before is
 * forgotten: a result is never older than a write that was acknowledged, and what was erased stays nowhere. What was found of counts of days
 * alone is kept on: it hangs on the countings of its days, which a change ends.
 */
export class RememberedAnswers {
  readonly #kept: LRUCache<string, Kept> | undefined
  readonly #projects = new Map<string, OfProject>()
  #given = 0
  #found = 0

  /** @param room bytes of JSON that are kept, in memory some four times as much, and with what questions make of it up to seven; 0 keeps nothing */
  constructor(room: number) {
    if (room > 0) this.#kept = new LRUCache({ maxSize: room, maxEntrySize: Math.ceil(room * MOST_OF_ROOM) })
  }

  /** What was found before, else what `ask` finds. Nobody may change it: it is frozen. */
  async find(
    projectId: string,
    compiled: Pick<Compiled, 'query' | 'rows' | 'engineStages' | 'repeatable'>,
    options: Pick<RunOptions, 'maxDocuments' | 'maxBytes'>,
    ask: () => Promise<Measured>,
  ): Promise<RunResult> {
    return compiled.repeatable ? await this.#find(projectId, hashOf(compiled, options), ask) : (await ask()).result
  }

  async #find(projectId: string, asked: string, ask: () => Promise<Measured>): Promise<RunResult> {
    const kept = this.#kept
    const changes = this.changesOf(projectId)
    const { still } = changes
    if (kept === undefined || still === undefined) return (await ask()).result
    const key = `${projectId}${BETWEEN}${asked}`
    const known = kept.get(key)
    if (known !== undefined) {
      this.#given += 1
      return known.result
    }
    this.#found += 1
    const { result, bytes } = await ask()
    if (changes.begun === still) kept.set(key, { result: frozen(result) }, { size: ENTRY_BYTES + bytes })
    return result
  }

  /**
   * The same of a question to counts. What looks at counted days alone stays true as long as these do, whatever calls come to others.
   * @param asked what tells it from other questions, the scope among it
   * @param counted the days, and what stands for their counts as they are now; absent where calls are read too
   * @param ask `isAsKnown`: whether it found these days so
   */
  async findCounts(
    projectId: string,
    asked: string,
    counted: Kept['counted'],
    ask: () => Promise<Measured & { readonly isAsKnown: boolean }>,
  ): Promise<RunResult> {
    if (counted === undefined) return await this.#find(projectId, asked, ask)
    const key = `${projectId}${BETWEEN}${asked} ${counted.mark}`
    const known = this.#kept?.get(key)
    if (known !== undefined) {
      this.#given += 1
      return known.result
    }
    this.#found += 1
    const { result, bytes, isAsKnown } = await ask()
    if (isAsKnown) this.#kept?.set(key, { result: frozen(result), counted }, { size: ENTRY_BYTES + bytes })
    return result
  }

  /** Lets go of what was found of days that are not counted any more as they were then. @param markOf what stands for some days now */
  keepCounts(projectId: string, markOf: (days: readonly DaysInRow[]) => string | undefined): void {
    this.#drop(projectId, ({ counted }) => counted !== undefined && markOf(counted.days) !== counted.mark)
  }

  /**
   * The same restriction with a bound that stays what it is from one question to the next, and as long as no call of the
   * project changes: in place of an instant, of which every question has its own, the first call that begins at it or
   * later. Calls that are dated ahead become present one by one, and with each the bound is another, so that what was
   * found without it is not given any more.
   *
   * @param firstFrom when the first call of the project begins, from an instant on; milliseconds since 1970
   * @returns undefined while calls are being changed: then there is no such bound
   */
  async steady(
    projectId: string,
    span: TimeSpan,
    firstFrom: (instant: number) => Promise<number | undefined>,
  ): Promise<TimeSpan | undefined> {
    const instant = (span.before ?? span.from)?.getTime()
    const ofProject = this.#ofProject(projectId)
    const { changes } = ofProject
    const begun = changes.still
    if (instant === undefined || begun === undefined) return undefined
    let { ahead } = ofProject
    if (ahead?.begun !== begun || instant < ahead.since || instant > (await ahead.first)) {
      const looking = { begun, since: instant, first: firstFrom(instant).then(found => found ?? Infinity) }
      looking.first.catch(() => {
        if (ofProject.ahead === looking) ofProject.ahead = undefined
      })
      ofProject.ahead = looking
      ahead = looking
    }
    const first = await ahead.first
    if (changes.begun !== begun) return undefined
    const bound = new Date(Math.min(first, NEVER))
    if (span.before === undefined) return { from: bound }
    return first === Infinity ? {} : { before: bound }
  }

  /** Changes of a project's calls. */
  changesOf(projectId: string): Pick<Changes, 'begun' | 'steps' | 'still'> {
    return this.#ofProject(projectId).changes
  }

  /** Whether anything is kept. */
  get keeps(): boolean {
    return this.#kept !== undefined
  }

  get load(): RememberedLoad {
    return { given: this.#given, found: this.#found, bytes: this.#kept?.calculatedSize ?? 0 }
  }

  /** Runs something that may change calls of a project. */
  async changing<T>(projectId: string, change: () => Promise<T>): Promise<T> {
    return await this.#ofProject(projectId).changes.during(() => {
      this.#drop(projectId, ({ counted }) => counted === undefined)
      return change()
    })
  }

  #ofProject(projectId: string): OfProject {
    const found = this.#projects.get(projectId) ?? { changes: new Changes() }
    this.#projects.set(projectId, found)
    return found
  }

  #drop(projectId: string, isGone: (kept: Kept) => boolean): void {
    for (const [key, kept] of this.#kept?.entries() ?? []) {
      if (key.startsWith(`${projectId}${BETWEEN}`) && isGone(kept)) this.#kept?.delete(key)
    }
  }
}

function hashOf(
  { query: { sql, params }, rows, engineStages }: Pick<Compiled, 'query' | 'rows' | 'engineStages'>,
  { maxDocuments, maxBytes }: Pick<RunOptions, 'maxDocuments' | 'maxBytes'>,
) {
  return createHash('sha256')
    .update(sql)
    .update('\0')
    .update(canonicalText([params, rows, engineStages, maxDocuments, maxBytes]))
    .digest('base64')
}

/** A value of documents and lists, with everything in it frozen: several who share it can't change it for each other. */
function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    // Most of what is large are lists of numbers.
    for (const inner of Array.isArray(value) ? value : Object.values(value))
      if (typeof inner === 'object') frozen(inner)
  }
  return value
}
