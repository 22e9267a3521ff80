import type { Document as BsonDocument } from 'bson'
import {
  type CountsAsked,
  countsShape,
  type Document,
  Double,
  double,
  fieldsRead,
  isDocument,
  kindsCounted,
  type ScopedCounts,
  type Value,
  valuesCounted,
} from '../../../pipeline/index.js'
import type { DaysInRow } from '../../counted-parts.js'
import { blocksOf } from '../../day-blocks.js'
import type { Read } from '../mongodb-reader.js'
import { type Found, packedOf, placesOn } from './counted-calls.js'
import type { CountsOf } from './day-counts.js'
import { type ListedDays, rowDayOf } from './listed-days.js'

/** Where the counts of days and of blocks of several are kept. */
export const DAY_COUNTS = 'day_counts'

/** What tells counts apart; everything else that counts have is added up, or the first and the last of it. */
const KEYS = new Set(['span', 'by', 'day', 'agent_id', 'agent_name', 'key', 'value', 'number'])
/** Those of a value, in the list of a document. */
const OF_VALUES = new Set(['key', 'value', 'number', 'calls', 'evaluated', 'score_n', 'score_sum', 'score_squares'])

/** The day of a count, or the first of its days. */
const DAY = { $ifNull: ['$first_day', '$day'] }

/** What days in a row are on the list: as few blocks as say the same. @param listed all that is on it of these days */
export function listedOf(days: readonly DaysInRow[], listed: readonly ListedDays[]): readonly ListedDays[] {
  const all = new Map(listed.map(one => [one.block, one]))
  return days.flatMap(run => blocksOf(run, block => all.has(block)).flatMap(({ block }) => all.get(block) ?? []))
}

/**
 * The counts of days that a question is about, added up on the server over all that its pipeline does not tell apart. Whose calls they
 * are is the first condition, on stored fields; counts of all agents together nobody reads who does not hear them all.
 * @param listed the days and blocks that these days in rows are
 */
export function rowsRead(
  { scope, asked, pipeline }: ScopedCounts,
  days: readonly DaysInRow[],
  listed: readonly ListedDays[],
): Read {
  const { by, packed, doubted = [] } = asked
  const of: CountsOf = packed !== undefined || scope.agents !== 'all' ? 'agent' : 'all'
  const values = valuesCounted(by)
  const hasAgents = kindsCounted(by).includes('agent')
  const ofAgents = { of: 'agent', by: 'agent' }
  const ofValues = { of, by: values.length === 1 ? values[0]! : { $in: values } }
  const match = {
    project_id: { $eq: scope.projectId },
    ...(values.length === 0 ? ofAgents : hasAgents ? { $or: [ofAgents, ofValues] } : ofValues),
    ...(scope.agents !== 'all' && { agent_name: { $in: [...scope.agents] } }),
    ...keptOf(listed),
    ...(doubted.length > 0 && { trust: { $nin: [...doubted] } }),
  }
  const names = wanted(asked, fieldsRead(pipeline.stages))
  const field = (name: string): unknown => {
    if (values.length === 0 || !OF_VALUES.has(name)) return `$${name}`
    return hasAgents && !KEYS.has(name) ? { $ifNull: [`$values.${name}`, `$${name}`] } : `$values.${name}`
  }
  const keys = names.filter(name => KEYS.has(name))
  const key = (name: string): unknown => (name === 'span' ? spanOf(days) : name === 'day' ? DAY : field(name))
  const group: BsonDocument = {
    _id: keys.length === 0 ? null : Object.fromEntries(keys.map(name => [name, key(name)])),
  }
  for (const name of names) {
    if (KEYS.has(name)) continue
    group[name] = { [name === 'first' ? '$min' : name === 'last' ? '$max' : '$sum']: field(name) }
  }
  return {
    collection: DAY_COUNTS,
    stages: [
      { $match: match },
      ...(values.length === 0 ? [] : [{ $unwind: { path: '$values', preserveNullAndEmptyArrays: hasAgents } }]),
      { $group: group },
    ],
  }
}

/** That counts are those of days and blocks on the list. */
export const keptOf = (listed: readonly ListedDays[]) => ({
  day: { $in: listed.map(rowDayOf) },
  counting: { $in: [...new Set(listed.map(({ counting }) => counting))] },
})

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
        case: { $and: [{ $gte: [DAY, new Date(first)] }, { $lte: [DAY, new Date(last)] }] },
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
