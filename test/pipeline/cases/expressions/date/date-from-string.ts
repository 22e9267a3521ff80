import type { Case } from '../../../../support/pipeline-cases.js'

/** Texts, and the instants they mean; null where they are no dates. */
const texts: readonly (readonly [string, string | null])[] = [
  ['2026-03-07', '2026-03-07T00:00:00.000Z'],
  ['2026-03-07T17:08', '2026-03-07T17:08:00.000Z'],
  ['2026-03-07 17:08:09', '2026-03-07T17:08:09.000Z'],
  ['2026-03-07t17:08:09.1z', '2026-03-07T17:08:09.100Z'],
  ['2026-03-07T17:08:09.045678912Z', '2026-03-07T17:08:09.045Z'],
  ['2026-03-07T17:08:09+0530', '2026-03-07T11:38:09.000Z'],
  ['2026-03-07T17:08:09-03', '2026-03-07T20:08:09.000Z'],
  ['2026-03-07T17:08 +05:30', '2026-03-07T11:38:00.000Z'],
  ['2026-03-07Z', '2026-03-07T00:00:00.000Z'],
  ['2026-03-07+01:00', '2026-03-06T23:00:00.000Z'],
  ['2024-02-29', '2024-02-29T00:00:00.000Z'],
  ['0001-01-01', '0001-01-01T00:00:00.000Z'],
  ['1969-12-31T23:59:59.999Z', '1969-12-31T23:59:59.999Z'],
  ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ...[
    '',
    'soon',
    '2026-02-29',
    '2026-13-01',
    '2026-00-01',
    '26-03-07',
    ' 2026-03-07',
    '2026-03-07\n',
    '2026-03-07T24:00',
    '2026-03-07T23:60',
    '2026-03-07T23:59:60',
    '2026-03-07T17',
    '2026-03-07T17:08:09,5',
    '2026-03-07T17:08:09.1234567890',
    '2026-03-07T00:00+24:00',
    '2026-03-07T00:00+05:60',
    '2026-03-07T00:00+05:3',
    '2026-066',
  ].map((text): readonly [string, null] => [text, null]),
]

/** Formats, the texts of a column, and the instants they mean by it. */
const formats: readonly (readonly [string, Readonly<Record<string, string | null>>])[] = [
  [
    '%Y-%m-%d',
    {
      '2026-03-07': '2026-03-07T00:00:00.000Z',
      '2026-3-7': '2026-03-07T00:00:00.000Z',
      '2024-02-29': '2024-02-29T00:00:00.000Z',
      '2026-02-29': null,
      '2026-13-01': null,
      '2026-00-10': null,
      '26-03-07': null,
      ' 2026-03-07': null,
      '2026-03-07 ': null,
      '2026-03-07\n': null,
      '٢٠٢٦-03-07': null,
      '': null,
    },
  ],
  // As in MongoDB's manual.
  ['%d-%m-%Y', { '06-15-2018': null, '15-06-2018': '2018-06-15T00:00:00.000Z' }],
  ['%m/%d/%Y', { '02/08/2017': '2017-02-08T00:00:00.000Z', '08/22/2017': '2017-08-22T00:00:00.000Z' }],
  ['%Y%m%d', { '20260307': '2026-03-07T00:00:00.000Z', '2026137': null }],
  [
    '%d.%m.%Y %H:%M:%S.%L',
    {
      '07.03.2026 17:08:09.045': '2026-03-07T17:08:09.045Z',
      '7.3.2026 7:8:9.5': '2026-03-07T07:08:09.500Z',
      '07.03.2026 24:00:00.000': null,
      '07.03.2026 23:60:00.000': null,
      '07-03.2026 23:00:00.000': null,
    },
  ],
  [
    '%d %B %Y',
    {
      '7 March 2026': '2026-03-07T00:00:00.000Z',
      '7 MAR 2026': '2026-03-07T00:00:00.000Z',
      '7 Marc 2026': null,
      '31 June 2026': null,
    },
  ],
  ['%b %d, %Y', { 'Mar 07, 2026': '2026-03-07T00:00:00.000Z', 'March 07, 2026': null, 'Foo 07, 2026': null }],
  [
    '%Y-%m-%dT%H:%M%z',
    {
      '2026-03-07T00:30+01:00': '2026-03-06T23:30:00.000Z',
      '2026-03-07T00:30-0130': '2026-03-07T02:00:00.000Z',
      '2026-03-07T00:30Z': '2026-03-07T00:30:00.000Z',
      '2026-03-07T00:30+24:00': null,
      '2026-03-07T00:30': null,
    },
  ],
  ['%Y', { '2026': '2026-01-01T00:00:00.000Z', '0000': '0000-01-01T00:00:00.000Z' }],
  ['100%% (%Y) |%m|\\d', { '100% (2026) |3|\\d': '2026-03-01T00:00:00.000Z', '100% (2026) |3|7': null }],
]

