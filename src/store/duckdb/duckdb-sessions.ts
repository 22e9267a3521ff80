import type { Scope, Source } from '../../pipeline/index.js'
import type { MakingOptions, SessionIndex } from '../store.js'
import type { Engine } from './engine.js'
import { makeInPieces, type MadePiece } from './make-in-pieces.js'
import { callSource } from './reading/call-source.js'
import {
  COUNT_SINCE,
  COUNT_UNDER,
  INDEXED_TO,
  makeRun,
  type Numbers,
  RUNS,
  type SessionRun,
} from './sessions/session-runs.js'
import { sessionSource } from './sessions/session-source.js'

/** Calls of a new run at least: until then their keys are looked through, which takes no longer than looking into the runs of many. */
const LEAST_CALLS = 262_144
/** At most, unless the numbers of its calls leave no choice: they are put in order in memory, while nothing else is written. */
const MOST_CALLS = 1_048_576
/** Entries of a run for each of its calls, from which on it is made anew. */
const MOST_STALE = 2

/** Longest that the calls of a run may take to be counted, in milliseconds. */
const COUNT_MS = 60_000

/** A run, with how many entries it has and how many calls stand there. */
interface KnownRun extends SessionRun {
  readonly entries: number
  readonly calls: number
}

/** The index of sessions, which says where a call may stand. */
export class DuckDbSessions implements SessionIndex {
  readonly #engine: Engine
  readonly #leastCalls: number
  readonly #mostCalls: number
  /** By project, before which number of a write everything is in the index; what is in it stays in it. */
  readonly #indexedTo = new Map<string, bigint>()

  /** @param runCalls calls of a new run at least, for tests */
  constructor(engine: Engine, runCalls = LEAST_CALLS) {
    this.#engine = engine
    this.#leastCalls = runCalls
    this.#mostCalls = runCalls * (MOST_CALLS / LEAST_CALLS)
  }

  async indexSessions(projectId: string, options: MakingOptions = {}): Promise<number> {
    const indexed = await makeInPieces(() => this.#indexNext(projectId), options)
    if (indexed > 0) await this.#tidy(projectId, options.signal)
    return indexed
  }

  /** What a pipeline about one session reads calls from. */
  async sourceFor({ projectId }: Pick<Scope, 'projectId'>): Promise<Source> {
    const indexedTo = await this.#indexed(projectId)
    return indexedTo === 0n ? callSource : sessionSource(indexedTo)
  }

  async #indexed(projectId: string): Promise<bigint> {
    const known = this.#indexedTo.get(projectId)
    if (known !== undefined) return known
    const [row] = await this.#engine.rows(INDEXED_TO, [projectId], { project: projectId })
    const found = row?.[0] as bigint
    // A run may have been made meanwhile.
    if (!this.#indexedTo.has(projectId)) this.#indexedTo.set(projectId, found)
    return this.#indexedTo.get(projectId)!
  }

  /** Makes a run of the calls that are in none, where they are enough. */
  async #indexNext(projectId: string): Promise<MadePiece | undefined> {
    const from = await this.#indexed(projectId)
    const [row] = await this.#engine.rows(COUNT_SINCE, [projectId, from], { deadlineMs: COUNT_MS })
    const since = Number(row?.[0])
    if (since < this.#leastCalls) return undefined
    let calls = since
    let to = (row?.[1] as bigint) + 1n
    // The first half of the numbers may be others': then a run is of none.
    while (calls > this.#mostCalls && to - from > 1n) {
      to = from + (to - from) / 2n
      // oxlint-disable-next-line no-await-in-loop -- each half is of the one before
      calls = await this.#countUnder(projectId, { from, to })
    }
    await this.#engine.transaction(connection => makeRun(connection, projectId, { from, to }))
    this.#indexedTo.set(projectId, to)
    return { calls, left: since - calls }
  }

  async #countUnder(projectId: string, { from, to }: Numbers): Promise<number> {
    const [row] = await this.#engine.rows(COUNT_UNDER, [projectId, from, to], { deadlineMs: COUNT_MS })
    return Number(row?.[0])
  }

  /** Makes one run of several that are small, and anew what holds little but calls that stand elsewhere by now. */
  async #tidy(projectId: string, signal: AbortSignal | undefined): Promise<void> {
    const groups = groupsOf(await this.#runs(projectId), this.#mostCalls)
    // oxlint-disable no-await-in-loop -- others write between two runs
    for (const [i, group] of groups.entries()) {
      if (signal?.aborted === true) return
      // The last one goes on growing.
      const isWhole = i < groups.length - 1 && group.length > 1
      if (!isWhole && !group.some(({ entries, calls }) => entries > 0 && entries >= MOST_STALE * calls)) continue
      const numbers = { from: group[0]!.from, to: group.at(-1)!.to }
      await this.#engine.transaction(connection => makeRun(connection, projectId, numbers, group))
    }
    // oxlint-enable no-await-in-loop
  }

  async #runs(projectId: string): Promise<readonly KnownRun[]> {
    const rows = await this.#engine.rows(RUNS, [projectId], { deadlineMs: COUNT_MS })
    const runs: KnownRun[] = []
    for (const [run, from, to, entries] of rows) {
      const numbers = { from: from as bigint, to: to as bigint }
      // oxlint-disable-next-line no-await-in-loop -- a small question after the other
      const calls = await this.#countUnder(projectId, numbers)
      runs.push({ run: Number(run), ...numbers, entries: Number(entries), calls })
    }
    return runs
  }
}

/** Runs that follow each other, as many together as have no more calls than one may have. */
function groupsOf(runs: readonly KnownRun[], most: number): readonly (readonly KnownRun[])[] {
  const groups: KnownRun[][] = []
  let calls = Infinity
  for (const run of runs) {
    calls += run.calls
    if (calls > most) {
      groups.push([])
      calls = run.calls
    }
    groups.at(-1)!.push(run)
  }
  return groups
}
