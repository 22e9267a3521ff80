import type { Rubric } from '../rubric/rubric.js'
import { quote } from './quote.js'
import type { Contribution } from './score-call.js'

/** Most strengths, and most improvements. */
const MOST = 2
/** Longest quote in the summary, characters. */
const QUOTE = 120

/**
 * What a coach would say first: up to two strengths and two improvements, those on which most of the score hangs, each
 * with its quote where there is a turn to quote, and one next step. Fixed sentences of the rubric, no generated prose.
 */
export function coachingOf({ coaching }: Rubric, contributions: readonly Contribution[]): string {
  const heaviest = contributions.toSorted((a, b) => b.share - a.share)
  const strengths = heaviest.flatMap(one => {
    const said = one.found.compiled.signal.coaching?.strength
    return one.value === 1 && said !== undefined ? [withQuote(said, one)] : []
  })
  const improved = heaviest.filter(
    ({ value, found }) => value === 0 && found.compiled.signal.coaching?.improvement !== undefined,
  )
  const improvements = improved.map(one => withQuote(one.found.compiled.signal.coaching!.improvement!, one))
  const step = improved.map(({ found }) => found.compiled.signal.coaching?.next_step).find(one => one !== undefined)
  const parts = [
    ...(strengths.length > 0 ? [coaching.strengths, ...strengths.slice(0, MOST)] : []),
    ...(improvements.length > 0 ? [coaching.improvements, ...improvements.slice(0, MOST)] : []),
    ...(step === undefined ? [] : [coaching.next_step, step]),
  ]
  return parts.length === 0 ? coaching.nothing : parts.join(' ')
}

function withQuote(sentence: string, { found }: Contribution): string {
  const [spot] = found.spots
  if (spot === undefined) return sentence
  const { turn, quote: said } = quote(spot)
  const characters = Array.from(said)
  const cut = characters.length > QUOTE ? `${characters.slice(0, QUOTE).join('')}…` : said
  return `${sentence} (turn ${turn}: "${cut}")`
}
