import { createHash } from 'node:crypto'
import type { Db } from 'mongodb'
import pLimit from 'p-limit'
import {
  double,
  type Document,
  evaluate,
  parsePipeline,
  type Stage,
  toPlain,
  type Value,
} from '../../pipeline/index.js'
import type { Kept } from './mongodb-database.js'
import { sent } from './native.js'
import type { Names } from './native-expression.js'
import { sendFilter } from './native-filter.js'
import { readCallBson, toBson } from './values.js'

/** Questions at a time: an opening waits for all of them. */
const AT_ONCE = 4

const at = (day: number) => new Date(Date.UTC(2026, 2, day))

/** Documents on which servers have been seen to differ: missing and null, empty and nested lists, numbers and dates side by side. */
const DOCUMENTS: readonly (Document & { readonly _id: string })[] = [
  { _id: 'a', n: 1, t: 'x', d: at(1), o: { k: 1 }, l: ['x', 'y'], e: [{ k: 'x' }, { k: 'y' }], f: double(1e16) },
  { _id: 'b', n: double(2.5), t: 'X', d: at(2), o: { k: null }, l: [], e: [], f: double(1) },
  { _id: 'c', n: -3, t: 'é', d: at(3), o: {}, l: ['x'], e: [{}], f: double(-1e16) },
  { _id: 'd', n: 2, t: '', l: ['z', 'y', 'x'], e: [{ k: 'z' }], f: double(0.1) },
  { _id: 'e', t: '\u{1F600}', d: at(1), b: false, f: double(0.2) },
  // Behind the change of clocks of that night in Berlin.
  { _id: 'f', n: null, t: '\uFFFD', b: true, d: new Date(Date.UTC(2026, 2, 29, 1, 30)), f: double(0.7) },
  // A server was seen to cut days and weeks rightly in some months only.
  { _id: 'g', d: new Date(Date.UTC(2025, 0, 1)), f: double(4.6) },
  { _id: 'h', d: new Date(Date.UTC(2025, 0, 2, 9, 1, 1, 234)), f: double(2.675) },
  { _id: 'i', d: new Date(Date.UTC(2024, 11, 31, 23, 30)), f: double(-1.005) },
  { _id: 'j', d: new Date(Date.UTC(2024, 1, 29, 23, 59, 59, 999)), f: double(0.05) },
  { _id: 'k', d: new Date(Date.UTC(2020, 5, 15, 4)), f: double(15.45) },
  { _id: 'l', d: new Date(Date.UTC(2025, 9, 26, 0, 30)), f: double(-0.15) },
]

type Question = readonly [name: string, ...stages: readonly object[]]

const filters: readonly (readonly [name: string, filter: object])[] = [
  ['$eq', { n: { $eq: 2 } }],
  ['$eq', { n: { $eq: null } }],
  ['$eq', { l: { $eq: 'x' } }],
  ['$eq', { 'e.k': { $eq: 'y' } }],
  ['$eq', { b: { $eq: false } }],
  ['$eq', { d: { $eq: at(1) } }],
  ['$ne', { n: { $ne: 2 } }],
  ['$ne', { l: { $ne: 'x' } }],
  ['$ne', { 'e.k': { $ne: 'z' } }],
  ['$gt', { n: { $gt: 1 } }],
  ['$gt', { t: { $gt: 'x' } }],
  ['$gt', { d: { $gt: at(1) } }],
  ['$gte', { n: { $gte: 2, $lt: 2.5 } }],
  ['$gte', { n: { $gte: null } }],
  ['$lt', { n: { $lt: 2 } }],
  ['$lt', { l: { $gt: 'x', $lt: 'z' } }],
  ['$lte', { 'o.k': { $lte: 1 } }],
  ['$lte', { d: { $lte: at(2) } }],
  ['$in', { l: { $in: ['y', 'q'] } }],
  ['$in', { n: { $in: [null, 1] } }],
  ['$in', { t: { $in: [] } }],
  ['$nin', { l: { $nin: ['y', 'q'] } }],
  ['$nin', { n: { $nin: [null, 1] } }],
  ['$exists', { n: { $exists: true } }],
  ['$exists', { 'e.k': { $exists: false } }],
  ['$size', { l: { $size: 0 } }],
  ['$size', { l: { $size: 2 } }],
  ['$and', { $and: [{ n: { $gt: 0 } }, { l: { $eq: 'x' } }] }],
  ['$or', { $or: [{ n: { $eq: 1 } }, { t: { $eq: '' } }] }],
  ['$nor', { $nor: [{ n: { $gt: 0 } }, { b: { $eq: true } }] }],
  ['$regex', { t: { $regex: '^x', $options: 'i' } }],
  ['$regex', { t: { $regex: '^[\\p{L}]' } }],
  ['$regex', { l: { $regex: 'z|y' } }],
  ['$expr', { $expr: { $gt: ['$n', 1] } }],
  ['$expr', { $expr: '$b' }],
]

