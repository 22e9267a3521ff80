import type { Rubric } from '../rubric/rubric.js'
import type { CourseEnd } from '../rubric/rule.js'
import { type CompiledRule, compiled, composed } from './compiled-rule.js'
import { type Finding, NO, type Spot, spotAt, UNKNOWN, yes } from './finding.js'
import type { Language } from './languages/language.js'
import { stemOf } from './form-table.js'
import { isLost } from './lost-region.js'
import { placeFrom } from './place-from.js'
import type { Reading } from './reading.js'
import { Counting } from './values-said.js'
import type { Vocabulary } from './vocabulary.js'
import { wordsAsRead } from './words.js'

type Step = 'claimed' | 'refused' | 'accepted' | 'contested'

/** What is said at each step, made ready, and the words that tell how a question is meant. */
export interface CourseParts {
  readonly steps: Readonly<Record<Step, CompiledRule>>
  readonly words: Pick<NonNullable<Rubric['course']>, 'everyday' | 'asks_more'>
  readonly language: Language
}

/** Whose words take a step. What else a step's rule rests on, such as what the call is about, stands where others say it. */
const SPEAKERS = { claimed: 'agent', refused: 'agent', accepted: 'customer', contested: 'customer' } as const

/** Where something was said that moves the course on. */
interface Move {
  readonly step: Step
  readonly spot: Spot
}

/** Words from which on a turn says more than that it asks again what was asked for. */
const SHORT_TURN_WORDS = 12
const NOWHERE: readonly Spot[] = []
/** Turns of the customer that end a call. */
const CLOSING_TURNS = 2

/**
 * Follows what became of the request: claimed to be done, refused, accepted, or contested, turn by turn. What is contested
 * stays so, whatever the agent says again, until the customer accepts it; what is accepted may be contested later. Thanks
 * for what was refused, or never claimed, accept nothing.
 */
export class Course {
  readonly #steps: CourseParts['steps']
  readonly #common: ReadonlySet<string>
  readonly #asksMore: ReadonlySet<string>
  /** Several rules ask about a call one after the other. */
  #last: { readonly reading: Reading; readonly followed: Followed | undefined } | undefined

  constructor({ steps, words, language }: CourseParts) {
    this.#steps = steps
    this.#common = stemsOfList(words.everyday, language)
    this.#asksMore = new Set(wordsAsRead(words.asks_more, language))
  }

