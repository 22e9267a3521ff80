import type { RestBounds } from '../rest-bounds.js'

/** What runs at the same time, where nothing else is said. */
export const defaultLanes = { maxLight: 4, maxHeavy: 3, maxBulk: 3 } as const

/** What the embedded store is opened with. */
export interface DuckDbStoreOptions {
  /** Directory that holds the store; made when it is not there (0700). */
  readonly dataDir: string
  /** Most memory the engine takes, such as `512MB`; what it needs beyond goes to the temporary directory. */
  readonly memoryLimit: string
  /**
   * Memory the engine starts with, and takes instead when that is too little, all less than `memoryLimit`: what it has
   * read stays in memory up to its limit. It takes the whole limit when calls come that need it (see `isUsual`).
   */
  readonly smallMemory?: readonly string[]
  /** Threads of the engine, all queries together. */
  readonly threads: number
  /** Most disk that spilled data may take, such as `10GB` (the default). */
  readonly tempDirectoryLimit?: string
  /** Memory let go of at once, from which on the process gives it back, such as `4MB`; default 32MB. */
  readonly giveBackFrom?: string
  /**
   * Size of the log from which it is folded into the file, such as `16MB`; default 64 MB. Until then an engine keeps what
   * is in it in memory too, where it takes half as much again: a small memory needs a small log.
   */
  readonly checkpointFrom?: string
  /**
   * Writes after which the engine is closed and opened again, for who has the store alone and writes much: of each row
   * group it wrote itself the engine keeps some 350 kB until then, in memory that no limit counts. What it finds in a
   * file it loads when it needs it. What is under way ends before, what comes meanwhile waits; only a lease is ended.
   * Default never.
   */
  readonly renewAfterWrites?: number
  /** Calls that are counted together, 50,000 by default; see counts/plan-days.ts. */
  readonly countedAtOnce?: number
  /** Calls whose words are indexed together, 65,536 (the default) at most; see words/segments.ts. */
  readonly wordSegment?: number
  /** Calls from which on a run of the index of sessions is made, 262,144 by default; see sessions/session-runs.ts. */
  readonly sessionRun?: number
  /** Bytes of results that are given again as long as no call changes; default 0, none. */
  readonly rememberBytes?: number
  /** Light queries that run at the same time. Of each lane of three and more one is there for a project that has none. */
  readonly maxLight?: number
  /** Heavy queries that run at the same time. */
  readonly maxHeavy?: number
  /** Exports that run at the same time, one of a project. */
  readonly maxBulk?: number
  /**
   * Heavy queries of a project that may wait; one more is refused as busy. Default 64: a question asks several at once, and how many
   * questions there are is limited before (`Admission`).
   */
  readonly maxWaitingHeavy?: number
  /** Light queries of a project that may wait; default 256. */
  readonly maxWaitingLight?: number
  /** Threads of Node's own pool; default what UV_THREADPOOL_SIZE says. */
  readonly threadPoolSize?: number
  /** What stages outside the engine may take, where it is not the default. */
  readonly rest?: Partial<RestBounds>
  /** Names the loss of acknowledged writes that the operator goes on without; see `lostWrites`. */
  readonly acceptLoss?: string | undefined
  /** Hears the name of a loss that was accepted. */
  readonly onLossAccepted?: (name: string) => void
  /** Why there must be a store in the directory, such as that its audit trail is there; absent: a new one is made. */
  readonly expected?: Expected | undefined
  /** Whether there must be a store already: a directory without one is refused, and not made. Default false. */
  readonly mustBeThere?: boolean
  /** Milliseconds before the first try to open or write again after a fault; default 250. */
  readonly retryMs?: number
  readonly log?: StoreLog
}

/** A sign, beside the store, that there was one. */
export interface Expected {
  /** What is there, such as `its audit trail`. */
  readonly what: string
  /** What an operator names to begin anew all the same. */
  readonly name: string
}

/** The part of a logger that the store uses; pino's fits. */
export interface StoreLog {
  info(details: object, message: string): void
  warn(details: object, message: string): void
  error(details: object, message: string): void
}
