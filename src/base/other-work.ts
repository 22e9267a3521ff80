import { setImmediate } from 'node:timers/promises'

let last: Promise<void> = Promise.resolve()

/**
 * Resolves in a later turn of this thread's loop. Long work awaits it between its pieces, so that others get their turn; and of all
 * the long work there is, one piece is done in a turn: ten callers who ask for something large keep the next request waiting
 * for a piece, not for ten.
 */
export function otherWork(): Promise<void> {
  last = last.then(() => setImmediate())
  return last
}
