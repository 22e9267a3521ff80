import type { Db } from 'mongodb'
import { type Document, evaluate, parsePipeline, type Value } from '../../pipeline/index.js'
import type { Kept } from './mongodb-database.js'
import { type Names, sent } from './native.js'
import { readBson, toBson } from './values.js'

const at = (day: number) => new Date(Date.UTC(2026, 2, day))

/** Documents on which servers have been seen to differ: missing and null, empty and nested lists, numbers and dates side by side. */
const DOCUMENTS: readonly (Document & { readonly _id: string })[] = [
  { _id: 'a', n: 1, t: 'x', d: at(1), o: { k: 1 }, l: ['x', 'y'], e: [{ k: 'x' }, { k: 'y' }] },
  { _id: 'b', n: 2.5, t: 'X', d: at(2), o: { k: null }, l: [], e: [] },
  { _id: 'c', n: -3, t: 'é', d: at(3), o: {}, l: ['x'], e: [{}] },
  { _id: 'd', n: 2, t: '', l: ['z', 'y', 'x'], e: [{ k: 'z' }] },
  { _id: 'e', t: '\u{1F600}', d: at(1), b: false },
  { _id: 'f', n: null, t: '\uFFFD', b: true },
]

/** What is asked of them: the operator that is tried, and a pipeline that orders what it gives. */
const QUESTIONS: readonly (readonly [string, ...object[]])[] = [
  ['$eq', { $match: { n: { $eq: 2 } } }],
  ['$eq', { $match: { n: { $eq: null } } }],
  ['$eq', { $match: { l: { $eq: 'x' } } }],
  ['$eq', { $match: { 'e.k': { $eq: 'y' } } }],
  ['$eq', { $match: { b: { $eq: false } } }],
  ['$eq', { $match: { d: { $eq: at(1) } } }],
  ['$ne', { $match: { n: { $ne: 2 } } }],
  ['$ne', { $match: { l: { $ne: 'x' } } }],
  ['$ne', { $match: { 'e.k': { $ne: 'z' } } }],
  ['$gt', { $match: { n: { $gt: 1 } } }],
  ['$gt', { $match: { t: { $gt: 'x' } } }],
  ['$gt', { $match: { d: { $gt: at(1) } } }],
  ['$gte', { $match: { n: { $gte: 2, $lt: 2.5 } } }],
  ['$gte', { $match: { n: { $gte: null } } }],
  ['$lt', { $match: { n: { $lt: 2 } } }],
  ['$lt', { $match: { l: { $gt: 'x', $lt: 'z' } } }],
  ['$lte', { $match: { 'o.k': { $lte: 1 } } }],
  ['$lte', { $match: { d: { $lte: at(2) } } }],
  ['$in', { $match: { l: { $in: ['y', 'q'] } } }],
  ['$in', { $match: { n: { $in: [null, 1] } } }],
  ['$in', { $match: { t: { $in: [] } } }],
  ['$nin', { $match: { l: { $nin: ['y', 'q'] } } }],
  ['$nin', { $match: { n: { $nin: [null, 1] } } }],
  ['$exists', { $match: { n: { $exists: true } } }],
  ['$exists', { $match: { 'e.k': { $exists: false } } }],
  ['$size', { $match: { l: { $size: 0 } } }],
  ['$size', { $match: { l: { $size: 2 } } }],
  ['$and', { $match: { $and: [{ n: { $gt: 0 } }, { l: { $eq: 'x' } }] } }],
  ['$or', { $match: { $or: [{ n: { $eq: 1 } }, { t: { $eq: '' } }] } }],
  ['$nor', { $match: { $nor: [{ n: { $gt: 0 } }, { b: { $eq: true } }] } }],
  ['$sort', { $sort: { t: 1, _id: 1 } }],
  ['$sort', { $sort: { n: 1, _id: -1 } }],
  ['$sort', { $sort: { 'o.k': -1, _id: 1 } }],
  ['$sort', { $sort: { d: -1, _id: 1 } }],
  ['$limit', { $sort: { _id: 1 } }, { $limit: 2 }],
  ['$skip', { $sort: { _id: 1 } }, { $skip: 4 }],
]

/** Which of the calls' operators a server answers otherwise than our evaluator, or not at all: they are not sent to it. */
export async function probe(db: Db): Promise<Names> {
  const probes = db.collection<Kept>('probes')
  await probes.bulkWrite(
    DOCUMENTS.map(document => {
      return {
        replaceOne: { filter: { _id: document._id }, replacement: toBson(document) as Kept, upsert: true },
      }
    }),
  )
  const otherwise = new Set<string>()
  for (const [operator, ...stages] of QUESTIONS) {
    const pipeline = parsePipeline(stages)
    const ordered = stages.some(stage => '$sort' in stage) ? [] : [{ $sort: { _id: 1 } }]
    const native = [...pipeline.stages.map(stage => sent(stage.toJson())), ...ordered]
    // oxlint-disable-next-line no-await-in-loop -- one question after the other
    const answered = await probes
      .aggregate<Uint8Array>(native, { raw: true })
      .toArray()
      .then(found => found.map(readBson))
      .catch(() => undefined)
    if (written(answered) !== written(evaluate(pipeline, DOCUMENTS))) otherwise.add(operator)
  }
  return otherwise
}

/** Documents as a text that tells whatever may differ of these. */
const written = (documents: readonly Value[] | undefined): string => JSON.stringify(documents ?? 'no answer')
