import type { CourseEnd } from '../rubric/rule.js'
import { type CompiledRule, compiled, composed } from './compiled-rule.js'
import { NO, type Spot, UNKNOWN, yes } from './finding.js'
import type { HeardTurn } from './heard-call.js'
import { placeFrom } from './place-from.js'
import type { Reading } from './reading.js'
import { valuesSaid } from './values-said.js'
import type { Vocabulary } from './vocabulary.js'

type Step = 'claimed' | 'refused' | 'accepted' | 'contested'

/** What is said at each step, made ready. */
export type CourseParts = Readonly<Record<Step, CompiledRule>>

/** Where something was said that moves the course on. */
interface Move {
  readonly step: Step
  readonly spot: Spot
}

/** Words from which on a turn says more than that it asks again what was asked for. */
const SHORT_TURN_WORDS = 12
/** Letters by which words are of one stem: "refund", "refunded". */
const STEM = 5

/**
 * Follows what became of the request: claimed to be done, refused, accepted, or contested, turn by turn. What is contested
 * stays so, whatever the agent says again, until the customer accepts it; what is accepted may be contested later. Thanks
 * for what was refused, or never claimed, accept nothing.
 */
export function compileCourse(parts: CourseParts, ends: readonly CourseEnd[]): CompiledRule {
  const wanted = new Set(ends)
  return composed(reading => {
    const { claimed } = parts
    const claims = claimed.find(reading)
    if (claims.truth === 'unknown') return UNKNOWN
    const moves: Move[] = []
    for (const step of ['claimed', 'refused', 'accepted', 'contested'] as const) {
      for (const spot of parts[step].find(reading).spots) moves.push({ step, spot })
    }
    if (claims.truth === 'yes')
      for (const spot of askedAgain(reading, claims.spots[0]!)) moves.push({ step: 'contested', spot })
    const { end, spot } = follow(moves)
    return wanted.has(end) ? yes(spot === undefined ? [] : [spot]) : NO
  }, Object.values(parts))
}

function follow(moves: readonly Move[]): { readonly end: CourseEnd; readonly spot: Spot | undefined } {
  const order = (a: Move, b: Move) => a.spot.turn.index - b.spot.turn.index || (a.spot.from ?? 0) - (b.spot.from ?? 0)
  let end: CourseEnd = 'open'
  let spot: Spot | undefined
  let claim: Spot | undefined
  let contestedAt = -1
  for (const move of moves.toSorted(order)) {
    const { index } = move.spot.turn
    if (move.step === 'claimed') {
      claim = move.spot
      if (end === 'open' || end === 'refused') [end, spot] = ['claimed', move.spot]
    } else if (move.step === 'refused') {
      // Who does one thing and refuses another in a breath has done something.
      if (claim?.turn.index !== index) [end, spot] = ['refused', move.spot]
    } else if (move.step === 'contested') {
      if (end !== 'claimed' && end !== 'accepted') continue
      ;[end, spot] = ['contested', move.spot]
      contestedAt = index
    } else if ((end === 'claimed' || end === 'contested') && index !== contestedAt) {
      // It is quoted by what was claimed: that it was accepted is another signal.
      ;[end, spot] = ['accepted', claim]
    }
  }
  return { end, spot }
}

/** Short questions after a claim, of what the customer asked for before it: "So you'll refund me?" Nothing asks when or how much. */
function askedAgain({ heard }: Reading, claim: Spot): readonly Spot[] {
  const wanted = new Set<string>()
  const again: Spot[] = []
  for (const turn of heard.by.customer) {
    const { words } = turn.said
    if (turn.index < claim.turn.index) for (const stem of stemsOf(turn)) wanted.add(stem)
    else if (
      turn.text.trimEnd().endsWith('?') &&
      words.length <= SHORT_TURN_WORDS &&
      !words.some(({ text }) => ASKS_MORE.has(text))
    ) {
      if (stemsOf(turn).some(stem => wanted.has(stem))) again.push({ turn })
    }
  }
  return again
}

/** What asks for more than whether it is so. */
const ASKS_MORE: ReadonlySet<string> = new Set(
  'when where how long much many what which who will can could would should also and or another if need do'.split(' '),
)

function stemsOf({ said: { words } }: HeardTurn): readonly string[] {
  return words.flatMap(({ text }) => (text.length >= STEM ? [text.slice(0, STEM)] : []))
}

/**
 * Whether the agent says nothing but what is said in any call: names no value, takes up no word of the customer's, and gets no
 * value of them.
 */
export function compileEmpty(
  stock: readonly string[],
  everyday: readonly string[],
  vocabulary: Vocabulary,
): CompiledRule {
  const set = vocabulary.add(stock, ['agent'])
  const common = new Set(everyday.map(word => word.slice(0, STEM)))
  const counting = { numbers: true, words: new Set<string>() }
  return compiled(
    ({ heard, readable, said }) => {
      if (!readable) return UNKNOWN
      const topics = new Set<string>()
      let asked = false
      for (const turn of heard.spoken) {
        if (turn.actor === 'system') continue
        const values = valuesSaid(turn, counting)
        if (turn.actor === 'customer') {
          if (asked && values.length > 0) return NO
          asked = false
          for (const stem of stemsOf(turn)) if (!common.has(stem)) topics.add(stem)
          continue
        }
        // What is said before the customer has said anything is a greeting.
        if (topics.size === 0) continue
        const all = said[set]!
        const phrases = all.slice(placeFrom(all, turn.index), placeFrom(all, turn.index + 1))
        const isStock = (at: number) => phrases.some(({ from, to }) => at >= from && at < to)
        if (values.some(({ from }) => !isStock(from))) return NO
        const takesUp = turn.said.words.some(
          ({ text }, at) => text.length >= STEM && topics.has(text.slice(0, STEM)) && !isStock(at),
        )
        if (takesUp) return NO
        asked = turn.text.trimEnd().endsWith('?') && phrases.length === 0
      }
      return yes([])
    },
    { words: true, speakers: ['agent'] },
  )
}
