import type { Rule } from '../rubric/rule.js'
import { type CompiledRule, compiled } from './compiled-rule.js'
import { found, NO, spotAt, UNKNOWN, yes } from './finding.js'
import type { HeardTurn } from './heard-call.js'
import { placeFrom } from './place-from.js'
import type { Reading } from './reading.js'
import type { Gap, Timing } from './timing.js'
import type { Vocabulary } from './vocabulary.js'

/** Times are decimal fractions: what is a nanosecond short of a threshold has reached it. */
const SLACK = 1e-6
const tenths = (value: number) => value.toFixed(1)
/** How many times the least something is. */
const timesOf = (value: number, least: number) => (least > 0 ? value / least : 1)
const measuredAt = (turn: HeardTurn, amount: number, measured: string) =>
  spotAt(turn, undefined, undefined, amount, measured)
const reaches = (value: number, least: number) => value >= least - SLACK

/** The times of a call, or what a rule about times comes to without them. */
function timed(reading: Reading, find: (timing: Timing) => ReturnType<CompiledRule['find']>) {
  if (reading.written) return NO
  return reading.timing === undefined ? UNKNOWN : find(reading.timing)
}

/** Nobody speaks for a while. */
export function compileGap(gap: NonNullable<Rule['gap']>, vocabulary: Vocabulary): CompiledRule {
  const { at_least_s: least, below_s: below = Infinity, unless, at_least: enough = 1 } = gap
  const set = unless === undefined ? undefined : vocabulary.add(unless.any, [unless.by])
  const announced = ({ before }: Gap, reading: Reading): boolean => {
    if (unless === undefined || set === undefined) return false
    // From the end: an announcement just before is the most common.
    const said = reading.said[set]!
    for (let at = placeFrom(said, before.index + 1) - 1; at >= 0; at -= 1) {
      const { index } = said[at]!
      if (reading.backchannels.othersBetween(index, before.index) >= unless.turns) return false
      if (reading.heard.spoken[index]!.actor === unless.by) return true
    }
    return false
  }
  return compiled(
    reading =>
      timed(reading, ({ gaps }) => {
        const long = gaps.filter(({ seconds }) => reaches(seconds, least) && !reaches(seconds, below))
        // Whether it was announced can't be read.
        if (unless !== undefined && !reading.readable) return long.length >= enough ? UNKNOWN : NO
        const left = long.filter(one => !announced(one, reading))
        const spots = left.map(({ seconds, after }) =>
          measuredAt(after, timesOf(seconds, least) / enough, `${tenths(seconds)} s without a word`),
        )
        return found(spots, enough, NO)
      }),
    { times: true },
  )
}

/** Somebody begins before the other one has ended. */
export function compileOverlap(overlap: NonNullable<Rule['overlap']>): CompiledRule {
  const { by, at_least_s: least, turn_at_least_s: length = 0, at_least: enough = 1 } = overlap
  return compiled(
    reading =>
      timed(reading, timing =>
        found(
          overlapsOf(timing, by, least, length).map(({ turn, seconds }) =>
            measuredAt(turn, 1 / enough, `begins ${seconds.toFixed(2)} s before the other one has ended`),
          ),
          enough,
          NO,
        ),
      ),
    { times: true, speakers: ['agent', 'customer'] },
  )
}

/** Turns of a speaker that begin so long before a turn of the other one ends. A backchannel cuts nobody off, and is not cut off. */
export function overlapsOf(
  { turns }: Timing,
  by: 'agent' | 'customer',
  least: number,
  length: number,
): readonly { readonly turn: HeardTurn; readonly seconds: number }[] {
  const overlaps: { turn: HeardTurn; seconds: number }[] = []
  // The turn of the other one that ends last, of those that have begun: the one to be cut off.
  let other: { start: number; end: number } | undefined
  for (const one of turns) {
    if (one.backchannel) continue
    if (one.turn.actor !== by) {
      if (reaches(one.end - one.start, length) && (other === undefined || one.end > other.end)) other = one
    } else if (other !== undefined && one.start > other.start && reaches(other.end - one.start, least)) {
      overlaps.push({ turn: one.turn, seconds: other.end - one.start })
    }
  }
  return overlaps
}

/** Long gaps fill a share of the call. */
export function compileSilence({ gaps_of_s: long, at_least: least, below = Infinity }: NonNullable<Rule['silence']>) {
  return compiled(
    reading =>
      timed(reading, ({ gaps, duration }) => {
        const silent = gaps.filter(({ seconds }) => reaches(seconds, long))
        const sum = silent.reduce((total, { seconds }) => total + seconds, 0)
        const share = duration === 0 ? 0 : sum / duration
        if (!reaches(share, least) || reaches(share, below)) return NO
        const longest = silent.reduce((a, b) => (b.seconds > a.seconds ? b : a), silent[0]!)
        const measured = `${tenths(sum)} of ${tenths(duration)} s are gaps of ${long} s and more`
        return yes(silent.length === 0 ? [] : [measuredAt(longest.after, timesOf(share, least), measured)])
      }),
    { times: true },
  )
}

/** Somebody has a share of the talking time. */
export function compileTalk({ by, at_least: least = 0, below = Infinity }: NonNullable<Rule['talk']>): CompiledRule {
  return compiled(
    reading =>
      timed(reading, timing => {
        const share = talkShare(timing, by)
        if (share === undefined || !reaches(share, least) || reaches(share, below)) return NO
        const longest = timing.turns
          .filter(({ turn }) => turn.actor === by)
          .reduce<Timing['turns'][number] | undefined>(
            (a, b) => (a === undefined || b.end - b.start > a.end - a.start ? b : a),
            undefined,
          )
        const measured = `${Math.round(share * 100)} % of the talking time`
        const amount = least > 0 ? share / least : timesOf(below, share)
        return yes(longest === undefined ? [] : [measuredAt(longest.turn, amount, measured)])
      }),
    { times: true, speakers: ['agent', 'customer'] },
  )
}

/** A speaker's share of the time in which agent or customer speak; undefined when nobody does. */
export function talkShare({ turns }: Timing, by: 'agent' | 'customer'): number | undefined {
  let own = 0
  let all = 0
  for (const { turn, start, end } of turns) {
    all += end - start
    if (turn.actor === by) own += end - start
  }
  return all === 0 ? undefined : own / all
}