export const cases: readonly Case[] = [
  ...formats.map(([format, dates]): Case => ({
    name: `reads a column by the format ${format}`,
    documents: Object.keys(dates).map(a => ({ a })),
    pipeline: [{ $project: { value: { $dateFromString: { dateString: '$a', format, onError: null } } } }],
    result: Object.values(dates).map(date => ({ value: date === null ? null : { $date: date } })),
    wholeInEngine: true,
  })),
  {
    name: 'reads by a format among other values',
    documents: [{ a: '07.03.2026' }, { a: 5 }, { a: null }, {}],
    pipeline: [
      {
        $project: {
          value: { $dateFromString: { dateString: '$a', format: '%d.%m.%Y', onError: 'wrong', onNull: 'none' } },
        },
      },
    ],
    result: [
      { value: { $date: '2026-03-07T00:00:00.000Z' } },
      { value: 'wrong' },
      { value: 'none' },
      { value: 'none' },
    ],
  },
  {
    name: 'fails on a text of a column that does not follow the format',
    documents: [{ a: '07.03.2026' }, { a: '2026-03-07' }],
    pipeline: [{ $project: { b: { $dateFromString: { dateString: '$a', format: '%d.%m.%Y' } } } }],
    error: '$dateFromString can not read this value as a date',
  },
  {
    name: 'reads a column by weeks and by days of the year',
    documents: [{ a: '2026-W10-6', b: '2026/066' }],
    pipeline: [
      {
        $project: {
          a: { $dateFromString: { dateString: '$a', format: '%G-W%V-%u' } },
          b: { $dateFromString: { dateString: '$b', format: '%Y/%j' } },
        },
      },
    ],
    result: [{ a: { $date: '2026-03-07T00:00:00.000Z' }, b: { $date: '2026-03-07T00:00:00.000Z' } }],
  },
  ...[texts.map(([text]) => ({ a: text })), [...texts.map(([text]) => ({ a: text })), { a: 5 }, { a: null }, {}]].map(
    (documents, i): Case => ({
      name: i === 0 ? 'reads a column of texts' : 'reads texts among other values',
      documents,
      pipeline: [{ $project: { _id: 0, value: { $dateFromString: { dateString: '$a', onError: null } } } }],
      result: documents.map((_, place) => {
        const date = texts[place]?.[1] ?? null
        return { value: date === null ? null : { $date: date } }
      }),
      wholeInEngine: true,
    }),
  ),
  // What MongoDB's reader takes beside ISO 8601, and what it doesn't.
  ...(
    [
      ['July 4, 2017', '2017-07-04T00:00:00.000Z'],
      ['Jul 4th, 2017', '2017-07-04T00:00:00.000Z'],
      ['4 July 2017', '2017-07-04T00:00:00.000Z'],
      ['4-Jul-2017', '2017-07-04T00:00:00.000Z'],
      ['02/08/2017', '2017-02-08T00:00:00.000Z'],
      ['2017/7/4', '2017-07-04T00:00:00.000Z'],
      ['4.7.2017', '2017-07-04T00:00:00.000Z'],
      ['20170704', '2017-07-04T00:00:00.000Z'],
      ['2017-7-4', '2017-07-04T00:00:00.000Z'],
      ['July 4, 2017 11:56 pm', '2017-07-04T23:56:00.000Z'],
      ['02/08/2017 12:05:01.5 AM', '2017-02-08T00:05:01.500Z'],
      ['2017-07-04T11:56.02', '2017-07-04T11:56:02.000Z'],
      ['2017-07-14T12:02:44.771 GMT', '2017-07-14T12:02:44.771Z'],
      ['2017-07-14T12:02:44.771 GMT+02', '2017-07-14T10:02:44.771Z'],
      ['2017-07-14T12:02:44.771 GMT+02:00', '2017-07-14T10:02:44.771Z'],
      ['20170704 11:56:02 +0530', '2017-07-04T06:26:02.000Z'],
      ['13/40/2017', null],
      ['Feb 30, 2017', null],
      ['July 2017', null],
      ['2026-03-07T17:08 PM', null],
    ] as const
  ).flatMap(([dateString, date]): readonly Case[] => {
    const value = date === null ? null : { $date: date }
    const read = { $dateFromString: { dateString: '$a', onError: null } }
    const converted = { $convert: { input: '$a', to: 'date', onError: null } }
    return [
      { name: `reads ${dateString}`, expression: read, document: { a: dateString }, result: value },
      { name: `converts ${dateString}`, expression: converted, document: { a: dateString }, result: value },
    ]
  }),
  {
    name: 'reads other spellings as local time of a time zone',
    expression: { $dateFromString: { dateString: 'July 4, 2017', timezone: 'Europe/Berlin' } },
    result: { $date: '2017-07-03T22:00:00.000Z' },
  },
  {
    name: 'reads all spellings of a column alike',
    documents: [{ a: '2017-07-04' }, { a: '07/04/2017' }, { a: 'soon' }],
    pipeline: [{ $project: { value: { $dateFromString: { dateString: '$a', onError: 'none' } } } }],
    result: [
      { value: { $date: '2017-07-04T00:00:00.000Z' } },
      { value: { $date: '2017-07-04T00:00:00.000Z' } },
      { value: 'none' },
    ],
  },
  {
    name: 'fails on a text of a column that is no date',
    documents: [{ a: '2026-03-07' }, { a: 'soon' }],
    pipeline: [{ $project: { b: { $dateFromString: { dateString: '$a' } } } }],
    error: '$dateFromString can not read this value as a date',
  },
  {
    name: 'fails on a number among texts',
    documents: [{ a: '2026-03-07' }, { a: 5 }],
    pipeline: [{ $project: { b: { $dateFromString: { dateString: '$a' } } } }],
    error: '$dateFromString can not read this value as a date',
  },
  {
    name: 'reads dates of metadata, grouped by month',
    calls: [
      { session_metadata: { closed: '2026-03-07T10:00:00Z' } },
      { session_metadata: { closed: '2026-03-09' } },
      { session_metadata: { closed: 'never' } },
      {},
    ],
    pipeline: [
      {
        $set: {
          closed: { $dateFromString: { dateString: '$session_metadata.closed', onError: null, onNull: '$created_dt' } },
        },
      },
      { $group: { _id: { $dateTrunc: { date: '$closed', unit: 'month' } }, calls: { $sum: 1 } } },
      { $sort: { _id: 1 } },
    ],
    result: [
      { _id: null, calls: 1 },
      { _id: { $date: '2026-03-01T00:00:00.000Z' }, calls: 3 },
    ],
    wholeInEngine: true,
  },
  {
    name: 'reads ISO 8601',
    expression: { $dateFromString: { dateString: '2026-03-07T17:08:09.045Z' } },
    result: { $date: '2026-03-07T17:08:09.045Z' },
  },
  {
    name: 'reads a date alone',
    expression: { $dateFromString: { dateString: '2026-03-07' } },
    result: { $date: '2026-03-07T00:00:00.000Z' },
  },
  {
    name: 'reads a blank between date and time',
    expression: { $dateFromString: { dateString: '2026-03-07 17:08' } },
    result: { $date: '2026-03-07T17:08:00.000Z' },
  },
  {
    name: 'reads offsets',
    expression: { $dateFromString: { dateString: '2026-03-07T17:08:09+0530' } },
    result: { $date: '2026-03-07T11:38:09.000Z' },
  },
  {
    name: 'reads local time',
    expression: { $dateFromString: { dateString: '2026-07-01T00:00', timezone: 'Europe/Berlin' } },
    result: { $date: '2026-06-30T22:00:00.000Z' },
  },
  {
    name: 'refuses an offset beside a zone',
    expression: { $dateFromString: { dateString: '2026-07-01T00:00Z', timezone: 'Europe/Berlin' } },
    error: '$dateFromString can not read this value as a date',
  },
  {
    name: 'reads by a format',
    expression: { $dateFromString: { dateString: '07.03.2026 17h', format: '%d.%m.%Y %Hh' } },
    result: { $date: '2026-03-07T17:00:00.000Z' },
  },
  {
    name: 'reads names of months',
    expression: { $dateFromString: { dateString: '7 March 2026', format: '%d %B %Y' } },
    result: { $date: '2026-03-07T00:00:00.000Z' },
  },
  {
    name: 'reads ISO weeks',
    expression: { $dateFromString: { dateString: '2026-W10-6', format: '%G-W%V-%u' } },
    result: { $date: '2026-03-07T00:00:00.000Z' },
  },
  {
    name: 'reads the day of the year',
    expression: { $dateFromString: { dateString: '2026/066', format: '%Y/%j' } },
    result: { $date: '2026-03-07T00:00:00.000Z' },
  },
  {
    name: 'reads offsets by a format',
    expression: { $dateFromString: { dateString: '2026-03-07 00:00 +01:00', format: '%Y-%m-%d %H:%M %z' } },
    result: { $date: '2026-03-06T23:00:00.000Z' },
  },
  {
    name: 'refuses what the format does not fit',
    expression: { $dateFromString: { dateString: '2026', format: '%Y-%m' } },
    error: '$dateFromString can not read this value',
  },
  {
    name: 'refuses a day that does not exist',
    expression: { $dateFromString: { dateString: '2026-02-30' } },
    error: '$dateFromString can not read this value',
  },
  {
    name: 'refuses words, which it does not tell',
    expression: { $dateFromString: { dateString: '$a' } },
    document: { a: 'secret' },
    error: /as a date$/,
  },
  {
    name: 'gives onError',
    expression: { $dateFromString: { dateString: 'soon', onError: 'unknown' } },
    result: 'unknown',
  },
  { name: 'gives onNull', expression: { $dateFromString: { dateString: null, onNull: 'none' } }, result: 'none' },
  { name: 'is null for missing', expression: { $dateFromString: { dateString: '$nothing' } }, result: null },
  {
    name: 'refuses a bad format',
    expression: { $dateFromString: { dateString: '2026', format: '%y' } },
    error: '$dateFromString takes a format of',
  },
  {
    name: 'refuses a bad zone',
    expression: { $dateFromString: { dateString: '2026-03-07', timezone: 'No/Where' } },
    error: 'neither an Olson name nor an offset',
  },
  {
    name: 'numbers side by side, each of one or two digits',
    expression: { $dateFromString: { dateString: '20260307', format: '%Y%m%d' } },
    document: {},
    result: { $date: '2026-03-07T00:00:00.000Z' },
  },
  {
    name: 'a format whose numbers could be read in countless ways takes no time',
    expression: { $dateFromString: { dateString: '1'.repeat(70), format: `${'%d'.repeat(50)}x`, onError: 'unread' } },
    document: {},
    result: 'unread',
  },
]
