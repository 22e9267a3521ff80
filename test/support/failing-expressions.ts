/** Expressions that fail on a trap's fields and on no other call's. */
export const failing: readonly (readonly [string, unknown])[] = [
  ['a division by zero', { $divide: [1, '$session_metadata.n'] }],
  ['a remainder of zero', { $mod: [1, '$session_metadata.n'] }],
  ['a conversion', { $toInt: '$session_metadata.digits' }],
  ['another conversion', { $toDouble: '$session_metadata.digits' }],
  ['a size of no array', { $size: '$session_metadata.tags' }],
  ['a size of what is missing', { $size: '$trust.reasons' }],
  ['a text that is none', { $concat: ['$session_metadata.word', 'x'] }],
  ['a logarithm', { $ln: '$session_metadata.n' }],
  ['a root', { $sqrt: { $subtract: ['$session_metadata.n', 1] } }],
  ['a sum with a text', { $add: ['$session_metadata.size', 1] }],
  ['a date of a text', { $dateFromString: { dateString: { $concat: ['2026-01-0', '$session_metadata.digits'] } } }],
  ['a time zone', { $dateToString: { date: '$created_dt', timezone: { $ifNull: ['$session_metadata.zone', 'UTC'] } } }],
  ['an element of no array', { $arrayElemAt: ['$session_metadata.tags', 0] }],
  ['a length of what is missing', { $strLenCP: '$channel' }],
  ['a set of no arrays', { $setUnion: ['$session_metadata.tags', []] }],
  ['a map over no array', { $map: { input: '$session_metadata.tags', in: 1 } }],
]

/** The same failure in every place an expression may stand. */
export const failingPlaces: readonly (readonly [string, (expression: unknown) => readonly object[]])[] = [
  ['$project', e => [{ $project: { x: e } }]],
  ['$addFields', e => [{ $addFields: { x: e } }]],
  ['$match', e => [{ $match: { $expr: { $ne: [e, 'nothing'] } } }]],
  ['$group', e => [{ $group: { _id: null, x: { $push: e } } }]],
  ['the key of $group', e => [{ $group: { _id: e, n: { $sum: 1 } } }]],
  ['$bucket', e => [{ $bucket: { groupBy: e, boundaries: [0, 1], default: 'other' } }]],
  ['$setWindowFields', e => [{ $setWindowFields: { partitionBy: '$agent_name', output: { x: { $sum: e } } } }]],
  ['$facet', e => [{ $facet: { a: [{ $project: { x: e } }, { $count: 'n' }] } }]],
  ['$redact', e => [{ $redact: { $cond: [{ $eq: [e, 'nothing'] }, '$$PRUNE', '$$KEEP'] } }]],
  ['$replaceRoot', e => [{ $replaceRoot: { newRoot: { x: e } } }]],
  ['a branch', e => [{ $project: { x: { $cond: [true, e, 0] } } }]],
]
