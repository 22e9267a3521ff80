import { type Example, fitLinear, type LinearWeights, logOddsOf } from './fit-linear.js'
import { PLACES, type SeenTurn } from './turn-features.js'

/** A call, and whether a signal is present in it, as a label says. */
export interface LabelledTurns {
  readonly turns: readonly SeenTurn[]
  readonly present: boolean
  /** Numbers of the turns that are said to show it; none where that is not known. */
  readonly shown: readonly number[]
}

/** Times the turn that shows it is looked for, where it is not known. */
const ROUNDS = 2
/** Weights that are kept, the largest. */
const MOST_WEIGHTS = 2_000
/** Calls that must hold a feature: what fewer say is theirs, and teaches nothing of others. */
const FEWEST_CALLS = 3

/**
 * Fits weights of turns to labels of calls: a call shows a signal as far as the one turn of it does that shows it most. Every turn
 * of a call without the signal is an example of its absence. Of a call with it the turns that are said to show it are examples of its presence;
 * where none is known, the whole call at first, and then the turn that those weights find (multiple-instance learning, as MI-SVM: Andrews,
 * Tsochantaridis and Hofmann, 2003).
 */
export function fitSignal(calls: readonly LabelledTurns[]): LinearWeights {
  const kept = commonPlaces(calls)
  const example = ({ features }: Pick<SeenTurn, 'features'>, present: boolean): Example => ({
    features: features.filter(place => kept[place] === 1),
    count: features.length,
    present,
  })
  const absent = calls.flatMap(one => (one.present ? [] : one.turns.map(turn => example(turn, false))))
  const showing = calls.flatMap(({ turns, present, shown }) =>
    present && turns.length > 0 ? [{ turns, known: turns.filter(({ turn }) => shown.includes(turn)) }] : [],
  )
  let fit: LinearWeights | undefined
  for (let round = 0; round < ROUNDS; round += 1) {
    const last = fit
    const present = showing.flatMap(({ turns, known }) => {
      const guess = () => (last === undefined ? whole(turns) : turns[mostOf(last, turns).at]!)
      return (known.length > 0 ? known : [guess()]).map(turn => example(turn, true))
    })
    fit = fitLinear([...present, ...absent])
    if (showing.every(({ known }) => known.length > 0)) break
  }
  return largestOf(fit!)
}

/** Which turn of a call shows most, and how much; log odds of a call without turns are those of none. */
export function mostOf(
  fit: LinearWeights,
  turns: readonly SeenTurn[],
): { readonly at: number; readonly logOdds: number } {
  let most = { at: 0, logOdds: logOddsOf(fit, turns[0]?.features ?? new Uint16Array()) }
  for (let at = 1; at < turns.length; at += 1) {
    const logOdds = logOddsOf(fit, turns[at]!.features)
    if (logOdds > most.logOdds) most = { at, logOdds }
  }
  return most
}

const whole = (turns: readonly SeenTurn[]): Pick<SeenTurn, 'features'> => ({
  features: Uint16Array.from(new Set(turns.flatMap(({ features }) => [...features]))),
})

/** 1 at each place that turns of enough calls have. */
function commonPlaces(calls: readonly LabelledTurns[]): Uint8Array {
  const counts = new Uint16Array(PLACES)
  for (const { turns } of calls) for (const place of whole(turns).features) counts[place]! += 1
  return Uint8Array.from(counts, count => (count >= FEWEST_CALLS ? 1 : 0))
}

function largestOf({ bias, weights }: LinearWeights): LinearWeights {
  const least = Float64Array.from(weights, Math.abs)
    .sort()
    .at(-MOST_WEIGHTS - 1)!
  return { bias, weights: weights.map(weight => (Math.abs(weight) > least ? weight : 0)) }
}
