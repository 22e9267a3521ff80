import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Problem } from '../../src/base/problem.js'
import type { CallRecord } from '../../src/calls/call-record.js'
import { type CallEngine, callEngine } from '../support/call-engine.js'

/** What is wrong with a pipeline, and the sentence it is refused or fails with: in the engine and evaluated alike. */

const call: CallRecord = {
  session_id: 'c1',
  agent_id: 'ana',
  agent_name: 'Ana',
  created_dt: '2026-03-01T00:00:00Z',
  title: 'x',
  session_metadata: { zero: 0 },
}

let engine: CallEngine
beforeAll(async () => {
  engine = await callEngine([call])
})
afterAll(() => engine.close())

const project = (x: unknown) => [{ $project: { x } }]
const reduced = (initialValue: unknown, inside: unknown, times = 1_000) =>
  project({ $reduce: { input: { $range: [0, times] }, initialValue, in: inside } })

const refused: readonly (readonly [string, unknown, string])[] = [
  ['not an array', { $match: {} }, 'is an array of stages'],
  ['a text', '[{"$match": {}}]', 'is an array of stages'],
  ['51 stages', Array.from({ length: 51 }, () => ({ $skip: 1 })), 'has 51 stages; at most 50'],
  ['65 KiB', [{ $match: { title: 'x'.repeat(66_560) } }], 'at most 65536'],
  ['33 levels', [{ $match: { a: Array.from({ length: 31 }).reduce<unknown>(a => [a], 1) } }], 'deeper than 32 levels'],
  ['a typo', [{ $grup: { _id: null } }], 'pipeline[0].$grup: The stage "$grup" is not known. Did you mean $group?'],
  ['a stage with two operators', [{ $match: {}, $limit: 1 }], 'a stage has exactly one key, not 2'],
  [
    '$where in a $facet',
    [{ $facet: { a: [{ $match: { $where: 'true' } }] } }],
    'pipeline[0].$facet.a[0].$match.$where: The operator "$where" is not allowed: it runs code',
  ],
  ['$$USER_ROLES', project('$$USER_ROLES'), 'The variable "$$USER_ROLES" is not allowed'],
  ['a path with an empty part', project('$trust..level'), 'has an empty part'],
  ['paths that collide', [{ $project: { trust: 1, 'trust.level': 1 } }], 'the paths "trust" and "trust.level" collide'],
  ['no limit', [{ $limit: 0 }], '$limit takes a whole number from 1'],
  [
    'dates without a unit',
    [{ $densify: { field: 'created_dt', range: { step: 1, bounds: 'full' } } }],
    'pipeline[0].$densify.range: needs numbers in its field, or a unit where it holds dates, such as "unit": "day"',
  ],
  [
    'computed dates without a unit',
    [
      { $group: { _id: { day: { $dateTrunc: { date: '$created_dt', unit: 'day' } } } } },
      { $densify: { field: '_id.day', range: { step: 1, bounds: 'full' } } },
    ],
    'pipeline[1].$densify.range: needs numbers in its field, or a unit where it holds dates',
  ],
  [
    'texts as bounds of dates',
    [
      {
        $densify: {
          field: 'session_metadata.at',
          range: { step: 1, unit: 'day', bounds: ['2026-03-01', '2026-03-09'] },
        },
      },
    ],
    'pipeline[0].$densify.range.bounds: are dates when there is a unit, such as {"$date": "2026-03-01"}',
  ],
  [
    'a text as a date',
    project({ $dateDiff: { startDate: '$created_dt', endDate: '2026-11-27', unit: 'day' } }),
    'pipeline[0].$project.x.$dateDiff: takes dates, not string; write {"$date": "2026-11-27"} as endDate',
  ],
  [
    'a text as the only argument',
    project({ $year: '2026-11-27' }),
    'pipeline[0].$project.x.$year: takes dates, not string; write {"$date": "2026-11-27"} as date',
  ],
  [
    'a time zone that is none',
    project({ $hour: { date: '$created_dt', timezone: 'New York' } }),
    'pipeline[0].$project.x.$hour.timezone: $hour got a time zone that is neither an Olson name nor an offset, such as "Europe/Berlin" or "+02:00"; did you mean "America/New_York"?',
  ],
  [
    'a time zone of $dateFromString',
    project({ $dateFromString: { dateString: '$title', timezone: 'Berlin' } }),
    'pipeline[0].$project.x.$dateFromString.timezone: $dateFromString got a time zone that is neither an Olson name nor an offset, such as "Europe/Berlin" or "+02:00"; did you mean "Europe/Berlin"?',
  ],
  [
    'an argument beside its operator',
    project({ $dayOfWeek: '$created_dt', timezone: 'America/New_York' }),
    'pipeline[0].$project.x: an operator stands alone in its object; "timezone" is an argument of $dayOfWeek: write {"$dayOfWeek": {"date": …, "timezone": …}}',
  ],
  [
    'an argument beside its other arguments',
    project({ $dateTrunc: { date: '$created_dt', unit: 'day' }, timezone: 'America/New_York' }),
    'write {"$dateTrunc": {"date": …, "unit": …, "timezone": …}}',
  ],
  [
    'what is no argument beside an operator',
    project({ $dayOfWeek: '$created_dt', zone: 'America/New_York' }),
    'pipeline[0].$project.x: an operator stands alone in its object; "$dayOfWeek" has neighbours',
  ],
  ['a negative skip', [{ $skip: -1 }], '$skip takes a whole number from 0'],
  ['a broken pattern', [{ $match: { title: { $regex: '(' } } }], 'is not a regular expression'],
  ['look-ahead', [{ $match: { title: { $regex: 'a(?=b)' } } }], 'look-ahead and look-behind are not supported'],
  ['a back-reference', [{ $match: { title: { $regex: '(a)\\1' } } }], 'back-references are not supported'],
  ['an object of a program that is no document', [{ $match: { title: new Map([['a', 1]]) } }], 'a Map is not a value'],
]

