import type { SignalFound } from './evaluate-signals.js'
import type { Spot } from './finding.js'
import { placeFrom } from './place-from.js'
import type { Reading } from './reading.js'
import type { WordingSet } from './vocabulary.js'

/** Words from the evidence within which an intensifier strengthens it. */
const NEAR_WORDS = 2
/** What a turn counts for whose evidence is intensified. */
const INTENSIFIED = 2

const hundredths = (value: number) => Math.round(value * 100) / 100

/**
 * How much of a signal a call shows: x / (x + 1), where x is how many times as much of it there is as it takes. Half is
 * just present, 0 is absent; what is unclear has none.
 */
export function strengthOf(
  { state, spots }: SignalFound,
  reading: Reading,
  intensifiers: WordingSet | undefined,
): number | undefined {
  if (state === 'unclear') return undefined
  if (state === 'absent') return 0
  let amounts: Map<number, number> | undefined
  let parts = 0
  for (const spot of spots) {
    const times = isIntensified(spot, reading, intensifiers) ? INTENSIFIED : 1
    // A turn that says it twice says it once.
    if (spot.amount !== undefined) parts += spot.amount * times
    else if (spots.length === 1) parts = times
    else {
      const { place } = spot.turn
      amounts ??= new Map()
      amounts.set(place, Math.max(times, amounts.get(place) ?? 0))
    }
  }
  let amount = parts
  for (const times of amounts?.values() ?? []) amount += times
  // What is there without a place of its own is there.
  amount = Math.max(1, amount)
  return hundredths(amount / (amount + 1))
}

/** Whether a word such as "really" stands in the words that show it, or by them. */
function isIntensified(
  { turn, from, to, measured }: Spot,
  { said }: Reading,
  intensifiers: WordingSet | undefined,
): boolean {
  if (intensifiers === undefined || measured !== undefined || from === undefined || to === undefined) return false
  const all = said[intensifiers]!
  for (let at = placeFrom(all, turn.index); all[at]?.index === turn.index; at += 1) {
    const one = all[at]!
    if (one.from < to + NEAR_WORDS && one.to > from - NEAR_WORDS) return true
  }
  return false
}

/**
 * How often a person who heard the call would say the same, as measured on labelled calls: of this signal in this state, and of
 * a present one also by whether it is said in words that were met often. Undefined where nobody has measured it.
 */
export function confidenceOf({
  compiled: { confidence, usual },
  state,
  spots,
  byModel,
}: SignalFound): number | undefined {
  if (byModel === true || confidence === undefined) return undefined
  if (state !== 'present' || confidence.usual === undefined || usual.size === 0) return confidence[state]
  return spots.some(spot => usual.has(wordingOf(spot))) ? confidence.usual : confidence.present
}

/** The words that show it, as phrases see them. */
export function wordingOf({ turn: { said }, from, to }: Spot): string {
  if (from === undefined || to === undefined) return ''
  let text = ''
  for (let at = from; at < to; at += 1) text += at === from ? said.words[at]!.text : ` ${said.words[at]!.text}`
  return text
}
