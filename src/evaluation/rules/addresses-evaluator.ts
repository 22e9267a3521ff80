import { otherWork } from '../../base/other-work.js'
import { ENGLISH, GERMAN, SCORE_ORDERS, SPANISH, WRITTEN } from './addressing-patterns.js'
import type { EvaluationTime } from './evaluation-time.js'
import type { HeardCall } from './heard-call.js'
import type { Said } from './reading.js'
import { skeletonOf } from './skeleton.js'
import { TextsAgain } from './texts-again.js'

/** Characters that are looked at in one go, which takes milliseconds at worst, and how far two of them overlap. */
const AT_ONCE = 2_000
const OVERLAP = 200
/** So many of them, and others get their turn. */
const IN_A_ROW = 4

const PATTERNS: readonly RegExp[] = [...WRITTEN, ...ENGLISH, ...GERMAN, ...SPANISH]

/** Places of turns that try to instruct the evaluation. */
export async function addressesEvaluator({ spoken }: HeardCall): Promise<readonly number[]> {
  const places: number[] = []
  let looked = 0
  for (const { text, place } of spoken) {
    for (const piece of piecesOf(text)) {
      looked += 1
      if (looked % IN_A_ROW === 0) await otherWork()
      if (!instructs(piece)) continue
      places.push(place)
      break
    }
  }
  return places
}

/**
 * The same at once, looking at those turns only in which it can be.
 * @param said where `ADDRESSING` is
 */
export function addressingPlaces(
  { spoken }: HeardCall,
  said: readonly Said[],
  time: EvaluationTime,
): readonly number[] {
  const places: number[] = []
  let next = 0
  for (const {
    text,
    index,
    place,
    said: { signs },
  } of spoken) {
    while (next < said.length && said[next]!.index < index) next += 1
    if (said[next]?.index !== index && !signs) continue
    for (const piece of piecesOf(text)) {
      time.check()
      if (!instructs(piece)) continue
      places.push(place)
      break
    }
  }
  return places
}

function* piecesOf(text: string): Generator<string> {
  for (let from = 0; from === 0 || from + OVERLAP < text.length; from += AT_ONCE - OVERLAP) {
    yield text.slice(from, from + AT_ONCE)
  }
}

/** What agents read from a script is looked at by all of the patterns once. */
const again = new TextsAgain<boolean>()

const instructs = (text: string): boolean => again.of(text, doesInstruct)

function doesInstruct(text: string): boolean {
  const read = asAddressed(text)
  return (
    SCORE_ORDERS.some(({ order, survey }) => order.test(read) && !survey.test(read)) ||
    PATTERNS.some(pattern => pattern.test(read))
  )
}

const WORDS = /[\p{L}\p{M}\p{Cf}]+/gu
const MARKS = /\p{M}/gu
const ASCII = /^\p{ASCII}*$/u

/** As the patterns are written: words as they look, in Latin letters without marks. */
function asAddressed(text: string): string {
  if (ASCII.test(text)) return text
  return text
    .replaceAll(WORDS, word => skeletonOf(word))
    .normalize('NFD')
    .replaceAll(MARKS, '')
    .replaceAll('ß', 'ss')
}
