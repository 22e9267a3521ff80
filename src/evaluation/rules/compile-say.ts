import type { SayRule } from '../rubric/rule.js'
import { type CompiledRule, compiled, composed } from './compiled-rule.js'
import { type Covering, covered } from './covered.js'
import { type Finding, found, NO, type Spot, spotAt, UNKNOWN } from './finding.js'
import type { Actor, HeardTurn } from './heard-call.js'
import { isLost } from './lost-region.js'
import { placeFrom } from './place-from.js'
import type { Reading, Said } from './reading.js'
import type { Vocabulary } from './vocabulary.js'

const ALL: readonly Actor[] = ['agent', 'customer', 'system']

/** A stretch of the call in which something has to be said. */
interface Stretch extends Covering {
  /** Places in the transcript, to ask what was not understood there. */
  readonly fromPlace: number
  readonly toPlace: number
}

/** @param after the rule that `after` names, made ready */
export function compileSay(say: SayRule, vocabulary: Vocabulary, after: CompiledRule | undefined): CompiledRule {
  const speakers = say.by === 'anyone' ? ALL : [say.by]
  const set = say.any === undefined ? undefined : vocabulary.add(say.any, speakers)
  const notSet = say.not === undefined ? undefined : vocabulary.add(say.not, speakers)
  const enough = say.at_least ?? 1
  const find = (reading: Reading): Finding => {
    if (!reading.readable) return UNKNOWN
    const before = after?.find(reading)
    if (before !== undefined && before.truth !== 'yes') return before.truth === 'no' ? NO : UNKNOWN
    const hits = set === undefined ? anything(speakers, reading) : reading.said[set]!
    // Most of what is looked for is not there.
    if (hits.length < enough && !reading.heard.partlyLost) return NO
    const stretches =
      before === undefined
        ? [wholeStretch(say, speakers, reading)]
        : stretchesAfter(before.spots, say, speakers, reading)
    const not = notSet === undefined ? [] : reading.said[notSet]!
    const isWithin = covered(stretches)
    const spots: Spot[] = []
    let lastTurn = -1
    for (const hit of hits) {
      if (hit.index === lastTurn) continue
      const turn = reading.heard.spoken[hit.index]!
      if (!speakers.includes(turn.actor)) continue
      if (!isWithin(hit)) continue
      if (not.length > 0 && isVoid(hit, not)) continue
      lastTurn = hit.index
      const { from, to } = hit
      spots.push(spotAt(turn, from, to, enough === 1 ? undefined : 1 / enough))
    }
    if (spots.length >= enough) {
      // An answer that can't be understood may have been another one than what was said next.
      const [first] = spots
      const doubtful =
        set === undefined &&
        first !== undefined &&
        stretches.some(({ fromPlace }) => isBetween(reading, speakers, fromPlace, first.turn.place))
      return doubtful ? UNKNOWN : found(spots, enough, NO)
    }
    if (!reading.heard.partlyLost) return NO
    const lost = stretches.some(({ fromPlace, toPlace }) => isLost(reading.heard, speakers, fromPlace, toPlace))
    return lost ? UNKNOWN : NO
  }
  const looks = compiled(find, { words: true, speakers: say.by === 'anyone' ? ['agent', 'customer'] : [say.by] })
  return after === undefined ? looks : { ...composed(find, [looks, after]), speakers: looks.speakers }
}

/** Every spoken turn of the speakers, whole. */
function anything(speakers: readonly Actor[], { heard }: Reading): readonly Said[] {
  return turnsOf(speakers, heard).map(({ index, said }) => ({ index, from: 0, to: said.words.length }))
}

/** Whether the speakers say something that can't be understood between two places. */
function isBetween({ heard }: Reading, speakers: readonly Actor[], from: number, to: number): boolean {
  return speakers.some(speaker => heard.lost[speaker].some(place => place > from && place < to))
}

function isVoid(hit: Said, not: readonly Said[]): boolean {
  for (let at = placeFrom(not, hit.index); not[at]?.index === hit.index; at += 1) {
    const { from, to } = not[at]!
    if (from < hit.to && to > hit.from) return true
  }
  return false
}

/** The whole call, or its first or last turns of the speaker. */
function wholeStretch({ first, last }: SayRule, speakers: readonly Actor[], { heard }: Reading): Stretch {
  const all = { from: 0, to: Infinity, fromPlace: 0, toPlace: Infinity }
  const own = turnsOf(speakers, heard)
  if (first !== undefined) {
    const lastOfFirst = own[first - 1]
    if (speakers.every(speaker => heard.lost[speaker].length === 0)) {
      if (lastOfFirst === undefined || own.length === first) return all
      return { ...all, to: lastOfFirst.index, toPlace: lastOfFirst.place }
    }
    // A turn nobody understood is one of the first all the same.
    const lost = speakers.flatMap(speaker => heard.lost[speaker])
    const places = [...own.map(({ place }) => place), ...lost].toSorted((a, b) => a - b)
    const toPlace = places[first - 1]
    if (toPlace === undefined || places.length === first) return all
    return { ...all, to: own.findLast(({ place }) => place <= toPlace)?.index ?? -1, toPlace }
  }
  if (last !== undefined && own.length > last) {
    const begin = own[own.length - last]!
    return { ...all, from: begin.index, fromPlace: begin.place }
  }
  return all
}

function turnsOf(speakers: readonly Actor[], heard: Reading['heard']): readonly HeardTurn[] {
  return speakers.length === 1 ? heard.by[speakers[0]!] : heard.spoken
}

/** What comes after each of some places: the rest of the turn, and the speaker's next turns. */
function stretchesAfter(
  spots: readonly Spot[],
  { after, first, last }: SayRule,
  speakers: readonly Actor[],
  reading: Reading,
): readonly Stretch[] {
  const { heard } = reading
  const whole = wholeStretch({ by: 'anyone', first, last }, speakers, reading)
  const own = turnsOf(speakers, heard)
  const turns = after?.turns
  const places = turns === undefined ? spots.slice(0, 1) : spots
  return places.map(({ turn, to }) => {
    const end = turns === undefined ? undefined : own[placeFrom(own, turn.index + 1) + turns - 1]
    return {
      from: Math.max(turn.index + 1, whole.from),
      to: Math.min(end?.index ?? Infinity, whole.to),
      fromPlace: Math.max(turn.place, whole.fromPlace),
      toPlace: Math.min(end?.place ?? Infinity, whole.toPlace),
      ...(whole.from <= turn.index && to !== undefined && { tail: to }),
    }
  })
}
