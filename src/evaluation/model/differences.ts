import { z } from 'zod'
import { type Pair, STATES } from './agreement.js'

/** Calls that are shown of a signal. */
const MOST_EXAMPLES = 5

const saying = z.strictObject({
  state: z.enum(STATES),
  quotes: z
    .array(z.strictObject({ turn: z.int().min(0), quote: z.string() }))
    .meta({ description: 'The words it says so by, as the call holds them: at most three' }),
})

/** A call in which two evaluators say different things of a signal. Holds words of the call. */
export const difference = z.strictObject({ session_id: z.string(), one: saying, other: saying })
export type Difference = z.output<typeof difference>

/** A call as two evaluators see it, by its id. */
export interface NamedPair extends Pair {
  readonly session_id: string
}

/**
 * The calls in which two evaluators differ most plainly on a signal, five at most: those that one of them calls present,
 * those with a quote before those without, and of these in the order of ids, so that the same calls are shown each time.
 */
export function differencesOf(pairs: readonly NamedPair[], key: string): Difference[] {
  return pairs
    .flatMap(({ session_id, one, other }): Difference[] => {
      const said = { session_id, one: sayingOf(one, key), other: sayingOf(other, key) }
      return said.one.state === said.other.state ? [] : [said]
    })
    .toSorted((a, b) => plainness(b) - plainness(a) || (a.session_id < b.session_id ? -1 : 1))
    .slice(0, MOST_EXAMPLES)
}

function sayingOf({ signals }: Pair['one'], key: string): Difference['one'] {
  const found = signals?.find(signal => signal.key === key)
  return { state: found?.state ?? 'left_out', quotes: found?.evidence ?? [] }
}

function plainness({ one, other }: Difference): number {
  const both = [one, other]
  const isPresent = both.some(({ state }) => state === 'present')
  return (isPresent ? 2 : 0) + (both.some(({ quotes }) => quotes.length > 0) ? 1 : 0)
}
