import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { distilSignal, isTold, type LabelledCall } from '../../../src/evaluation/distil/distil-signal.js'
import { probability } from '../../../src/evaluation/distil/fit-linear.js'
import { mostOf } from '../../../src/evaluation/distil/fit-signal.js'
import { PLACES, seenTurns } from '../../../src/evaluation/distil/turn-features.js'
import { aCall } from '../a-call.js'

const OPENINGS = [
  'Hi, my parcel is late',
  'Hello, the box came broken',
  'Hi, where is my order',
  'Hello, wrong shoes came',
]
const ASIDES = ['Let me look', 'One second', 'The system is slow today', 'That is on our page too', 'I see it here']
const THANKS = ['Thanks', 'Fine by me', 'If you say so', 'All right then', 'Okay']

/** Some byte that has nothing to do with another one's. */
const chance = (n: number, of: string) => createHash('sha256').update(`${of} ${n}`).digest()[0]!
const one = (texts: readonly string[], n: number, of: string) => texts[chance(n, of) % texts.length]!

/** The n-th of calls that differ in what is said beside. @param said what the agent says in its third turn */
const numbered = (n: number, said: string) =>
  aCall([
    'a: Good morning, this is Lakeside Stores',
    `c: ${one(OPENINGS, n, 'opening')}, number ${n}`,
    `a: ${one(ASIDES, n, 'aside')}`,
    `a: ${said}`,
    `c: ${one(THANKS, n, 'thanks')}`,
    `a: ${one(ASIDES, n, 'end')} and goodbye`,
  ])

/** A call with its label; what is said of its text is what tells it from others. */
function labelled(n: number, said: string, present: boolean, more: Partial<LabelledCall> = {}): LabelledCall {
  const call = numbered(n, said)
  return { turns: seenTurns(call), present, shown: [], text: `${n} ${said}`, rules: false, ...more }
}

const WARM = ['That must be a nuisance for you', 'What a nuisance that is for you', 'Such a nuisance, I can tell']
const COLD = ['It is with the carrier now', 'The carrier has it since Monday', 'Our shop is in Mill Street']

/** Calls of which every other shows warmth, in words the rules don't know. */
const calls = (count: number, more: Partial<LabelledCall> = {}): readonly LabelledCall[] =>
  Array.from({ length: count }, (_, n) =>
    n % 2 === 0 ? labelled(n, WARM[n % 3]!, true, more) : labelled(n, COLD[n % 3]!, false, more),
  )

describe('what is learnt of a signal', () => {
  it('finds in calls it has not seen what labels say and the rules do not, and the turn that shows it', () => {
    const { trial, classifier, unused } = distilSignal(calls(60))
    expect(unused).toBeUndefined()
    expect(trial).toMatchObject({ labels: 60, present: 30, finds: { hits: 30, of: 30 } })
    expect(trial.precision?.share).toBe(1)
    expect(trial.rules.recall.share).toBe(0)
    const turns = seenTurns(numbered(1_001, 'Oh, what a nuisance for you'))
    const { at, logOdds } = mostOf(classifier!, turns)
    expect(turns[at]!.turn).toBe(3)
    expect(probability(classifier!.slope * logOdds + classifier!.offset)).toBeGreaterThan(0.8)
    const none = mostOf(classifier!, seenTurns(numbered(1_002, 'The carrier has it')))
    expect(probability(classifier!.slope * none.logOdds + classifier!.offset)).toBeLessThan(0.2)
  })

  it('is the same from the same calls, to the bit', () => {
    expect(distilSignal(calls(60))).toEqual(distilSignal(calls(60)))
  })

  it.each([0, 1])('is learnt of the turn that is said to show it: turn %i', shown => {
    const told = Array.from({ length: 60 }, (_, n) => {
      const present = n % 2 === 0
      const turns = seenTurns(
        aCall(present ? ['a: Alpha bravo', 'a: Charlie delta'] : ['a: Echo golf', 'a: Hotel kilo']),
      )
      return { turns, present, shown: [shown], text: String(n), rules: false }
    })
    expect(mostOf(distilSignal(told).classifier!, told[0]!.turns).at).toBe(shown)
  })

  it('is given up with too few labels of either kind', () => {
    const rare = [...calls(38).filter(one => one.present), ...calls(200).filter(one => !one.present)]
    const found = distilSignal(rare)
    expect(found.unused).toBe('It takes 20 labels of either kind; 19 say present, 100 absent')
    expect(found).not.toHaveProperty('classifier')
    expect(found.trial).not.toHaveProperty('precision')
  })

  it('is given up where labels have nothing to do with what is said', () => {
    const noise = Array.from({ length: 120 }, (_, n) => labelled(n, COLD[n % 3]!, chance(n, 'label') < 128))
    const { trial, unused, classifier } = distilSignal(noise)
    expect(trial.kappa).toBeLessThan(0.3)
    expect(unused).toMatch(/^Its kappa with labels is -?0\.\d\d; it takes 0\.6$/)
    expect(classifier).toBeUndefined()
  })

  it('is never tried on a text that it was learnt from, however often calls have it', () => {
    // Six texts, twenty times each, each text with words of its own: knowing the others teaches nothing of the one held out.
    const own = Array.from({ length: 120 }, (_, n) => {
      const word = String.fromCodePoint(97 + (n % 6)).repeat(5)
      return { ...labelled(0, `${word} ${word}${word}`, n % 6 < 3), text: word }
    })
    expect(distilSignal(own).trial.kappa).toBeLessThan(0.3)
  })

  it('is not told where the rules are right as often', () => {
    const { unused, trial } = distilSignal(calls(60).map(one => ({ ...one, rules: one.present })))
    expect(trial.with_rules?.share).toBe(1)
    expect(unused).toBe('Where it differs from the rules labels do not side with it more often')
  })

  it('doubts what the rules find and labels deny', () => {
    const { trial, unused } = distilSignal(calls(60, { rules: true }))
    expect(unused).toBeUndefined()
    expect(trial).toMatchObject({ doubts: { hits: 30, of: 30 }, finds: { hits: 0, of: 0 } })
  })

  it('learns nothing of words that fewer than three calls say', () => {
    const { classifier } = distilSignal(
      calls(60).map((one, n) => (n > 1 ? one : labelled(n, `Zebulon nuisance ${n}`, one.present))),
    )
    const [turn] = seenTurns(aCall(['a: Zebulon']))
    const [without] = seenTurns(aCall(['a: Quagmire']))
    const weightsOf = (features: Uint16Array) => [...features].filter(place => classifier!.weights[place] !== 0)
    expect(weightsOf(turn!.features)).toEqual(weightsOf(without!.features))
  })
})

describe('differences with the rules', () => {
  it.each([
    [5, 3, true],
    [4, 4, false],
    [6, 3, false],
  ])('of %i judged %i right: told %s', (of, hits, told) => {
    expect(isTold({ of, hits })).toBe(told)
  })
})

describe('what is seen of a call', () => {
  it('is who says what, not which number, and no words', () => {
    const [mine] = seenTurns(aCall(['a: It is 42 pounds']))
    const [same] = seenTurns(aCall(['a: It is 17 pounds']))
    const [theirs] = seenTurns(aCall(['c: It is 42 pounds']))
    expect(mine).toEqual(same)
    expect(theirs!.features).not.toEqual(mine!.features)
    expect(Math.max(...mine!.features)).toBeLessThan(PLACES)
  })

  it('ends after five hundred turns', () => {
    expect(seenTurns(aCall(Array.from({ length: 600 }, (_, n) => `a: word${n}`)))).toHaveLength(500)
  })
})
