import { setTimeout as sleep } from 'node:timers/promises'
import type { MakingOptions } from '../store.js'

/** Calls that something was made of, and how many are left. */
export interface MadePiece {
  readonly calls: number
  readonly left: number
}

/**
 * Makes what is kept beside calls, a piece after the other, with as much time for other writes in between. Resolves with how many calls it
 * was made of, when there is no next piece or the signal ends it.
 */
export async function makeInPieces(
  next: () => Promise<MadePiece | undefined>,
  { signal, progress }: MakingOptions,
): Promise<number> {
  const closing = { ...(signal && { signal }), ref: false }
  let made = 0
  // oxlint-disable no-await-in-loop -- others write between two pieces
  for (;;) {
    if (signal?.aborted === true) break
    const began = performance.now()
    const piece = await next()
    if (piece === undefined) break
    made += piece.calls
    progress?.({ made, left: piece.left })
    await sleep(performance.now() - began, undefined, closing).catch(() => undefined)
  }
  // oxlint-enable no-await-in-loop
  return made
}
