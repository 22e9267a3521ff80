import { setTimeout } from 'node:timers/promises'

/** Milliseconds. More than there is between two refusals that must not be told from each other by their time. */
const BEAT_MS = 25

/** Resolves at a multiple of the beat after an instant of performance.now(). */
export async function onBeat(began: number): Promise<void> {
  const beats = Math.ceil((performance.now() - began) / BEAT_MS)
  await until(began + beats * BEAT_MS)
}

/** Waits for an instant of performance.now(). Timers count whole milliseconds and may end before it; then once more. */
async function until(instant: number): Promise<void> {
  for (let left = instant - performance.now(); left > 0; left = instant - performance.now()) {
    // oxlint-disable-next-line no-await-in-loop -- each wait is for the rest of the one before
    await setTimeout(Math.ceil(left))
  }
}
