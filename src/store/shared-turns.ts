import type { Lease } from './leases.js'

/** Turns among all processes of a store, by name: what is read in one is so until it ends. */
export interface SharedTurns {
  /** Resolves or rejects as the work does; work that failed does not hold up the next. */
  run<T>(name: string, work: (turn: Pick<Lease, 'fence' | 'mayWrite'>) => Promise<T>): Promise<T>
  /** For names of which there are as many as calls: nothing is fenced by such a turn, and no trace of it stays. */
  pass<T>(name: string, work: () => Promise<T>): Promise<T>
}
