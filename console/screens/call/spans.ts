import type { Turn } from './detail.js'
import type { Mark } from './marks.js'

/** A turn and where on the time line it stands: seconds, or steps of one where the call has no times. */
export interface Span {
  readonly turn: Turn
  readonly from: number
  readonly until: number
}

/** Where nobody speaks, ahead of a turn. */
interface Silence {
  readonly from: number
  readonly until: number
  readonly before: number
  readonly isHold: boolean
}

/** A pause shorter than this is how people talk. Seconds. */
const SILENCE_S = 3
/** Turns in which a wait that is announced begins; later it is another silence. */
const HOLD_TURNS = 3
/** Ends of turns are measured no better than so. Seconds. */
const OVERLAP_S = 0.3

/** Where turns stand. One whose end is not known goes on to the next. */
export function spansOf(turns: readonly Turn[]): readonly Span[] {
  const isTimed = turns.some(turn => turn.start_s !== undefined)
  if (!isTimed) return turns.map((turn, at) => ({ turn, from: at, until: at + 0.9 }))
  const spans: Span[] = []
  let reached = 0
  for (const [at, turn] of turns.entries()) {
    const from = turn.start_s ?? reached
    const next = turns[at + 1]?.start_s
    const until = Math.max(from, turn.end_s ?? next ?? from + 1)
    spans.push({ turn, from, until })
    reached = Math.max(reached, until)
  }
  return spans
}

/** Where nobody speaks for long, on hold where that was announced, and where one begins while the other still speaks. */
export function pausesOf(spans: readonly Span[], marks: ReadonlyMap<number, readonly Mark[]>) {
  const silences: Silence[] = []
  /** Turns until the wait that was announced has to have begun. */
  let left = 0
  const overlaps: number[] = []
  let reached = 0
  let speaker: Turn['actor'] | undefined
  for (const { turn, from, until } of spans) {
    if (from - reached >= SILENCE_S && speaker !== undefined) {
      silences.push({ from: reached, until: from, before: turn.turn, isHold: left > 0 })
      left = 0
    }
    left = marks.get(turn.turn)?.some(one => one.isHold === true) === true ? HOLD_TURNS : left - 1
    if (reached - from >= OVERLAP_S && speaker !== undefined && speaker !== turn.actor) overlaps.push(from)
    if (until >= reached) speaker = turn.actor
    reached = Math.max(reached, until)
  }
  return { silences, overlaps }
}
