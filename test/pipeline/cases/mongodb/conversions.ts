import type { Case } from '../../../support/pipeline-cases.js'

/** The table of conversions of MongoDB's own test of $convert (jstests/aggregation/expressions/convert.js), by the types there are here. */
const millis = { $date: '1970-01-01T00:00:00.123Z' }
const long = { $numberLong: '1' }

const conversions: readonly (readonly [input: unknown, to: string, result: unknown])[] = [
  [1.9, 'double', 1.9],
  [1.9, 'string', '1.9'],
  [1.9, 'bool', true],
  [1.9, 'date', { $date: '1970-01-01T00:00:00.001Z' }],
  [1.9, 'int', 1],
  [1.9, 'long', long],
  ['1.9', 'double', 1.9],
  ['str', 'string', 'str'],
  ['', 'bool', true],
  ['1970-01-01T00:00:00.001Z', 'date', { $date: '1970-01-01T00:00:00.001Z' }],
  ['1', 'int', 1],
  ['1', 'long', long],
  [false, 'double', { $numberDouble: '0' }],
  [false, 'string', 'false'],
  [false, 'bool', false],
  [false, 'int', 0],
  [false, 'long', { $numberLong: '0' }],
  [millis, 'double', { $numberDouble: '123' }],
  [millis, 'string', '1970-01-01T00:00:00.123Z'],
  [millis, 'bool', true],
  [millis, 'date', millis],
  [millis, 'long', { $numberLong: '123' }],
  [1, 'double', { $numberDouble: '1' }],
  [1, 'string', '1'],
  [1, 'bool', true],
  [1, 'int', 1],
  [1, 'long', long],
  [long, 'double', { $numberDouble: '1' }],
  [long, 'string', '1'],
  [long, 'bool', true],
  [long, 'date', { $date: '1970-01-01T00:00:00.001Z' }],
  [long, 'int', 1],
  [long, 'long', long],
  [{ foo: 1, bar: 2 }, 'bool', true],
  [[1, 2], 'bool', true],
]

const refused: readonly (readonly [input: unknown, to: string])[] = [
  [false, 'date'],
  [millis, 'int'],
  [1, 'date'],
]

export const cases: readonly Case[] = [
  ...conversions.flatMap(([input, to, result]): readonly Case[] => {
    const name = `${JSON.stringify(input)} as ${to}`
    const short = `$to${to[0]!.toUpperCase()}${to.slice(1)}`
    const document = { input, to }
    return [
      { name, expression: { $convert: { input: '$input', to } }, document, result },
      { name: `${name}, the type a field`, expression: { $convert: { input: '$input', to: '$to' } }, document, result },
      { name: `${name} by ${short}`, expression: { [short]: '$input' }, document, result },
    ]
  }),
  ...refused.flatMap(([input, to]): readonly Case[] => {
    const name = `${JSON.stringify(input)} is no ${to}`
    return [
      { name, expression: { $convert: { input: '$input', to } }, document: { input }, error: '$convert' },
      {
        name: `${name}: onError`,
        expression: { $convert: { input: '$input', to, onError: 'E' } },
        document: { input },
        result: 'E',
      },
      {
        name: `${name}: onError is missing`,
        expression: { $convert: { input: '$input', to, onError: '$$REMOVE' } },
        document: { input },
        result: undefined,
      },
    ]
  }),
  {
    name: 'an error in the input is no error of the conversion',
    expression: { $convert: { to: 'string', input: { $divide: ['$a', 0] }, onError: 'ERROR' } },
    document: { a: 1 },
    error: '$divide',
  },
  {
    name: 'onNull comes before the type, null too',
    expression: { $convert: { to: null, input: '$a', onNull: 'N' } },
    document: { a: null },
    result: 'N',
  },
  {
    name: 'onNull for missing',
    expression: { $convert: { to: 'int', input: '$a', onNull: 'N' } },
    document: {},
    result: 'N',
  },
]
