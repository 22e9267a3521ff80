import type { Document as BsonDocument } from 'bson'
import {
  type CountsAsked,
  countsShape,
  type Document,
  Double,
  double,
  fieldsRead,
  isDocument,
  type ScopedCounts,
  type Value,
} from '../../../pipeline/index.js'
import type { DaysInRow } from '../../counted-parts.js'
import type { Read } from '../mongodb-reader.js'
import { type Found, packedOf, placesOn } from './counted-calls.js'
import type { CountsOf } from './day-counts.js'

/** Where the counts of days are kept. */
export const DAY_COUNTS = 'day_counts'

/** What tells counts apart; everything else that counts have is added up, or the first and the last of it. */
const KEYS = new Set(['span', 'day', 'agent_id', 'agent_name', 'key', 'value', 'number'])
/** Those of a value, in the list of a document. */
const OF_VALUES = new Set(['key', 'value', 'number', 'calls', 'evaluated', 'score_n', 'score_sum', 'score_squares'])

/**
 * The counts of days that a question is about, added up on the server over all that its pipeline does not tell apart. Whose calls they
 * are is the first condition, on stored fields; counts of all agents together nobody reads who does not hear them all.
 * @param countings the numbers under which the counts of these days are kept
 */
export function rowsRead(
  { scope, asked, pipeline }: ScopedCounts,
  days: readonly DaysInRow[],
  countings: readonly number[],
): Read {
  const { by, packed, doubted = [] } = asked
  const of: CountsOf = by === 'agent' || packed !== undefined || scope.agents !== 'all' ? 'agent' : 'all'
  const ranges = days.map(({ first, last }) => ({ day: { $gte: new Date(first), $lte: new Date(last) } }))
  const match = {
    project_id: { $eq: scope.projectId },
    of,
    by,
    ...(scope.agents !== 'all' && { agent_name: { $in: [...scope.agents] } }),
    ...(ranges.length === 1 ? ranges[0] : { $or: ranges }),
    counting: { $in: [...new Set(countings)] },
    ...(doubted.length > 0 && { trust: { $nin: [...doubted] } }),
  }
  const names = wanted(asked, fieldsRead(pipeline.stages))
  const field = (name: string) => (by !== 'agent' && OF_VALUES.has(name) ? `$values.${name}` : `$${name}`)
  const keys = names.filter(name => KEYS.has(name))
  const key = (name: string): unknown => (name === 'span' ? spanOf(days) : field(name))
  const group: BsonDocument = {
    _id: keys.length === 0 ? null : Object.fromEntries(keys.map(name => [name, key(name)])),
  }
  for (const name of names) {
    if (KEYS.has(name)) continue
    group[name] = { [name === 'first' ? '$min' : name === 'last' ? '$max' : '$sum']: field(name) }
  }
  return {
    collection: DAY_COUNTS,
    stages: [{ $match: match }, ...(by === 'agent' ? [] : [{ $unwind: '$values' }]), { $group: group }],
  }
}

/** The fields of counts that a pipeline reads; of those that hold several spans, what they are made of. */
function wanted(asked: CountsAsked, read: ReturnType<typeof fieldsRead>): readonly string[] {
  const names = [...countsShape(asked).keys()].filter(name => read === 'all' || read.has(name))
  const packed = new Map(asked.packed?.map(({ name, count }) => [name, count]))
  const made = names.flatMap(name => (name === 'agent' ? ['agent_id', 'agent_name'] : [packed.get(name) ?? name]))
  return [...new Set([...made, ...(names.some(name => packed.has(name)) ? ['span'] : [])])]
}

/** The span that the day of a count lies in. */
function spanOf(days: readonly DaysInRow[]): BsonDocument {
  const spans = new Set(days.map(({ span }) => span))
  if (spans.size <= 1) return { $literal: [...spans][0] ?? 0 }
  return {
    $switch: {
      branches: days.map(({ span, first, last }) => ({
        case: { $and: [{ $gte: ['$day', new Date(first)] }, { $lte: ['$day', new Date(last)] }] },
        // oxlint-disable-next-line unicorn/no-thenable -- as the language has it
        then: { $literal: span },
      })),
      default: { $literal: 0 },
    },
  }
}

/** The counts that rows of the server are. */
export function countsOfRows(asked: CountsAsked, rows: readonly Document[]): readonly Document[] {
  const shape = [...countsShape(asked)]
  const place = placesOn(asked.roster)
  return rows.flatMap(({ _id: keys, ...sums }): Document[] => {
    const named: Found = { ...(isDocument(keys) ? keys : {}), ...sums }
    const agent = place(named)
    if (agent === undefined) return []
    const row: Found = { ...named, agent }
    const found: Found =
      asked.packed === undefined ? row : { ...row, ...packedOf(row, Number(row['span'] ?? 0), asked.packed) }
    const document = Object.fromEntries(
      shape.flatMap(([name, type]): [string, Value][] => {
        const value = found[name]
        if (value === undefined || value === null) return []
        // Whether a sum of whole numbers comes as an int, a long or a double is the server's affair.
        if (type.kind === 'int') return [[name, type.long === true ? longOf(value) : numberOf(value)]]
        return [[name, type.kind === 'double' ? double(numberOf(value)) : value]]
      }),
    )
    return [document]
  })
}

const numberOf = (value: Value): number => Number(value instanceof Double ? value.value : value)
const longOf = (value: Value): bigint => (typeof value === 'bigint' ? value : BigInt(numberOf(value)))