const failing: readonly (readonly [string, readonly object[], string])[] = [
  ['a division by zero', project({ $divide: [1, '$session_metadata.zero'] }), '$divide can not divide by zero'],
  ['a text that is no number', project({ $toInt: '$title' }), '$toInt can not read this string as an int'],
  [
    'a computed time zone that is none',
    project({ $hour: { date: '$created_dt', timezone: '$title' } }),
    'neither an Olson name nor an offset',
  ],
  [
    '10^9 documents',
    [{ $densify: { field: 'score', range: { step: 1, bounds: [0, 1_000_000_000] } } }],
    '$densify would add more than 100000 documents',
  ],
  ['10^9 items', project({ $range: [0, 1_000_000_000] }), 'an array of more than 1000000 items'],
  [
    'a range for each of a range',
    project({ $map: { input: { $range: [0, 10_000] }, in: { $range: [0, 10_000] } } }),
    '$map makes a value larger than 16 MiB',
  ],
  [
    'the call again for each of many',
    project({ $map: { input: { $range: [0, 100_000] }, in: { $map: { input: { $range: [0, 100] }, in: '$$ROOT' } } } }),
    '$map makes a value larger than 16 MiB',
  ],
  ['documents in documents', reduced(null, { a: '$$value' }), '$reduce makes a value nested deeper than 100 levels'],
  ['a text that doubles', reduced('xx', { $concat: ['$$value', '$$value'] }), 'makes a string longer than 16 MiB'],
  [
    'an array that doubles',
    reduced([1], { $concatArrays: ['$$value', '$$value'] }),
    'makes an array of more than 1000000 items',
  ],
]

describe('is refused before anything runs', () => {
  test.each(refused)('%s', async (_, pipeline, sentence) => {
    expect(() => engine.evaluated(pipeline)).toThrow(sentence)
    await expect(engine.compiled(pipeline)).rejects.toThrow(sentence)
  })
})

describe('fails while it runs', () => {
  test.each(failing)('%s', async (_, pipeline, sentence) => {
    expect(() => engine.evaluated(pipeline)).toThrow(sentence)
    await expect(engine.compiled(pipeline)).rejects.toThrow(sentence)
  })
})

test('each is a problem of the caller, not of the service', () => {
  for (const [, pipeline] of [...refused, ...failing]) {
    expect(() => engine.evaluated(pipeline)).toThrow(Problem)
  }
})
