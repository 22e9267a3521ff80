import type { Document } from '../pipeline/index.js'
import { type Added, addedTogether } from './added-up.js'
import type { Asker } from './asker.js'
import { askAgents, type CallsOf, squaresOf, total } from './counted.js'

/** A call may be dated anywhere between the years 0 and 9999. */
const MOST_MONTHS = 120_000

const SUMS = {
  calls: total('calls'),
  evaluated: total('evaluated'),
  positive: total('positive'),
  csat_positive: total('csat_positive'),
  ...squaresOf('score'),
  ...squaresOf('csat'),
  ...squaresOf('lift'),
  first: { $min: '$first' },
  last: { $max: '$last' },
}

/**
 * All that is added up of some calls, by local month, oldest first: of each when it began, `_id`. Parts of an answer that want months, or their sum, have
 * one question to counts in common: each passes over all that is counted.
 */
export const byMonth = (asker: Asker, calls: CallsOf): Promise<readonly Document[]> =>
  askAgents(
    asker,
    calls,
    [{ $group: { _id: { $dateTrunc: { date: '$day', unit: 'month' } }, ...SUMS } }, { $sort: { _id: 1 } }],
    { months: true, maxDocuments: MOST_MONTHS },
  )

const HOW: ReadonlyMap<string, Added> = new Map(
  Object.entries(SUMS).map(([name, of]) => [name, Object.keys(of)[0] as Added]),
)

/** All months together; undefined without any. */
export const sumOfMonths = (months: readonly Document[]): Document | undefined =>
  months.length === 0 ? undefined : months.reduce((sum, month) => addedTogether(HOW, sum, month))
