import type { ScopedPipeline, Source } from '../../pipeline/index.js'
import { Deadline } from '../deadline.js'
import type { MakingOptions, WordStore } from '../store.js'
import type { Engine } from './engine.js'
import { makeInPieces, type MadePiece } from './make-in-pieces.js'
import { callSource } from './reading/call-source.js'
import { THE_STORE } from './reading/connection-lane.js'
import { untilEnded } from './reading/until-ended.js'
import { countUnplaced, forgetWords, readWords, takeWords } from './words/make-segment.js'
import { ANY_SEGMENT, MOST_ROWS } from './words/segments.js'
import { looksForWords, wordSource } from './words/word-source.js'

/** Longest that the words of a segment may take to be read, in milliseconds. */
const READ_MS = 600_000

/** The words of calls, kept beside them. */
export class DuckDbWords implements WordStore {
  readonly #engine: Engine
  readonly #segmentCalls: number

  /** @param segmentCalls calls of a segment; fewer that are in none are left to be searched by their texts */
  constructor(engine: Engine, segmentCalls = MOST_ROWS) {
    this.#engine = engine
    this.#segmentCalls = segmentCalls
  }

  indexWords(projectId: string, options: MakingOptions = {}): Promise<number> {
    return makeInPieces(() => this.#makeSegment(projectId, options.signal), options)
  }

  async #makeSegment(projectId: string, signal?: AbortSignal): Promise<MadePiece | undefined> {
    const deadline = new Deadline(READ_MS, signal)
    try {
      // A store that closes ends what runs by itself.
      const { connection, release } = await this.#engine.lease({ requester: THE_STORE, deadline }, () => undefined)
      const reading = <T>(work: () => Promise<T>) => untilEnded(connection, deadline, work)
      try {
        const unplaced = await reading(() => countUnplaced(connection, projectId))
        if (unplaced < this.#segmentCalls) return undefined
        const chosen = await reading(() => readWords(connection, projectId, this.#segmentCalls))
        // Where a call has changed meanwhile it is tried again when calls have been quiet.
        const isTaken = await this.#engine.transaction(writing => takeWords(writing, projectId, chosen))
        return isTaken ? { calls: chosen.calls, left: unplaced - chosen.calls } : undefined
      } finally {
        await forgetWords(connection).catch(() => undefined)
        release()
      }
    } finally {
      deadline.dispose()
    }
  }

  /** What a pipeline reads calls from. */
  async sourceFor({ pipeline, scope }: ScopedPipeline): Promise<Source> {
    // Words are of all agents together: who does not hear them all could tell by the time what others' calls hold.
    if (scope.agents !== 'all' || !looksForWords(pipeline)) return callSource
    const found = await this.#engine.rows(ANY_SEGMENT, [scope.projectId], { project: scope.projectId })
    return found.length === 0 ? callSource : wordSource
  }
}
