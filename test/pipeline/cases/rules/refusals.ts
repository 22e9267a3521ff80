import type { Case } from '../../../support/pipeline-cases.js'
import { refused, under } from '../../../support/rule-rows.js'

const forbidden = [
  '$out',
  '$merge',
  '$lookup',
  '$graphLookup',
  '$unionWith',
  '$geoNear',
  '$search',
  '$searchMeta',
  '$vectorSearch',
  '$documents',
  '$changeStream',
  '$collStats',
  '$indexStats',
  '$planCacheStats',
  '$currentOp',
  '$listSessions',
  '$listLocalSessions',
]

const facet = (...stages: readonly object[]) => [{ $facet: { a: stages } }]

export const cases: readonly Case[] = [
  ...under(
    'what is not on the lists',
    ...forbidden.flatMap(name =>
      refused(
        [[{ [name]: {} }], `pipeline[0].${name}: The stage "${name}" is not allowed: `],
        [facet({ [name]: {} }), `pipeline[0].$facet.a[0].${name}: The stage "${name}" is not allowed: `],
      ),
    ),
    ...refused(
      [[{ $match: { $where: '1' } }], 'it runs code'],
      [[{ $match: { $jsonSchema: {} } }], 'is not allowed: '],
      [[{ $match: { $text: { $search: 'x' } } }], 'use $regex'],
      [[{ $project: { a: { $function: {} } } }], 'it runs code'],
      [[{ $project: { a: { $meta: 'textScore' } } }], 'is not allowed: '],
      [[{ $match: { $expr: { $gt: [{ $function: {} }, 1] } } }], 'pipeline[0].$match.$expr.$gt[0].$function'],
      [[{ $group: { _id: 1, a: { $accumulator: {} } } }], 'it runs code'],
      [[{ $group: { _id: { b: { $function: {} } } } }], 'it runs code'],
      [[{ $match: { a: { $elemMatch: { $where: '1' } } } }], 'it runs code'],
      [[{ $setWindowFields: { sortBy: { a: 1 }, output: { r: { $accumulator: {} } } } }], 'it runs code'],
      [[{ $project: { a: '$$CLUSTER_TIME' } }], 'it looks at the server'],
      [[{ $match: { a: { $grt: 1 } } }], 'Did you mean $gt?'],
      [[{ $sorte: { a: 1 } }], 'Did you mean $sort?'],
      [[{ $project: { a: { $concatArray: [] } } }], 'Did you mean $concatArrays?'],
    ),
  ),
  ...under(
    'shapes of stages',
    ...refused(
      [[{}], 'a stage has exactly one key, not 0'],
      [[{ $limit: 0 }], '$limit takes a whole number from 1'],
      [[{ $limit: -1 }], '$limit takes a whole number from 1'],
      [[{ $limit: 1.5 }], '$limit takes a whole number from 1'],
      [[{ $skip: -1 }], '$skip takes a whole number from 0'],
      [[{ $match: { $and: [] } }], 'at least one condition'],
      [[{ $match: { $or: [] } }], 'at least one condition'],
      [[{ $match: { $nor: [] } }], 'at least one condition'],
      [[{ $count: '' }], '$count takes a field name'],
      [[{ $count: '$n' }], '$count takes a field name'],
      [[{ $count: 'a.b' }], '$count takes a field name'],
      [[{ $count: '_id' }], '$count takes a field name'],
      [facet({ $facet: { b: [] } }), 'can not stand inside a $facet'],
      [[{ $sort: {} }], 'at least one field'],
      [[{ $match: [] }], 'a filter is an object'],
    ),
  ),
  ...under('fields that look like the restriction', {
    name: 'set, then asked for',
    calls: [{ agent_name: 'Ana' }, { agent_name: 'Ben' }],
    pipeline: [
      { $set: { agent_name: 'Zoe', project_id: 'other' } },
      { $group: { _id: '$agent_name', n: { $sum: 1 }, project: { $max: '$project_id' } } },
    ],
    result: [{ _id: 'Zoe', n: 2, project: 'other' }],
    wholeInEngine: true,
  }),
  ...under(
    'limits of a pipeline',
    ...refused(
      [[...facet(...Array.from({ length: 50 }, () => ({ $limit: 1 })))], 'has 51 stages; at most 50'],
      [[{ $match: { a: 'x'.repeat(66_000) } }], 'at most 65536'],
      [
        [{ $match: { a: Array.from({ length: 31 }).reduce<unknown>(inner => [inner], 1) } }],
        'nested deeper than 32 levels',
      ],
    ),
  ),
]
