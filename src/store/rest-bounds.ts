/** What the stages of a pipeline that run outside the engine may take. */
export interface RestBounds {
  /** Most documents that reach the first of them. */
  readonly documents: number
  /** Most bytes that those documents have. */
  readonly bytes: number
  /** Heap of the thread that runs them, in MiB. */
  readonly heapMib: number
  /** How many pipelines run outside the engine at the same time. */
  readonly workers: number
}

/** Two threads of 256 MiB and what is on its way to them stay far below 1 GiB, the engine not counted. */
export const defaultRestBounds: RestBounds = {
  documents: 500_000,
  bytes: 64 * 1024 * 1024,
  heapMib: 256,
  workers: 2,
}