  /** A rule that holds where the course ends in one of some ways. */
  endsIn(ends: readonly CourseEnd[]): CompiledRule {
    const wanted = new Set(ends)
    // What the agent said shows it, unless only what the customer made of it is asked for.
    const byAgent = wanted.has('claimed') || wanted.has('refused')
    const find = (reading: Reading): Finding => {
      const followed = this.#follow(reading)
      if (followed === undefined) return UNKNOWN
      const { end, claims, last, unheard } = followed
      if (!wanted.has(end)) return end === 'claimed' && unheard && wanted.has('accepted') ? UNKNOWN : NO
      return yes(end === 'claimed' || (end === 'accepted' && byAgent) ? claims : last)
    }
    const rule = composed(find, Object.values(this.#steps))
    return { ...rule, speakers: new Set([byAgent ? 'agent' : 'customer']) }
  }

  #follow(reading: Reading): Followed | undefined {
    if (this.#last?.reading !== reading) this.#last = { reading, followed: this.#followed(reading) }
    return this.#last.followed
  }

  #followed(reading: Reading): Followed | undefined {
    const claims = this.#found('claimed', reading)
    if (claims.truth === 'unknown') return undefined
    const moves: Move[] = []
    for (const step of ['claimed', 'refused', 'accepted', 'contested'] as const) {
      for (const spot of this.#found(step, reading).spots) moves.push({ step, spot })
    }
    const [claim] = claims.spots
    if (claims.truth === 'yes' && claim !== undefined) {
      for (const spot of this.#askedAgain(reading, claim)) moves.push({ step: 'contested', spot })
    }
    const { heard } = reading
    const unheard = claim !== undefined && isLost(heard, ['customer'], claim.turn.place, Infinity)
    const followed = { ...follow(moves), unheard }
    if (followed.end !== 'claimed') return followed
    // Whose last words are thanks has nothing to add to what was claimed then.
    const closing = heard.by.customer.at(-CLOSING_TURNS)?.index ?? 0
    const last = moves.flatMap(({ step, spot }) => (step === 'accepted' && spot.turn.index >= closing ? [spot] : []))
    return last.length === 0 ? followed : { ...followed, end: 'accepted', last }
  }

  #found(step: Step, reading: Reading): Finding {
    const { truth, spots } = this.#steps[step].find(reading)
    const own = spots.filter(({ turn }) => turn.actor === SPEAKERS[step])
    return { truth, spots: own.length > 0 ? own : spots }
  }

  /** Short questions after a claim, of what the customer asked for before it: "So you'll refund me?" Nothing asks when or how much. */
  #askedAgain({ heard }: Reading, claim: Spot): readonly Spot[] {
    const { customer } = heard.by
    const asking = customer.slice(placeFrom(customer, claim.turn.index)).filter(({ said: { asks, words } }) => {
      return asks && words.length <= SHORT_TURN_WORDS && !words.some(({ text }) => this.#asksMore.has(text))
    })
    if (asking.length === 0) return NOWHERE
    const wanted = new Set<string>()
    for (const { index, said } of customer) {
      if (index >= claim.turn.index) break
      for (const stem of said.stems) if (!this.#common.has(stem)) wanted.add(stem)
    }
    return asking.filter(({ said }) => said.stems.some(stem => wanted.has(stem))).map(turn => spotAt(turn))
  }
}

interface Followed {
  readonly end: CourseEnd
  /** What was claimed, last. */
  readonly claims: readonly Spot[]
  /** What brought it to its end. */
  readonly last: readonly Spot[]
  /** What the customer made of it can't be understood. */
  readonly unheard: boolean
}

function follow(moves: readonly Move[]): Omit<Followed, 'unheard'> {
  const order = (a: Move, b: Move) => a.spot.turn.index - b.spot.turn.index || (a.spot.from ?? 0) - (b.spot.from ?? 0)
  let end: CourseEnd = 'open'
  let last: Spot[] = []
  let claims: Spot[] = []
  for (const { step, spot } of moves.toSorted(order)) {
    if (step === 'claimed') {
      if (end === 'open' || end === 'refused') [end, claims] = ['claimed', []]
      claims.push(spot)
    } else if (step === 'refused') {
      // Who does one thing and refuses another in a breath has done something.
      if (claims.at(-1)?.turn.index === spot.turn.index) continue
      ;[end, last] = ['refused', [spot]]
    } else if (step === 'contested') {
      if (end === 'claimed' || end === 'accepted') [end, last] = ['contested', [spot]]
    } else if (end === 'accepted') last.push(spot)
    else if (end === 'claimed' || end === 'contested') [end, last] = ['accepted', [spot]]
  }
  return { end, claims, last }
}

/** The stems of a list of words. */
export const stemsOfList = (words: readonly string[], language: Language): ReadonlySet<string> =>
  new Set(
    wordsAsRead(words, language)
      .map(word => stemOf(word))
      .filter(stem => stem !== undefined),
  )

/** Words from which on a question asks for something. */
const QUESTION_WORDS = 3

/**
 * Whether the agent says nothing but what is said in any call: names no value that is not the customer's own, claims nothing in
 * a word of the customer's, and asks nothing that is answered.
 */
export function compileEmpty(
  claimed: CompiledRule,
  { stock, everyday }: NonNullable<Rubric['course']>,
  vocabulary: Vocabulary,
): CompiledRule {
  const set = vocabulary.add(stock, ['agent'])
  const common = stemsOfList(everyday, vocabulary.language)
  const counting = new Counting(vocabulary.language.numbers)
  const looks = compiled(
    reading => {
      const { heard, readable, said } = reading
      if (!readable) return UNKNOWN
      const claims = new Set(claimed.find(reading).spots.map(({ turn }) => turn.index))
      const topics = new Set<string>()
      const given = new Set<string>()
      let asked = false
      for (const turn of heard.spoken) {
        if (turn.actor === 'system') continue
        const values = counting.of(turn)
        if (turn.actor === 'customer') {
          if (asked) return NO
          for (const { value } of values) given.add(value)
          for (const stem of turn.said.stems) if (!common.has(stem)) topics.add(stem)
          continue
        }
        // What is said before the customer has said anything is a greeting.
        if (topics.size === 0) continue
        if (claims.has(turn.index) && turn.said.stems.some(stem => topics.has(stem))) return NO
        const all = said[set]!
        const phrases = all.slice(placeFrom(all, turn.index), placeFrom(all, turn.index + 1))
        const isStock = (at: number) => phrases.some(({ from, to }) => at >= from && at < to)
        if (values.some(({ value, from }) => !given.has(value) && !isStock(from))) return NO
        const { asks, words } = turn.said
        asked = asks && words.filter((_, at) => !isStock(at)).length >= QUESTION_WORDS
      }
      return yes([])
    },
    { words: true, speakers: ['agent'] },
  )
  return composed(looks.find, [looks, claimed])
}
