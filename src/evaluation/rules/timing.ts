import type { CallRecord } from '../../calls/call-record.js'
import type { Backchannels } from './backchannels.js'
import type { HeardCall, HeardTurn } from './heard-call.js'

/** A spoken turn with its times. */
interface TimedTurn {
  readonly turn: HeardTurn
  readonly start: number
  readonly end: number
  /** No more is said in it than that somebody listens. */
  readonly backchannel: boolean
}

/** Nobody speaks, between two turns. */
export interface Gap {
  readonly seconds: number
  readonly before: HeardTurn
  readonly after: HeardTurn
}

/** What the clock shows of a call. Seconds throughout. */
export interface Timing {
  /** Spoken turns in the order of their beginning. */
  readonly turns: readonly TimedTurn[]
  readonly gaps: readonly Gap[]
  readonly duration: number
  /** Time in which somebody speaks. */
  readonly talked: number
}

/** A call is not measured when more than this share of its turns have no usable times. */
const MOST_UNTIMED = 0.2
/** Nor when more than this share of its turns begin well before the turn that stands before them. */
const MOST_BACKWARD = 0.5
/** Turns may begin a little before the one before them: people talk at once, and channels are cut apart. */
const BACKWARD_S = 5

/** Measures a call; undefined when its times are missing or can't be right. */
export function timingOf(call: CallRecord, heard: HeardCall, backchannels: Backchannels): Timing | undefined {
  const turns: TimedTurn[] = []
  let backward = 0
  let last = -Infinity
  for (const turn of heard.spoken) {
    if (turn.actor === 'system') continue
    const { start, end } = turn
    if (start === undefined || end === undefined || end < start) continue
    if (start < last - BACKWARD_S) backward += 1
    last = start
    turns.push({ turn, start, end, backchannel: backchannels.has(turn.index) })
  }
  const spoken = heard.by.agent.length + heard.by.customer.length
  if (turns.length === 0 || spoken - turns.length > spoken * MOST_UNTIMED) return undefined
  if (backward > turns.length * MOST_BACKWARD) return undefined
  turns.sort((a, b) => a.start - b.start || a.turn.index - b.turn.index)
  const gaps: Gap[] = []
  let talked = 0
  let until = turns[0]!
  let reached = until.start
  for (const one of turns) {
    if (one.start > reached) {
      gaps.push({ seconds: one.start - reached, before: until.turn, after: one.turn })
      talked += one.end - one.start
    } else talked += Math.max(0, one.end - reached)
    if (one.end >= reached) {
      reached = one.end
      until = one
    }
  }
  return { turns, gaps, duration: durationOf(call, reached), talked }
}

/** The length the record brings, unless somebody still speaks after it; else to the end of the last turn. */
function durationOf(call: CallRecord, reached: number): number {
  const brought = call.session_metadata?.audio_length_seconds ?? call.talk_patterns?.total_duration_s ?? 0
  return Math.max(brought, reached)
}
