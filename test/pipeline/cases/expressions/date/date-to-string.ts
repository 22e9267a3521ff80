import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'prints ISO 8601 without a format',
    expression: { $dateToString: { date: '$a' } },
    document: { a: { $date: '2026-03-07T17:08:09.045Z' } },
    result: '2026-03-07T17:08:09.045Z',
    wholeInEngine: true,
  },
  {
    name: 'leaves the Z out in a zone',
    expression: { $dateToString: { date: '$a', timezone: '+01:00' } },
    document: { a: { $date: '2026-03-07T17:08:09.045Z' } },
    result: '2026-03-07T18:08:09.045',
    wholeInEngine: true,
  },
  {
    name: 'prints %Y-%m-%d',
    expression: { $dateToString: { date: '$a', format: '%Y-%m-%d' } },
    document: { a: { $date: '2026-03-07T17:08:09.045Z' } },
    result: '2026-03-07',
    wholeInEngine: true,
  },
  {
    name: 'prints %H:%M:%S.%L',
    expression: { $dateToString: { date: '$a', format: '%H:%M:%S.%L' } },
    document: { a: { $date: '2026-03-07T17:08:09.045Z' } },
    result: '17:08:09.045',
    wholeInEngine: true,
  },
  {
    name: 'prints %j',
    expression: { $dateToString: { date: '$a', format: '%j' } },
    document: { a: { $date: '2026-03-07T17:08:09.045Z' } },
    result: '066',
    wholeInEngine: true,
  },
  {
    name: 'prints %w|%u',
    expression: { $dateToString: { date: '$a', format: '%w|%u' } },
    document: { a: { $date: '2026-03-07T17:08:09.045Z' } },
    result: '7|6',
    wholeInEngine: true,
  },
  {
    name: 'prints %U',
    expression: { $dateToString: { date: '$a', format: '%U' } },
    document: { a: { $date: '2026-03-07T17:08:09.045Z' } },
    result: '09',
    wholeInEngine: true,
  },
  {
    name: 'prints %G-W%V',
    expression: { $dateToString: { date: '$a', format: '%G-W%V' } },
    document: { a: { $date: '2026-03-07T17:08:09.045Z' } },
    result: '2026-W10',
    wholeInEngine: true,
  },
  {
    name: 'prints %b %B',
    expression: { $dateToString: { date: '$a', format: '%b %B' } },
    document: { a: { $date: '2026-03-07T17:08:09.045Z' } },
    result: 'Mar March',
    wholeInEngine: true,
  },
  {
    name: 'prints %z %Z',
    expression: { $dateToString: { date: '$a', format: '%z %Z' } },
    document: { a: { $date: '2026-03-07T17:08:09.045Z' } },
    result: '+0000 0',
    wholeInEngine: true,
  },
  {
    name: 'prints 100%%',
    expression: { $dateToString: { date: '$a', format: '100%%' } },
    document: { a: { $date: '2026-03-07T17:08:09.045Z' } },
    result: '100%',
    wholeInEngine: true,
  },
  {
    name: 'prints Q %% %Y',
    expression: { $dateToString: { date: '$a', format: 'Q %% %Y' } },
    document: { a: { $date: '2026-03-07T17:08:09.045Z' } },
    result: 'Q % 2026',
    wholeInEngine: true,
  },
  {
    name: 'prints plain',
    expression: { $dateToString: { date: '$a', format: 'plain' } },
    document: { a: { $date: '2026-03-07T17:08:09.045Z' } },
    result: 'plain',
    wholeInEngine: true,
  },
  {
    name: 'prints local time',
    expression: { $dateToString: { date: '$a', format: '%H:%M', timezone: 'America/New_York' } },
    document: { a: { $date: '2026-03-07T17:08:09.045Z' } },
    result: '12:08',
    wholeInEngine: true,
  },
  {
    name: 'prints the offset of a zone',
    expression: { $dateToString: { date: '$a', format: '%z %Z', timezone: 'America/New_York' } },
    document: { a: { $date: '2026-03-07T17:08:09.045Z' } },
    result: '-0500 -300',
  },
  {
    name: 'prints a fixed offset',
    expression: { $dateToString: { date: '$a', format: '%z %Z', timezone: '+05:30' } },
    document: { a: { $date: '2026-03-07T17:08:09.045Z' } },
    result: '+0530 330',
    wholeInEngine: true,
  },
  {
    name: 'gives onNull for null',
    expression: { $dateToString: { date: '$a', format: '%Y', onNull: 'none' } },
    document: { a: null, b: 1 },
    result: 'none',
    wholeInEngine: true,
  },
  {
    name: 'gives onNull for missing',
    documents: [{ a: { $date: '2026-03-07T17:08:09.045Z' } }, {}],
    pipeline: [{ $project: { _id: 0, value: { $dateToString: { date: '$a', format: '%Y', onNull: 'none' } } } }],
    result: [{ value: '2026' }, { value: 'none' }],
    wholeInEngine: true,
  },
  {
    name: 'refuses an unknown specifier',
    expression: { $dateToString: { date: '$a', format: '%Q' } },
    document: { a: { $date: '2026-03-07T17:08:09.045Z' } },
    error: /format: \$dateToString takes a format of/,
  },
  {
    name: 'refuses a single % at the end',
    expression: { $dateToString: { date: '$a', format: '%Y%' } },
    document: { a: { $date: '2026-03-07T17:08:09.045Z' } },
    error: '$dateToString takes a format of',
  },
  {
    name: 'refuses a bad zone',
    expression: { $dateToString: { date: '$a', format: '%Y', timezone: 'Nowhere' } },
    document: { a: { $date: '2026-03-07T17:08:09.045Z' } },
    error: 'neither an Olson name nor an offset',
  },
  {
    name: 'groups by month',
    documents: [
      { a: { $date: '2026-03-07T00:00:00.000Z' } },
      { a: { $date: '2026-03-09T00:00:00.000Z' } },
      { a: { $date: '2026-04-01T00:00:00.000Z' } },
    ],
    pipeline: [
      { $group: { _id: { $dateToString: { date: '$a', format: '%Y-%m' } }, n: { $sum: 1 } } },
      { $sort: { _id: 1 } },
    ],
    result: [
      { _id: '2026-03', n: 2 },
      { _id: '2026-04', n: 1 },
    ],
    wholeInEngine: true,
  },
  {
    name: 'is null for null',
    expression: { $dateToString: { date: '$a' } },
    document: { a: null, b: 1 },
    result: null,
    wholeInEngine: true,
  },
  {
    name: 'is null for a missing date',
    documents: [{}, { b: 1 }],
    pipeline: [{ $project: { _id: 0, value: { $dateToString: { date: '$a' } } } }],
    result: [{ value: null }, { value: null }],
    wholeInEngine: true,
  },
  {
    name: 'refuses a string',
    expression: { $dateToString: { date: '$a' } },
    document: { a: '2026-03-01' },
    error: '$dateToString takes dates, not string',
  },
  {
    name: 'refuses a number of an open field',
    documents: [{ a: 5 }, { a: 'x' }],
    pipeline: [{ $project: { _id: 0, value: { $dateToString: { date: '$a' } } } }],
    error: /\$dateToString takes dates, not/,
  },
  {
    name: 'groups of texts, whatever they show of a date',
    documents: [
      { d: { $date: '2026-01-31T23:30:00Z' } },
      { d: { $date: '2026-02-01T00:30:00Z' } },
      { d: { $date: '2025-02-01T00:30:00Z' } },
      {},
    ],
    pipeline: [
      {
        $facet: {
          month: [
            { $group: { _id: { $dateToString: { date: '$d', format: '%Y-%m' } }, n: { $sum: 1 } } },
            { $sort: { _id: 1 } },
          ],
          abroad: [
            {
              $group: {
                _id: { $dateToString: { date: '$d', format: '%B %Y', timezone: 'Europe/Berlin', onNull: 'none' } },
                n: { $sum: 1 },
              },
            },
            { $sort: { _id: 1 } },
          ],
          day: [{ $sortByCount: { $dateToString: { date: '$d', format: '%d' } } }, { $sort: { count: 1, _id: 1 } }],
        },
      },
    ],
    result: [
      {
        month: [
          { _id: null, n: 1 },
          { _id: '2025-02', n: 1 },
          { _id: '2026-01', n: 1 },
          { _id: '2026-02', n: 1 },
        ],
        abroad: [
          { _id: 'February 2025', n: 1 },
          { _id: 'February 2026', n: 2 },
          { _id: 'none', n: 1 },
        ],
        day: [
          { _id: null, count: 1 },
          { _id: '31', count: 1 },
          { _id: '01', count: 2 },
        ],
      },
    ],
  },
  {
    name: 'fails on a constant that is no time zone, also for null',
    expression: { $dateToString: { date: null, timezone: 'Atlantis/Town' } },
    error: '$dateToString got a time zone that is neither an Olson name nor an offset',
  },
]