/** What is asked of expressions: each makes a field of every document. */
const expressions: readonly (readonly [name: string, expression: unknown])[] = [
  ['$add', { $add: ['$n', 1, 0.5] }],
  ['$add', { $add: ['$d', 3_600_000] }],
  ['$subtract', { $subtract: ['$n', 3] }],
  ['$subtract', { $subtract: ['$d', at(1)] }],
  ['$multiply', { $multiply: ['$n', 3] }],
  ['$divide', { $divide: ['$n', 4] }],
  ['$divide', { $divide: [6, 3] }],
  ['$mod', { $mod: ['$n', 2] }],
  ['$abs', { $abs: '$n' }],
  ['$ceil', { $ceil: '$n' }],
  ['$floor', { $floor: '$n' }],
  ['$round', { $round: ['$n', 0] }],
  ['$round', { $round: [{ $multiply: ['$f', 1.5] }, 1] }],
  ['$round', { $round: ['$f', 1] }],
  ['$trunc', { $trunc: ['$n', 0] }],
  ['$trunc', { $trunc: ['$f', 1] }],
  ['$cmp', { $cmp: ['$n', '$t'] }],
  ['$eq', { $eq: ['$n', null] }],
  ['$eq', { $eq: ['$n', 2] }],
  ['$ne', { $ne: ['$t', 'x'] }],
  ['$gt', { $gt: ['$n', 1] }],
  ['$gt', { $gt: ['$d', '$n'] }],
  ['$gte', { $gte: ['$n', 2] }],
  ['$lt', { $lt: ['$n', 2] }],
  ['$lte', { $lte: ['$n', null] }],
  ['$and', { $and: ['$n', { $gt: ['$n', 1] }] }],
  ['$or', { $or: ['$b', { $gt: ['$n', 1] }] }],
  ['$not', { $not: ['$n'] }],
  ['$cond', { $cond: [{ $gt: ['$n', 1] }, 'more', 0] }],
  ['$ifNull', { $ifNull: ['$n', '$t', 'none'] }],
  // oxlint-disable-next-line unicorn/no-thenable -- as MongoDB names it
  ['$switch', { $switch: { branches: [{ case: { $gt: ['$n', 1] }, then: 'more' }], default: '$t' } }],
  ['$concat', { $concat: ['$t', '-', '$t'] }],
  ['$toLower', { $toLower: '$t' }],
  ['$toUpper', { $toUpper: '$t' }],
  ['$substrCP', { $substrCP: ['$t', 0, 1] }],
  ['$strLenCP', { $strLenCP: { $ifNull: ['$t', ''] } }],
  ['$isArray', { $isArray: '$l' }],
  ['$size', { $size: { $cond: [{ $isArray: '$l' }, '$l', []] } }],
  ['$in', { $in: ['x', { $cond: [{ $isArray: '$l' }, '$l', []] }] }],
  ['$filter', { $filter: { input: '$l', as: 'one', cond: { $ne: ['$$one', 'x'] } } }],
  ['$filter', { $filter: { input: '$e', as: 'one', cond: { $eq: ['$$one.k', 'x'] } } }],
  ['$slice', { $slice: ['$l', 2] }],
  ['$arrayElemAt', { $arrayElemAt: ['$l', -1] }],
  ['$year', { $year: '$d' }],
  ['$month', { $month: { date: '$d', timezone: 'Europe/Berlin' } }],
  ['$dayOfMonth', { $dayOfMonth: { date: '$d', timezone: 'America/New_York' } }],
  ['$dayOfWeek', { $dayOfWeek: '$d' }],
  ['$isoDayOfWeek', { $isoDayOfWeek: { date: '$d', timezone: 'Asia/Tokyo' } }],
  ['$isoWeek', { $isoWeek: '$d' }],
  ['$isoWeekYear', { $isoWeekYear: '$d' }],
  ['$hour', { $hour: { date: '$d', timezone: 'Europe/Berlin' } }],
  ['$minute', { $minute: { date: '$d', timezone: 'Asia/Kolkata' } }],
  ['$dateTrunc', { $dateTrunc: { date: '$d', unit: 'day' } }],
  ['$dateTrunc', { $dateTrunc: { date: '$d', unit: 'day', timezone: 'America/New_York' } }],
  ['$dateTrunc', { $dateTrunc: { date: '$d', unit: 'week', binSize: 2 } }],
  ['$dateTrunc', { $dateTrunc: { date: '$d', unit: 'week', startOfWeek: 'monday', timezone: 'Europe/Berlin' } }],
  ['$dateTrunc', { $dateTrunc: { date: '$d', unit: 'month', timezone: 'Europe/Berlin' } }],
  ['$dateTrunc', { $dateTrunc: { date: '$d', unit: 'hour', binSize: 6, timezone: 'Europe/Berlin' } }],
  ['$dateToString', { $dateToString: { date: '$d', format: '%Y-%m-%d %H:%M:%S.%L', timezone: 'Europe/Berlin' } }],
  ['$dateToString', { $dateToString: { date: '$d', format: '%G-W%V %u %j', onNull: 'none' } }],
  ['$dateDiff', { $dateDiff: { startDate: at(1), endDate: '$d', unit: 'day', timezone: 'Europe/Berlin' } }],
  ['$dateDiff', { $dateDiff: { startDate: at(1), endDate: '$d', unit: 'week', startOfWeek: 'monday' } }],
  ['$dateAdd', { $dateAdd: { startDate: '$d', unit: 'month', amount: 1, timezone: 'Europe/Berlin' } }],
  ['$dateSubtract', { $dateSubtract: { startDate: '$d', unit: 'day', amount: 2, timezone: 'Europe/Berlin' } }],
]

