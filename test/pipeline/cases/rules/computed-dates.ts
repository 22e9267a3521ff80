import type { Case } from '../../../support/pipeline-cases.js'
import { under } from '../../../support/rule-rows.js'

const calls = [
  { created_dt: '2026-02-01T10:00:00Z', customer_display_name: 'Ada', score: 2 },
  { created_dt: '2026-03-01T10:00:00Z', customer_display_name: 'Ada', score: 4 },
  { created_dt: '2026-03-02T10:00:00Z', customer_display_name: 'Bo', score: 3 },
]

const FROM = '2026-03-01'
const date = (text: string) => ({ $date: text })
const day = { $dateTrunc: { date: '$created_dt', unit: 'day' } }
const later = { $dateAdd: { startDate: '$created_dt', unit: 'hour', amount: 1 } }

/** The customers for whom the groups' field is from a day on, by a filter and by an expression: all but Ada's first call is. */
function gathered(name: string, output: object, field: string, names: readonly string[]): readonly Case[] {
  const group = { $group: { _id: '$customer_display_name', found: output } }
  return read(name, [{ $sort: { created_dt: 1 } }, group], field, names)
}

/** The calls (0, 1, 2) whose field is from a day on. */
const computed = (name: string, stages: readonly object[], field: string, places: readonly number[]) =>
  read(
    name,
    stages,
    field,
    places.map(place => `c${place}`),
  )

/** Which documents a text lets through as a date does: in a filter, and beside the field in expressions. */
function read(name: string, stages: readonly object[], field: string, ids: readonly string[]): readonly Case[] {
  const ways = [
    ['in a filter', { $match: { [field]: { $gte: FROM } } }],
    ['in $expr', { $match: { $expr: { $gte: [`$${field}`, FROM] } } }],
    ['as a date', { $match: { [field]: { $gte: date(FROM) } } }],
  ] as const
  const rest = [{ $project: { _id: 1 } }, { $sort: { _id: 1 } }]
  return ways.map(([way, match]) => ({
    name: `${name}, ${way}`,
    calls,
    pipeline: [...stages, match, ...rest],
    result: ids.map(_id => ({ _id })),
  }))
}

/** What an expression gives of each call. */
const values = (name: string, expression: unknown, result: readonly unknown[]): Case => ({
  name,
  calls,
  pipeline: [{ $project: { _id: 0, is: expression } }],
  result: result.map(is => ({ is })),
})

const set = (x: unknown) => [{ $set: { x } }]
const windows = (output: object) => [{ $setWindowFields: { sortBy: { created_dt: 1 }, output: { x: output } } }]
const atMost = { window: { documents: ['unbounded', 'current'] } }

