import { z } from 'zod'
import type { Document } from '../pipeline/index.js'
import type { GroupCell } from './group-cell.js'
import { countWhere, isThere, mean } from './measures.js'
import { readDocuments } from './read-document.js'

type Run = (pipeline: readonly object[], maxDocuments: number) => Promise<readonly Document[]>

/** Most groups and most of their signals that are read. */
const MOST_ROWS = 100_000

const AGENT = { agent_id: '$agent_id', agent_name: '$agent_name' }
const agent = z.object({ agent_id: z.string(), agent_name: z.string() })

const cellRow = z.object({
  _id: agent,
  calls: z.int(),
  evaluated: z.int(),
  scored: z.int(),
  score: mean,
  rated: z.int(),
  csat: mean,
  timed: z.int(),
  seconds: mean,
})
const signalRow = z.object({ _id: agent.extend({ key: z.string() }), present: z.int() })

/**
 * The agents' groups of a month, with what is over fewer calls than the least left out.
 * @param run asks among the calls that may be counted
 * @param least calls that every figure is over
 */
export async function groupCells(
  run: Run,
  { from, until }: { readonly from: number; readonly until: number },
  least: number,
): Promise<readonly GroupCell[]> {
  const month = { $match: { created_dt: { $gte: new Date(from), $lt: new Date(until) } } }
  const cells = await run(
    [
      month,
      {
        $group: {
          _id: AGENT,
          calls: { $sum: 1 },
          evaluated: countWhere(isThere('$evaluation')),
          scored: countWhere(isThere('$score')),
          score: { $avg: '$score' },
          rated: countWhere(isThere('$predicted_csat')),
          csat: { $avg: '$predicted_csat' },
          timed: countWhere(isThere('$duration_s')),
          seconds: { $avg: '$duration_s' },
        },
      },
      { $match: { calls: { $gte: least } } },
      { $sort: { '_id.agent_name': 1, '_id.agent_id': 1 } },
    ],
    MOST_ROWS,
  )
  const signals = await run(
    [
      month,
      { $unwind: '$present_signals' },
      { $group: { _id: { ...AGENT, key: '$present_signals' }, present: { $sum: 1 } } },
      { $match: { present: { $gte: least } } },
      { $sort: { present: -1, '_id.key': 1 } },
    ],
    MOST_ROWS,
  )
  const found = readDocuments(signalRow, signals)
  return readDocuments(cellRow, cells).map(({ _id: whose, calls, evaluated, ...sums }) => {
    const shown = found.filter(
      ({ _id: { agent_id: id, agent_name: name }, present }) =>
        id === whose.agent_id && name === whose.agent_name && evaluated - present >= least,
    )
    return {
      ...whose,
      calls,
      ...over(least, 'average_score', sums.scored, sums.score),
      ...over(least, 'average_predicted_csat', sums.rated, sums.csat),
      ...over(least, 'average_duration_s', sums.timed, sums.seconds),
      signals: shown.map(({ _id: { key }, present }) => ({ signal_key: key, present })),
    }
  })
}

/** A mean over enough calls, to two decimals. */
function over(least: number, name: string, calls: number, value: number | null): object {
  return value === null || calls < least ? {} : { [name]: Math.round(value * 100) / 100 }
}
