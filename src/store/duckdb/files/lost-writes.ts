import { Problem } from '../../../base/problem.js'
import type { AcknowledgedFound } from './acknowledged-writes.js'
import type { StorePosition } from './store-position.js'

/** Acknowledged writes that a store does not hold. */
export interface LostWrites {
  readonly found: StorePosition
  readonly acknowledged: StorePosition
  /** What an operator names to go on without them; another loss has another name. */
  readonly name: string
}

/** What a store at this position has lost, by the record of what was acknowledged; undefined when nothing. */
export function lostWrites(found: StorePosition, recorded: AcknowledgedFound): LostWrites | undefined {
  if (typeof recorded === 'string' || recorded.writes <= found.writes) return undefined
  return { found, acknowledged: recorded, name: `${found.writes}-${recorded.writes}` }
}

/** What is missing, and since when, in a sentence for the operator. */
export function lossSentence({ found, acknowledged }: LostWrites): string {
  const missing = acknowledged.writes - found.writes
  const ends = found.at === undefined ? 'holds no write' : `ends with write ${found.writes} of ${found.at}`
  const last = acknowledged.at === undefined ? '' : ` of ${acknowledged.at}`
  return `The store ${ends}, but write ${acknowledged.writes}${last} was acknowledged: up to ${missing} acknowledged writes are missing. Its write-ahead log was removed, emptied or cut, or an older copy was put in its place`
}

/** The refusal to open such a store. */
export function lossProblem(loss: LostWrites, dataDir: string): Problem {
  return new Problem(
    'conflict',
    `${lossSentence(loss)}. Restore a backup of ${dataDir}, or start once with EARSHOT_ACCEPT_LOSS=${loss.name} to go on without them. Nothing was changed.`,
  )
}
