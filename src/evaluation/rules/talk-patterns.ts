import type { CallRecord } from '../../calls/call-record.js'
import { overlapsOf, talkShare } from './compile-time-rules.js'
import type { Reading, Said } from './reading.js'
import type { Timing } from './timing.js'

type TalkPatterns = NonNullable<CallRecord['talk_patterns']>

/** One side cuts the other off when it begins so long before the end of a turn of such a length, seconds. */
const CUT_OFF_S = 0.3
const CUT_OFF_TURN_S = 1
/** Announcements of a wait within so many turns are one hold. */
const SAME_HOLD_TURNS = 4

const to = (digits: number, value: number): number => Math.round(value * 10 ** digits) / 10 ** digits

/** How the talking went, by the clock. What can't be measured is left out. */
export function talkPatternsOf(
  call: CallRecord,
  reading: Reading,
  holds: readonly Said[] | undefined,
): TalkPatterns | undefined {
  const { timing, written } = reading
  const patterns: TalkPatterns = {}
  const brought = call.session_metadata?.audio_length_seconds ?? call.talk_patterns?.total_duration_s
  const duration = timing?.duration ?? brought
  if (duration !== undefined) patterns.total_duration_s = to(2, duration)
  if (!written && holds !== undefined && reading.readable) patterns.hold_count = countHolds(holds, reading)
  if (timing !== undefined && !written) measure(patterns, timing)
  return Object.keys(patterns).length === 0 ? undefined : patterns
}

function measure(patterns: TalkPatterns, timing: Timing): void {
  patterns.interruption_count =
    overlapsOf(timing, 'agent', CUT_OFF_S, CUT_OFF_TURN_S).length +
    overlapsOf(timing, 'customer', CUT_OFF_S, CUT_OFF_TURN_S).length
  const share = talkShare(timing, 'agent')
  if (share !== undefined) patterns.talk_time_ratio = to(3, share)
  const response = meanResponse(timing)
  if (response !== undefined) patterns.avg_response_time_ms = Math.round(response * 1_000)
  if (timing.duration > 0) patterns.silence_ratio = to(3, Math.max(0, 1 - timing.talked / timing.duration))
}

/** Mean seconds from the end of a customer's turn to the agent's answer; an answer that overlaps counts as 0. */
function meanResponse({ turns }: Timing): number | undefined {
  let sum = 0
  let answers = 0
  for (let place = 1; place < turns.length; place += 1) {
    const before = turns[place - 1]!
    const { turn, start } = turns[place]!
    if (turn.actor !== 'agent' || before.turn.actor !== 'customer') continue
    sum += Math.max(0, start - before.end)
    answers += 1
  }
  return answers === 0 ? undefined : sum / answers
}

function countHolds(holds: readonly Said[], { heard, backchannels }: Reading): number {
  let count = 0
  let last: number | undefined
  for (const { index } of holds) {
    if (heard.spoken[index]!.actor !== 'agent') continue
    if (last === undefined || backchannels.othersBetween(last, index) >= SAME_HOLD_TURNS) count += 1
    last = index
  }
  return count
}
