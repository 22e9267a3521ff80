import type { CompiledRubric, CompiledSignal } from '../rules/compile-rubric.js'
import type { HeardCall, HeardTurn } from '../rules/heard-call.js'
import { askedSignals, mayNotApply } from './asked-signals.js'
import { findQuote } from './find-quote.js'
import type { Findings, SpotFound } from './findings.js'
import type { ModelAnswer } from './model-answer.js'

type Answered = NonNullable<ModelAnswer['signals'][number]>
type Quoted = Answered['evidence']

/** Most turns of evidence that are kept, as of the rules, and most quotes of a signal that are looked for. */
const MOST_EVIDENCE = 3
const MOST_QUOTES = 6

/**
 * Holds a model to its quotes: what it says counts only where a turn that exists, of a speaker who can show it, holds
 * the quote word for word. Present without such a quote is unclear; so is absent where the rubric wants to hear the
 * contrary, and what was answered twice in two ways or not at all.
 */
export function checkAnswer(answer: ModelAnswer, compiled: CompiledRubric, heard: HeardCall): Findings {
  const turns = new Map(heard.spoken.map(turn => [turn.place, turn]))
  const answers = new Map<string, Answered[]>()
  for (const one of answer.signals) if (one !== undefined) answers.set(one.key, [...(answers.get(one.key) ?? []), one])
  let unquoted = 0
  let unanswered = 0
  const quotes = { claimed: 0, held: 0 }
  const signals = askedSignals(compiled).map((asked): Findings['signals'][number] => {
    const { key } = asked.signal
    const [first, ...more] = answers.get(key) ?? []
    if (first === undefined || more.some(({ state }) => state !== first.state)) {
      unanswered += 1
      return { key, state: 'unclear', spots: [] }
    }
    const { state } = first
    if (state === 'not_applicable' && mayNotApply(asked)) return { key, state, spots: [] }
    const spots = spotsOf(first.evidence, turns, turn => canShow(asked, turn), quotes)
    const needsQuote = state === 'present' || (state === 'absent' && asked.absent !== undefined)
    if (state === 'not_applicable' || (needsQuote && spots.length === 0)) {
      if (needsQuote) unquoted += 1
      else unanswered += 1
      return { key, state: 'unclear', spots: [] }
    }
    // What is not there has no place.
    return { key, state, spots: state === 'absent' && !needsQuote ? [] : spots }
  })
  const driver = driverOf(answer, compiled, heard, { turns, quotes })
  return {
    signals,
    ...(driver !== undefined && { driver }),
    unquoted,
    unanswered,
    ...quotes,
    instructing: [...new Set(answer.turns_that_instruct)].filter(place => turns.has(place)).toSorted((a, b) => a - b),
  }
}

/** How many quotes were given, and how many of them stand where the model says. */
interface Quotes {
  claimed: number
  held: number
}

function spotsOf(
  evidence: Quoted,
  turns: ReadonlyMap<number, HeardTurn>,
  counts: (turn: HeardTurn) => boolean,
  quotes: Quotes,
): SpotFound[] {
  const spots: SpotFound[] = []
  for (const { turn: place, quote } of evidence.slice(0, MOST_QUOTES)) {
    const turn = turns.get(place)
    quotes.claimed += 1
    const span = turn === undefined ? undefined : findQuote(turn, quote)
    if (span !== undefined) quotes.held += 1
    if (turn === undefined || !counts(turn) || spots.some(spot => spot.place === place)) continue
    if (span !== undefined) spots.push({ place, ...span })
    if (spots.length === MOST_EVIDENCE) break
  }
  return spots.toSorted((a, b) => a.place - b.place)
}

/** Whether a turn is of a speaker the signal is about: nobody can show what the other side did. */
function canShow({ present: { speakers }, absent }: CompiledSignal, { actor }: HeardTurn): boolean {
  if (actor === 'system') return false
  return speakers.size === 0 || speakers.has(actor) || absent?.speakers.has(actor) === true
}

function driverOf(
  { driver }: ModelAnswer,
  { drivers, rubric }: CompiledRubric,
  heard: HeardCall,
  { turns, quotes }: { readonly turns: ReadonlyMap<number, HeardTurn>; readonly quotes: Quotes },
): Findings['driver'] {
  if (driver === undefined || !drivers.some(one => one.driver === driver.name)) return undefined
  const first = new Set(heard.by.customer.slice(0, rubric.drivers.turns))
  const [spot] = spotsOf(driver.evidence, turns, turn => first.has(turn), quotes)
  return spot === undefined ? undefined : { name: driver.name, spot }
}
