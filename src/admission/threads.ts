import type { Requester } from './requester.js'

/** A kind of work that threads do: the name they know it by, and how long one piece of it may take. */
export interface ThreadWork<Task, Result> {
  readonly name: string
  readonly deadlineMs: number
  /** Never there: says what goes in and what comes out. */
  readonly types?: (task: Task) => Result
}

/** How work comes to a thread. */
export interface NamedTask {
  readonly name: string
  readonly task: unknown
}

/** What a kind of work takes. */
export type ThreadTask<Work> = Work extends ThreadWork<infer Task, unknown> ? Task : never

/** For whom a piece of work is done, and until when it is wanted. */
export interface Turn {
  readonly requester: Requester
  readonly signal?: AbortSignal | undefined
}

/** Does work on what tenants send in threads of its own, in fair turns: none of it may keep others from being answered. */
export interface Threads {
  /**
   * Waits for a turn and does a piece of work; what goes in and out is copied.
   * @throws Overrun when it took more time or memory than it may, Problem `cancelled` when the signal ends it, and what
   *   the work throws
   */
  run<Task, Result>(work: ThreadWork<Task, Result>, task: Task, turn: Turn): Promise<Result>
}