export const cases: readonly Case[] = under(
  'dates and texts',
  ...gathered('$min', { $min: '$created_dt' }, 'found', ['Bo']),
  ...gathered('$max', { $max: '$created_dt' }, 'found', ['Ada', 'Bo']),
  ...gathered('$first', { $first: '$created_dt' }, 'found', ['Bo']),
  ...gathered('$last', { $last: day }, 'found', ['Ada', 'Bo']),
  ...gathered('$top', { $top: { sortBy: { score: 1 }, output: '$created_dt' } }, 'found', ['Bo']),
  ...gathered('$bottom', { $bottom: { sortBy: { score: 1 }, output: { at: '$created_dt' } } }, 'found.at', [
    'Ada',
    'Bo',
  ]),
  ...read(
    'an entry of a list of dates',
    [{ $group: { _id: '$customer_display_name', days: { $addToSet: day } } }, { $unwind: '$days' }],
    'days',
    ['Ada', 'Bo'],
  ),
  ...read(
    'a field of an entry',
    [
      { $group: { _id: '$customer_display_name', found: { $push: { at: '$created_dt', score: '$score' } } } },
      { $unwind: '$found' },
    ],
    'found.at',
    ['Ada', 'Bo'],
  ),
  {
    name: 'a part of a compound key',
    calls,
    pipeline: [
      { $group: { _id: { who: '$customer_display_name', day }, calls: { $sum: 1 } } },
      { $match: { '_id.day': { $gte: FROM } } },
      { $count: 'groups' },
    ],
    result: [{ groups: 2 }],
    wholeInEngine: true,
  },
  {
    name: 'the bounds of $bucketAuto',
    calls,
    pipeline: [
      { $bucketAuto: { groupBy: '$created_dt', buckets: 3 } },
      { $match: { '_id.min': { $gte: FROM } } },
      { $count: 'buckets' },
    ],
    result: [{ buckets: 2 }],
  },
  {
    name: 'the key of $bucket',
    calls,
    pipeline: [
      { $bucket: { groupBy: '$created_dt', boundaries: ['2026-01-01', FROM, '2026-04-01'] } },
      { $match: { _id: { $gte: FROM } } },
    ],
    result: [{ _id: date('2026-03-01T00:00:00Z'), count: 2 }],
  },
  ...computed('$dateAdd', set(later), 'x', [1, 2]),
  ...computed('$dateSubtract', set({ $dateSubtract: { startDate: '$created_dt', unit: 'day', amount: 1 } }), 'x', [2]),
  ...computed('$add', set({ $add: ['$created_dt', 1000] }), 'x', [1, 2]),
  ...computed('$subtract', set({ $subtract: ['$created_dt', 1000] }), 'x', [1, 2]),
  ...computed('$toDate', set({ $toDate: { $dateToString: { date: '$created_dt' } } }), 'x', [1, 2]),
  ...computed('$convert', set({ $convert: { input: '$created_dt', to: 'date', onNull: null } }), 'x', [1, 2]),
  ...computed(
    '$dateFromString',
    set({ $dateFromString: { dateString: { $dateToString: { date: '$created_dt' } }, onError: null } }),
    'x',
    [1, 2],
  ),
  ...computed(
    '$dateFromParts',
    set({ $dateFromParts: { year: { $year: '$created_dt' }, month: { $month: '$created_dt' } } }),
    'x',
    [1, 2],
  ),
  ...computed('$ifNull', set({ $ifNull: ['$evaluation.evaluated_at', '$created_dt'] }), 'x', [1, 2]),
  ...computed('$cond', set({ $cond: [{ $gt: ['$score', 2] }, '$created_dt', null] }), 'x', [1, 2]),
  ...computed(
    '$switch',
    set({ $switch: { branches: [{ case: { $gt: ['$score', 2] }, then: later }], default: '$created_dt' } }),
    'x',
    [1, 2],
  ),
  ...computed('$max of dates', set({ $max: ['$created_dt', '$evaluation.evaluated_at'] }), 'x', [1, 2]),
  ...computed('a constant', set(date('2026-03-05')), 'x', [0, 1, 2]),
  ...computed('a field of an object', set({ at: '$created_dt' }), 'x.at', [1, 2]),
  ...computed('a field of one that was there', [{ $set: { 'evaluation.at': '$created_dt' } }], 'evaluation.at', [1, 2]),
  ...computed('a field that is projected', [{ $project: { x: { at: '$created_dt', n: 1 } } }], 'x.at', [1, 2]),
  ...computed('a field of what is computed', set({ $ifNull: [{ at: '$created_dt' }, null] }), 'x.at', [1, 2]),
  ...computed('$shift', windows({ $shift: { output: '$created_dt', by: -1 } }), 'x', [2]),
  ...computed('$first of a window', windows({ $first: '$created_dt' }), 'x', []),
  ...computed('$last of a window', windows({ $last: '$created_dt', ...atMost }), 'x', [1, 2]),
  ...computed('$min of a window', windows({ $min: '$created_dt', ...atMost }), 'x', []),
  ...computed('$max of a window', windows({ $max: '$created_dt', ...atMost }), 'x', [1, 2]),
  ...computed('$locf', windows({ $locf: '$created_dt' }), 'x', [1, 2]),
  values('$in', { $in: [day, [FROM, 'x', null]] }, [false, true, false]),
  values('$in a list of dates', { $in: ['2026-03-02T10:00:00Z', ['$created_dt', later]] }, [false, false, true]),
  values('$cmp', { $cmp: [later, '2026-03-01T11:00:00Z'] }, [-1, 0, 1]),
  values('$eq', { $eq: [FROM, day] }, [false, true, false]),
  values('$ne', { $ne: [day, FROM] }, [true, false, true]),
  values('$lt', { $lt: [day, FROM] }, [true, false, false]),
  values('$lte', { $lte: [day, FROM] }, [true, true, false]),
  values('a text that is no date', { $gt: [day, 'last week'] }, [true, true, true]),
  values('a date or a text', { $gt: [{ $ifNull: ['$evaluation.evaluated_at', 'never'] }, FROM] }, [true, true, true]),
  values('a date or a text by a condition', { $eq: [{ $cond: [true, FROM, day] }, FROM] }, [true, true, true]),
  values(
    'a text converted where it can not be',
    { $eq: [{ $convert: { input: 'x', to: 'date', onError: FROM } }, FROM] },
    [true, true, true],
  ),
  values('a list of dates is no date', { $gt: [['$created_dt'], FROM] }, [true, true, true]),
  values('a difference is no date', { $lt: [{ $subtract: ['$created_dt', '$created_dt'] }, FROM] }, [true, true, true]),
  values('two dates that are written out', { $lt: [FROM, date('2026-02-01')] }, [true, true, true]),
  values('$let', { $let: { vars: { at: day }, in: { $gte: ['$$at', FROM] } } }, [false, true, true]),
  values('what $let gives', { $gte: [{ $let: { vars: { at: day }, in: '$$at' } }, FROM] }, [false, true, true]),
  values(
    'a variable of $filter',
    { $size: { $filter: { input: [{ at: '$created_dt' }], as: 'one', cond: { $gte: ['$$one.at', FROM] } } } },
    [0, 1, 1],
  ),
  values('a variable of $map', { $map: { input: ['$created_dt', day], in: { $gte: ['$$this', FROM] } } }, [
    [false, false],
    [true, true],
    [true, true],
  ]),
  values('an entry that $map made', { $gte: [{ $first: { $map: { input: [day], in: '$$this' } } }, FROM] }, [
    false,
    true,
    true,
  ]),
  values(
    'a variable within a variable',
    {
      $map: { input: [day], in: { $map: { input: ['2026-01-01'], in: { $gte: ['$$this', FROM] } } } },
    },
    [[[false]], [[false]], [[false]]],
  ),
  values('the greatest of a list', { $gte: [{ $max: [['$created_dt', day]] }, FROM] }, [false, true, true]),
  {
    name: 'boundaries of $bucket by a computed date',
    calls,
    pipeline: [{ $bucket: { groupBy: day, boundaries: ['2026-01-01', '2026-02-15', '2026-06-01'] } }],
    result: [
      { _id: date('2026-01-01T00:00:00Z'), count: 1 },
      { _id: date('2026-02-15T00:00:00Z'), count: 2 },
    ],
    wholeInEngine: true,
  },
  {
    name: 'what was a date and was filled with a text',
    calls,
    pipeline: [
      { $set: { x: '$evaluation.evaluated_at' } },
      { $fill: { output: { x: { value: '2026-05-01' } } } },
      { $match: { x: '2026-05-01' } },
      { $count: 'calls' },
    ],
    result: [{ calls: 3 }],
  },
  ...read(
    'the whole document of a group',
    [
      { $group: { _id: '$customer_display_name', last: { $top: { sortBy: { created_dt: -1 }, output: '$$ROOT' } } } },
      { $replaceRoot: { newRoot: '$last' } },
      { $match: { customer_display_name: 'Ada' } },
    ],
    'created_dt',
    ['c1'],
  ),
  ...read(
    'a document of a $facet',
    [{ $facet: { of: [{ $set: { at: later } }] } }, { $unwind: '$of' }, { $replaceWith: '$of' }],
    'at',
    ['c1', 'c2'],
  ),
)
