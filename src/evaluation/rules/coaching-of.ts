import type { Rubric } from '../rubric/rubric.js'
import { quote } from './quote.js'
import type { Contribution } from './score-call.js'

/** Most strengths, and most improvements. */
const MOST_OF_EITHER = 2
/** Longest quote in the summary, characters. */
const LONGEST_QUOTE = 120

/**
 * What a coach would say first: up to two strengths and two improvements, those on which most of the score hangs, each
 * with its quote where there is a turn to quote, and one next step. Fixed sentences of the rubric, no generated prose.
 */
export function coachingOf({ coaching }: Rubric, contributions: readonly Contribution[]): string {
  // Of most signals nothing is to be said, so few are left to be put in order.
  const telling = contributions.filter(({ found, value }) => {
    const { strength, improvement } = found.compiled.signal.coaching ?? {}
    return (value === 1 && strength !== undefined) || (value === 0 && improvement !== undefined)
  })
  const heaviest = telling.toSorted((a, b) => b.share - a.share)
  const strengths: string[] = []
  const improved: Contribution[] = []
  const improvements: string[] = []
  for (const one of heaviest) {
    const { strength, improvement } = one.found.compiled.signal.coaching ?? {}
    if (one.value === 1 && strength !== undefined && strengths.length < MOST_OF_EITHER)
      strengths.push(withQuote(strength, one))
    if (one.value !== 0 || improvement === undefined) continue
    improved.push(one)
    if (improvements.length < MOST_OF_EITHER) improvements.push(withQuote(improvement, one))
  }
  const step = improved.map(({ found }) => found.compiled.signal.coaching?.next_step).find(one => one !== undefined)
  const parts = [
    ...(strengths.length > 0 ? [coaching.strengths, ...strengths] : []),
    ...(improvements.length > 0 ? [coaching.improvements, ...improvements] : []),
    ...(step === undefined ? [] : [coaching.next_step, step]),
  ]
  return parts.length === 0 ? coaching.nothing : parts.join(' ')
}

function shortened(quote: string): string {
  const characters = Array.from(quote)
  return characters.length > LONGEST_QUOTE ? `${characters.slice(0, LONGEST_QUOTE).join('')}…` : quote
}

function withQuote(sentence: string, { found }: Contribution): string {
  const [spot] = found.spots
  if (spot === undefined) return sentence
  const { turn, quote: said } = quote(spot)
  const cut = said.length > LONGEST_QUOTE ? shortened(said) : said
  return `${sentence} (turn ${turn}: "${cut}")`
}
