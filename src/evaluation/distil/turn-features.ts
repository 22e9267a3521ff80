import type { CallRecord } from '../../calls/call-record.js'
import { hashed } from '../rules/form-table.js'
import { type HeardTurn, hearCall } from '../rules/heard-call.js'
import { english } from '../rules/languages/english.js'
import type { Word } from '../rules/words.js'

/** Places that features are hashed to: the number of one fits two bytes. */
export const PLACES = 0x1_00_00

/** Longest run of words that is a feature: of the turn itself, and of the turn before. */
const OWN_RUN = 2
const EARLIER_RUN = 1
/** Turns at either end of what a speaker says whose words are features of their own too: greetings and goodbyes. */
const EDGE_TURNS = 3
/** Where words stand, beside who says them: a feature's hash begins with the sum. */
const ZONE = { anywhere: 0, first: 0x1_00, last: 0x2_00, earlier: 0x4_00 } as const
/** Turns and words of a call that are looked at, from its beginning: ten times those of a usual one. */
const MOST_TURNS = 500
const MOST_WORDS = 20_000

/** The basis of FNV-1a. */
const FIRST_HASH = 0x81_1c_9d_c5 | 0
const [BLANK, NUMBER] = [0x20, 0x23]

/** A spoken turn as a classifier sees it. */
export interface SeenTurn {
  /** The number the record gives it. */
  readonly turn: number
  /** Places of its features, each once. */
  readonly features: Uint16Array
}

/**
 * What a classifier sees of a call: of each spoken turn the words and pairs of words, with who says them, once more where it is
 * among the first or last three of its speaker, and the words of the turn before. Each is hashed to one of 65,536 places by FNV-1a
 * (feature hashing: Weinberger et al., 2009), so that what is learnt holds no words. All numbers are one word.
 */
export function seenTurns(call: CallRecord): readonly SeenTurn[] {
  // All calls in one way: what was learnt knows no languages.
  const heard = hearCall(call, english)
  const seen: SeenTurn[] = []
  let left = MOST_WORDS
  let earlier: HeardTurn | undefined
  for (const one of heard.spoken.slice(0, MOST_TURNS)) {
    left -= one.said.words.length
    if (left < 0) break
    const places = new Set<number>()
    const add = (turn: HeardTurn, zone: number, longest: number) =>
      addRuns(places, turn.said.words, turn.actor.charCodeAt(0) + zone, longest)
    add(one, ZONE.anywhere, OWN_RUN)
    if (one.own < EDGE_TURNS) add(one, ZONE.first, OWN_RUN)
    if (one.own >= heard.by[one.actor].length - EDGE_TURNS) add(one, ZONE.last, OWN_RUN)
    if (earlier !== undefined) add(earlier, ZONE.earlier, EARLIER_RUN)
    seen.push({ turn: one.turn, features: Uint16Array.from(places) })
    earlier = one
  }
  return seen
}

function addRuns(places: Set<number>, words: readonly Word[], beginning: number, longest: number): void {
  for (let from = 0; from < words.length; from += 1) {
    let hash = hashed(FIRST_HASH, beginning)
    for (let at = from; at < Math.min(words.length, from + longest); at += 1) {
      const { text, before } = words[at]!
      if (at > from && before === 'stop') break
      hash = hashed(hash, BLANK)
      if (/^\p{N}/u.test(text)) hash = hashed(hash, NUMBER)
      else for (let unit = 0; unit < text.length; unit += 1) hash = hashed(hash, text.charCodeAt(unit))
      // The upper half too: what is multiplied carries upwards only.
      places.add((hash ^ (hash >>> 16)) & (PLACES - 1))
    }
  }
}
