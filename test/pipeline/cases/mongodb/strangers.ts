import type { Case } from '../../../support/pipeline-cases.js'

/**
 * Where we once differed from the regression tests of DocumentDB, an open-source server that speaks MongoDB's protocol, and MongoDB's
 * own tests or messages say as they do. Of 5,475 of their cases that both read, 4,836 were alike from the start; what else differs is
 * the order of what has none, zones of their test machine, and constants of branches not taken, which they evaluate.
 */

const date = (name: string, arguments_: object, result: unknown): Case => ({
  name,
  expression: { $dateFromString: arguments_ },
  result,
})
const at = (text: string) => ({ $date: text })

const nested = { c: [{ d: [[-1, 1, 2]] }, { d: [[0, 1, 7]] }] }
const matched = (name: string, condition: object, found: boolean): Case => ({
  name,
  documents: [nested],
  pipeline: [{ $match: condition }],
  result: found ? [nested] : [],
})

export const cases: readonly Case[] = [
  date(
    'milliseconds are a fraction, however many digits',
    { dateString: '2017-07-04T11:56:02.8Z', format: '%Y-%m-%dT%H:%M:%S.%LZ' },
    at('2017-07-04T11:56:02.800Z'),
  ),
  date(
    'two of their digits',
    { dateString: '2017-07-04T11:56.02.81', format: '%Y-%m-%dT%H:%M.%S.%L' },
    at('2017-07-04T11:56:02.810Z'),
  ),
  date(
    'a week of one calendar and a year of the other are no date',
    { dateString: 'ISO Week 1, 2018', format: 'ISO Week %V, %Y', onError: 'unread' },
    'unread',
  ),
  date(
    'nor a month and the year of the weeks',
    { dateString: '12/31/2018', format: '%m/%d/%G', onError: 'unread' },
    'unread',
  ),
  date('a day of the year follows its year', { dateString: '015-2024', format: '%j-%Y', onError: 'unread' }, 'unread'),
  date(
    'what is no text is an error, also where the format is null',
    { dateString: 5, format: null, onError: 'unread' },
    'unread',
  ),
  {
    name: 'milliseconds taken off a date are cut',
    expression: { $subtract: ['$a', 43_200_000.56] },
    document: { a: at('1970-01-01T00:00:00Z') },
    result: at('1969-12-31T12:00:00Z'),
  },
  {
    name: 'those added are rounded',
    expression: { $add: ['$a', 43_200_000.56] },
    document: { a: at('1970-01-01T00:00:00Z') },
    result: at('1970-01-01T12:00:00.001Z'),
  },
  {
    name: 'one to any power is one',
    expression: { $pow: ['$one', '$none'] },
    document: { one: 1, none: { $numberDouble: 'NaN' } },
    result: { $numberDouble: '1' },
  },
  matched('an index at the end names an array whole', { 'c.d.0': -1 }, false),
  matched('which may be asked for', { 'c.d.0': [-1, 1, 2] }, true),
  matched('and gone into by another index', { 'c.d.0.2': 7 }, true),
  matched('at one element too', { 'c.0.d.0': 2 }, false),
  {
    name: 'an index at the end, in what may hold anything',
    calls: [{ session_metadata: { lists: [[1, 2], 3] } }],
    pipeline: [
      {
        $facet: {
          within: [{ $match: { 'session_metadata.lists.0': 2 } }, { $count: 'calls' }],
          whole: [{ $match: { 'session_metadata.lists.0': [1, 2] } }, { $count: 'calls' }],
          plain: [{ $match: { 'session_metadata.lists.1': 3 } }, { $count: 'calls' }],
        },
      },
    ],
    result: [{ within: [], whole: [{ calls: 1 }], plain: [{ calls: 1 }] }],
  },
  {
    name: 'a computed field reaches into arrays within arrays',
    documents: [{ a: [1, { d: 1 }, [3, { c: 4 }], 'x'] }],
    pipeline: [{ $project: { a: { c: { d: '1' } } } }],
    result: [{ a: [{ c: { d: '1' } }, { c: { d: '1' } }, [{ c: { d: '1' } }, { c: { d: '1' } }], { c: { d: '1' } }] }],
  },
  {
    name: 'every match of nothing, but none behind the last character',
    expression: { $regexFindAll: { input: '$text', regex: '(a*?)' } },
    document: { text: 'aa' },
    result: [
      { match: '', idx: 0, captures: [''] },
      { match: '', idx: 1, captures: [''] },
    ],
  },
  {
    name: 'a match there that is looked for from before',
    expression: { $regexFindAll: { input: '$text', regex: '(?:$)' } },
    document: { text: 'aa' },
    result: [{ match: '', idx: 2, captures: [] }],
  },
  {
    name: 'one of nothing in an empty text',
    expression: { $regexFindAll: { input: '$text', regex: 'a*' } },
    document: { text: '' },
    result: [{ match: '', idx: 0, captures: [] }],
  },
  { name: 'a field by name and no document', expression: { $getField: { field: 'a' } }, error: 'input' },
  ...['$push', '$sum', '$stdDevPop', '$first'].map((accumulator): Case => ({
    name: `${accumulator} takes no array, not of one expression either`,
    documents: [{ n: 1 }],
    pipeline: [{ $group: { _id: null, value: { [accumulator]: ['$n'] } } }],
    error: 'takes one expression here, not an array of them',
  })),
]