/** What is asked of groups: of all documents, and of those with each text in their list. */
const gathered: readonly (readonly [name: string, accumulator: object])[] = [
  ['$sum', { $sum: 1 }],
  ['$sum', { $sum: { $cond: [{ $gt: ['$n', 1] }, 1, 0] } }],
  ['$sum of fractions', { $sum: '$n' }],
  ['$sum of fractions', { $sum: '$f' }],
  ['$avg', { $avg: '$n' }],
  ['$avg', { $avg: '$f' }],
  ['$min', { $min: '$n' }],
  ['$min', { $min: '$t' }],
  ['$max', { $max: '$n' }],
  ['$max', { $max: '$d' }],
  ['$first', { $first: '$t' }],
  ['$first', { $first: '$n' }],
  ['$last', { $last: '$n' }],
  ['$push', { $push: '$n' }],
]

const BY_ID = { $sort: { _id: 1 } }

const QUESTIONS: readonly Question[] = [
  ...filters.map(([name, filter]): Question => [`match:${name}`, { $match: filter }, BY_ID]),
  ...expressions.map(([name, expression]): Question => [`expression:${name}`, BY_ID, { $project: { x: expression } }]),
  ...gathered.flatMap(([name, accumulator]): Question[] => [
    [`group:${name}`, BY_ID, { $group: { _id: null, x: accumulator } }],
    [`group:${name}`, BY_ID, { $unwind: '$l' }, { $group: { _id: '$l', x: accumulator } }, BY_ID],
  ]),
  ['stage:$match', { $match: { n: { $gt: 1 } } }, BY_ID],
  ['stage:$sort', { $sort: { t: 1, _id: 1 } }],
  ['stage:$sort', { $sort: { n: 1, _id: -1 } }],
  ['stage:$sort', { $sort: { 'o.k': -1, _id: 1 } }],
  ['stage:$sort', { $sort: { d: -1, _id: 1 } }],
  ['stage:$limit', BY_ID, { $limit: 2 }],
  ['stage:$skip', BY_ID, { $skip: 4 }],
  ['stage:$project', BY_ID, { $project: { n: 1, 'o.k': 1, 'e.k': 1, x: '$t' } }],
  ['stage:$project', BY_ID, { $project: { f: 0, e: 0, 'o.k': 0 } }],
  ['stage:$project', BY_ID, { $project: { _id: 0, both: { a: '$n', b: '$o.k' } } }],
  ['stage:$set', BY_ID, { $set: { x: '$n', 'o.x': '$t', t: '$e.k' } }],
  ['stage:$addFields', BY_ID, { $addFields: { x: { a: '$n' } } }],
  ['stage:$unwind', BY_ID, { $unwind: '$l' }, { $project: { l: 1 } }],
  ['stage:$unwind', BY_ID, { $unwind: { path: '$e', preserveNullAndEmptyArrays: true } }, { $project: { 'e.k': 1 } }],
  ['stage:$unwind', BY_ID, { $unwind: { path: '$l', includeArrayIndex: 'i' } }, { $project: { l: 1, i: 1 } }],
  ['stage:$group', { $group: { _id: '$n', x: { $sum: 1 } } }, BY_ID],
  ['stage:$group by documents', { $group: { _id: { a: '$b', k: '$o.k' }, x: { $sum: 1 } } }, BY_ID],
  ['stage:$group', { $match: { n: { $gt: 99 } } }, { $group: { _id: null, x: { $sum: 1 } } }],
  ['stage:$sortByCount', { $group: { _id: '$d', count: { $sum: 1 } } }, { $sort: { count: -1, _id: 1 } }],
  ['stage:$count', { $match: { n: { $gt: 99 } } }, { $group: { _id: null, x: { $sum: 1 } } }, { $project: { _id: 0 } }],
]

