import type { Actor, HeardCall } from './heard-call.js'

/**
 * Whether a stretch of a call can't be understood: speech of these speakers that was not understood is at least as
 * frequent in it as turns that were.
 *
 * @param from first place of the transcript
 * @param to last place
 */
export function isLost(heard: HeardCall, speakers: readonly Actor[], from: number, to: number): boolean {
  if (!heard.partlyLost) return false
  let lost = 0
  let understood = 0
  for (const speaker of speakers) {
    for (const place of heard.lost[speaker]) if (place >= from && place <= to) lost += 1
    for (const { place, garbled } of heard.by[speaker]) {
      if (place < from || place > to) continue
      if (garbled) lost += 1
      else understood += 1
    }
  }
  return lost > 0 && lost >= understood
}
