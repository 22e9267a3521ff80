import type { Case } from './pipeline-cases.js'

/** How the first of two values stands to the second in the order of all values. */
type Order = -1 | 0 | 1

/** Two operands, and how the first stands to the second. */
interface Compared {
  readonly name: string
  readonly operands: readonly [unknown, unknown]
  readonly document?: object
  readonly order: Order
  readonly wholeInEngine?: true
}

const compared: readonly Compared[] = [
  { name: 'compares numbers', operands: ['$v', 4], document: { v: 3 }, order: -1, wholeInEngine: true },
  {
    name: 'takes 3 and 3.0 for one',
    operands: ['$v', { $numberDouble: '3' }],
    document: { v: 3 },
    order: 0,
    wholeInEngine: true,
  },
  { name: 'compares fields', operands: ['$v', '$u'], document: { v: 5, u: 2.5 }, order: 1, wholeInEngine: true },
  { name: 'compares strings by bytes', operands: ['$v', 'é'], document: { v: 'z' }, order: -1, wholeInEngine: true },
  { name: 'puts astral characters above the others', operands: ['$v', '\uffff'], document: { v: '👍' }, order: 1 },
  {
    name: 'compares dates',
    operands: ['$v', { $literal: { $date: '2026-01-01T00:00:00.000Z' } }],
    document: { v: { $date: '2026-03-01T00:00:00.000Z' } },
    order: 1,
    wholeInEngine: true,
  },
  { name: 'puts true above false', operands: ['$v', false], document: { v: true }, order: 1, wholeInEngine: true },
  { name: 'never takes true for 1', operands: ['$v', 1], document: { v: true }, order: 1, wholeInEngine: true },
  {
    name: 'puts a string above every number',
    operands: ['$v', 1000],
    document: { v: 'a' },
    order: 1,
    wholeInEngine: true,
  },
  {
    name: 'puts missing below null',
    operands: ['$nothing', null],
    document: { v: 1 },
    order: -1,
    wholeInEngine: true,
  },
  { name: 'puts null below values', operands: ['$v', 1], document: { v: null }, order: -1, wholeInEngine: true },
  {
    name: 'takes missing and missing for equal',
    operands: ['$x', '$y'],
    document: { v: 1 },
    order: 0,
    wholeInEngine: true,
  },
  {
    name: 'compares an array as it is, above every number',
    operands: ['$v', 5],
    document: { v: [6] },
    order: 1,
    wholeInEngine: true,
  },
  { name: 'knows the order of types: missing, null', operands: ['$nothing', null], order: -1 },
  { name: 'knows the order of types: null, numbers', operands: [null, 1], order: -1 },
  { name: 'knows the order of types: NaN, other numbers', operands: [{ $numberDouble: 'NaN' }, -5], order: -1 },
  { name: 'knows the order of types: numbers, strings', operands: [1, 'a'], order: -1 },
  { name: 'knows the order of types: strings, documents', operands: ['a', { $literal: { x: 1 } }], order: -1 },
  {
    name: 'knows the order of types: documents, arrays',
    operands: [{ $literal: { x: 1 } }, { $literal: [] }],
    order: -1,
  },
  { name: 'knows the order of types: arrays, booleans', operands: [{ $literal: [5] }, false], order: -1 },
  {
    name: 'knows the order of types: booleans, dates',
    operands: [true, { $literal: { $date: '2026-01-01T00:00:00.000Z' } }],
    order: -1,
  },
  {
    name: 'takes NaN for equal to itself',
    operands: [{ $numberDouble: 'NaN' }, { $numberDouble: 'NaN' }],
    order: 0,
  },
  {
    name: 'puts NaN below numbers in the engine too',
    operands: [
      {
        $subtract: [
          { $multiply: ['$v', { $numberDouble: 'Infinity' }] },
          { $multiply: ['$v', { $numberDouble: 'Infinity' }] },
        ],
      },
      0,
    ],
    document: { v: { $numberDouble: '1' } },
    order: -1,
    wholeInEngine: true,
  },
  {
    name: 'compares documents with their fields in order',
    operands: [{ $literal: { a: 1, b: 2 } }, { $literal: { a: 1, b: 3 } }],
    order: -1,
  },
]

/** Documents whose field is compared with one value, each with how it stands to that. */
interface ComparedField {
  readonly name: string
  readonly operands: readonly [string, unknown]
  readonly documents: readonly (readonly [object, Order])[]
}

const comparedFields: readonly ComparedField[] = [
  {
    name: 'puts a missing number below all others',
    operands: ['$v', 0],
    documents: [
      [{ v: 1 }, 1],
      [{}, -1],
    ],
  },
  {
    name: 'compares values of an open field by type, then value',
    operands: ['$a', 2],
    documents: [
      [{ a: 1 }, -1],
      [{ a: 'x' }, 1],
      [{ a: null }, -1],
      [{}, -1],
      [{ a: true }, 1],
      [{ a: 2.5 }, 1],
      [{ a: [1] }, 1],
      [{ a: { b: 1 } }, 1],
    ],
  },
  {
    name: 'compares open values with strings',
    operands: ['$a', 'b'],
    documents: [
      [{ a: 1 }, -1],
      [{ a: 'a' }, -1],
      [{ a: 'c' }, 1],
      [{ a: null }, -1],
      [{}, -1],
      [{ a: true }, 1],
    ],
  },
  {
    name: 'compares open values with null',
    operands: ['$a', null],
    documents: [
      [{ a: 1 }, 1],
      [{ a: null }, 0],
      [{}, -1],
      [{ a: 'x' }, 1],
    ],
  },
]

/**
 * The cases every comparison has: the same values, so that no two of them can differ about their order.
 * @param holds what the comparison says of values that stand so to each other
 */
export function comparisonCases(operator: string, holds: (order: Order) => boolean): readonly Case[] {
  return [
    ...compared.map(({ operands, order, ...rest }) => ({
      ...rest,
      expression: { [operator]: operands },
      result: holds(order),
    })),
    ...comparedFields.map(({ name, operands, documents }) => ({
      name,
      documents: documents.map(([document]) => document),
      pipeline: [{ $project: { _id: 0, value: { [operator]: operands } } }],
      result: documents.map(([, order]) => ({ value: holds(order) })),
      wholeInEngine: true as const,
    })),
    {
      name: 'takes exactly two operands',
      expression: { [operator]: [1] },
      error: `${operator} takes 2 operands, not 1`,
    },
  ]
}

/** What only equality is asked about: whole arrays and documents of the record. */
export function equalityCases(operator: string, holds: (equal: boolean) => boolean): readonly Case[] {
  return [
    {
      name: 'compares whole arrays',
      expression: { [operator]: ['$l', ['a', 'b']] },
      document: { l: ['a', 'b'] },
      result: holds(true),
      wholeInEngine: true,
    },
    {
      name: 'tells an empty array',
      expression: { [operator]: ['$l', []] },
      document: { l: ['a'] },
      result: holds(false),
      wholeInEngine: true,
    },
    {
      name: 'compares whole documents',
      expression: { [operator]: ['$o', { $literal: { k: 1 } }] },
      document: { o: { k: 2 } },
      result: holds(false),
      wholeInEngine: true,
    },
  ]
}
