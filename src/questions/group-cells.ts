import { z } from 'zod'
import type { Document, TimeSpan } from '../pipeline/index.js'
import { momentsOf, roundedMeanIn, timeFilter, total } from './counted.js'
import type { GroupCell } from './group-cell.js'
import { readDocuments } from './read-document.js'

/** Asks among the calls that may be counted. */
export interface GroupsAsked {
  calls(pipeline: readonly object[], maxDocuments: number): Promise<readonly Document[]>
  /** Of the agents' counts. */
  counts(pipeline: readonly object[], span: TimeSpan, maxDocuments: number): Promise<readonly Document[]>
}

/** Most groups and most of their signals that are read. */
const MOST_ROWS = 100_000

/** Of a mean. */
const DECIMALS = 2

const AGENT = { agent_id: '$agent_id', agent_name: '$agent_name' }
const agent = z.object({ agent_id: z.string(), agent_name: z.string() })

const cellRow = z.object({
  _id: agent,
  calls: z.int(),
  evaluated: z.int(),
  score_n: z.int(),
  csat_n: z.int(),
  duration_n: z.int(),
})
const signalRow = z.object({ _id: agent.extend({ key: z.string() }), present: z.int() })

/**
 * The agents' groups of a month, with what is over fewer calls than the least left out. Means are those of counts, whose sums are
 * whole numbers: the same calls have the same figures, in whatever order the engine comes to them.
 * @param least calls that every figure is over
 */
export async function groupCells(
  asked: GroupsAsked,
  { from, until }: { readonly from: number; readonly until: number },
  least: number,
): Promise<readonly GroupCell[]> {
  const span = { from: new Date(from), before: new Date(until) }
  const cells = await asked.counts(
    [
      {
        $group: {
          _id: AGENT,
          calls: total('calls'),
          evaluated: total('evaluated'),
          ...momentsOf('score'),
          ...momentsOf('csat'),
          ...momentsOf('duration'),
        },
      },
      { $match: { calls: { $gte: least } } },
      { $sort: { '_id.agent_name': 1, '_id.agent_id': 1 } },
    ],
    span,
    MOST_ROWS,
  )
  const signals = await asked.calls(
    [
      { $match: timeFilter(span) },
      { $unwind: '$present_signals' },
      { $group: { _id: { ...AGENT, key: '$present_signals' }, present: { $sum: 1 } } },
      { $match: { present: { $gte: least } } },
      { $sort: { present: -1, '_id.key': 1 } },
    ],
    MOST_ROWS,
  )
  const found = readDocuments(signalRow, signals)
  const read = readDocuments(cellRow, cells)
  return read.map(({ _id: whose, calls, evaluated, ...having }, at) => {
    const shown = found.filter(
      ({ _id: { agent_id: id, agent_name: name }, present }) =>
        id === whose.agent_id && name === whose.agent_name && evaluated - present >= least,
    )
    const mean = (name: string, measure: 'score' | 'csat' | 'duration') => {
      const value = having[`${measure}_n`] < least ? null : roundedMeanIn(cells[at]!, measure, DECIMALS)
      return value === null ? {} : { [name]: value }
    }
    return {
      ...whose,
      calls,
      ...mean('average_score', 'score'),
      ...mean('average_predicted_csat', 'csat'),
      ...mean('average_duration_s', 'duration'),
      signals: shown.map(({ _id: { key }, present }) => ({ signal_key: key, present })),
    }
  })
}