const NAMES: Names = new Set(QUESTIONS.map(([name]) => name))

interface Remembered extends Kept {
  /** Of the server, its questions and what they should be answered with. */
  readonly of: string
  readonly answered: readonly string[]
}

const REMEMBERED = 'answered'

/**
 * What a server answers as our evaluator does, of what it may be asked; all else is not sent to it. What was found is remembered in
 * the store, as long as server and questions are the same.
 * @param version the server's
 */
export async function probe(db: Db, version: string): Promise<Names> {
  const probes = db.collection<Remembered>('probes')
  const asked = (prepared ??= QUESTIONS.map(prepare))
  const of = createHash('sha256')
    .update(JSON.stringify([version, DOCUMENTS.map(toPlain), asked]))
    .digest('hex')
  const remembered = await probes.findOne({ _id: REMEMBERED, of })
  if (remembered !== null) return new Set(remembered.answered)
  const otherwise = await wrongOf(db, asked)
  const answered = [...NAMES].filter(name => !otherwise.has(name))
  await probes.replaceOne({ _id: REMEMBERED }, { of, answered }, { upsert: true })
  return new Set(answered)
}

interface Asked {
  readonly name: string
  readonly stages: readonly object[]
  readonly expected: string
}

/** The same for every server. */
let prepared: readonly Asked[] | undefined

function prepare([name, ...stages]: Question): Asked {
  const pipeline = parsePipeline(stages)
  return { name, stages: pipeline.stages.map(asSent), expected: written(evaluate(pipeline, DOCUMENTS)) }
}

/** The names of questions that are answered otherwise, or not at all. */
async function wrongOf(db: Db, questions: readonly Asked[]): Promise<Names> {
  const documents = db.collection<Kept>('probe_documents')
  await documents.bulkWrite(
    DOCUMENTS.map(document => {
      return {
        replaceOne: { filter: { _id: document._id }, replacement: toBson(document) as Kept, upsert: true },
      }
    }),
  )
  const inTurns = pLimit(AT_ONCE)
  const answer = async (stages: readonly object[]) =>
    await documents
      .aggregate<Uint8Array>(stages.map(sent), { raw: true })
      .toArray()
      .then(found => written(found.map(readCallBson)))
      .catch(() => undefined)
  const wrong = await Promise.all(
    questions.map(async ({ name, stages, expected }) => {
      const answered = await inTurns(() => answer(stages))
      return answered === expected ? [] : [name]
    }),
  )
  return new Set(wrong.flat())
}

/** As it is sent where all is trusted. */
function asSent(stage: Stage): object {
  const json = stage.toJson()
  if (!('$match' in json)) return json
  return { $match: sendFilter(json.$match, { fields: new Map(), answered: NAMES, now: at(1) }) }
}

/** Documents as a text that tells whatever may differ of these. */
const written = (documents: readonly Value[]): string =>
  JSON.stringify(documents.map(toPlain), (_, value: unknown) => (typeof value === 'bigint' ? Number(value) : value))
