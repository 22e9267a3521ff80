import { parse } from 'csv-parse/sync'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { csvOf, fixedColumns, tableOf } from '../../src/operations/table.js'
import { type Operation, operation } from '../../src/operations/operation.js'
import { operations } from '../../src/operations/operations.js'

const lists = (answer: z.ZodType<object, object>, table: Operation['table']): Operation =>
  operation({ method: 'GET', url: '/list', access: 'caller', answer, ...(table && { table }), run: () => ({}) })

const known = lists(
  z.strictObject({
    rows: z.array(
      z.strictObject({
        id: z.string(),
        change: z.number().optional(),
        on: z.boolean().exactOptional(),
        schedule: z.strictObject({ cron: z.string(), zone: z.string().nullable() }).optional(),
        tags: z.array(z.string()).default([]),
        more: z.record(z.string(), z.unknown()).optional(),
      }),
    ),
    count: z.int(),
  }),
  'rows',
)
const unknown = lists(z.strictObject({ documents: z.array(z.record(z.string(), z.unknown())).optional() }), 'documents')

describe('the table of an answer', () => {
  test('has the columns of the schema, also without a row; objects are columns, lists and open objects are JSON', () => {
    const columns = ['id', 'change', 'on', 'schedule.cron', 'schedule.zone', 'tags', 'more']
    expect(fixedColumns(known)).toEqual(columns)
    expect(tableOf(known, { rows: [], count: 0 })).toEqual({ columns, rows: [] })
    const rows = [
      { id: 'a', change: -0.5, on: false, schedule: { cron: '* *', zone: null }, tags: ['x', 'y,z'], more: { b: 1 } },
      { id: 'b', tags: [] },
    ]
    expect(tableOf(known, { rows, count: 2 }).rows).toEqual([
      ['a', -0.5, 'false', '* *', undefined, '["x","y,z"]', '{"b":1}'],
      ['b', undefined, undefined, undefined, undefined, '[]', undefined],
    ])
  })

  test('of documents has the fields that come up, and no more than a spreadsheet holds', () => {
    const documents = [
      { _id: { agent: 'Ana', day: 1 }, n: 2 },
      JSON.parse('{"n":null,"__proto__":3,"_id":{}}') as object,
      { 'a.b': [1] },
    ]
    expect(fixedColumns(unknown)).toBeUndefined()
    expect(tableOf(unknown, { documents })).toEqual({
      columns: ['_id.agent', '_id.day', 'n', '__proto__', '_id', 'a.b'],
      rows: [
        ['Ana', 1, 2, undefined, '{"agent":"Ana","day":1}', undefined],
        [undefined, undefined, undefined, 3, '{}', undefined],
        [undefined, undefined, undefined, undefined, undefined, '[1]'],
      ],
    })
    const wide = [Object.fromEntries(Array.from({ length: 501 }, (_, i) => [`f${i}`, i]))]
    expect(() => tableOf(unknown, { documents: wide })).toThrow('A table has at most 500 columns')
    expect(() => tableOf(unknown, {})).toThrow('This answer has no table: ask for application/json')
  })

  test('of documents has a number that is none, or without end, in the column of the others', () => {
    const documents = [{ n: 1 }, ...['NaN', 'Infinity', '-Infinity'].map(text => ({ n: { $numberDouble: text } }))]
    expect(tableOf(unknown, { documents })).toEqual({
      columns: ['n'],
      rows: [[1], [Number.NaN], [Infinity], [-Infinity]],
    })
    expect(tableOf(unknown, { documents: [{ n: { $numberDouble: 'x' } }] }).columns).toEqual(['n.$numberDouble'])
  })

  test('every operation that declares one has it in its answer', () => {
    const declared = operations.filter(({ table }) => table !== undefined)
    expect(declared.length).toBeGreaterThan(18)
    for (const one of declared) {
      const name = typeof one.table === 'string' ? one.table : (one.table?.[0] ?? '')
      expect(() => tableOf(one, { [name]: [] })).not.toThrow()
    }
    expect(() => fixedColumns(lists(z.strictObject({ rows: z.string() }), 'rows'))).toThrow('has no list rows')
  })
})

describe('CSV', () => {
  test('is that of RFC 4180: CRLF, quotes where they are needed, empty where there is nothing', async () => {
    const table = {
      columns: ['a', 'b"c', 'd'],
      rows: [
        ['x,y', 'say "hi"\r\nbye', undefined],
        ['', 0, 1e-7],
      ],
    }
    expect(await csvOf(table)).toBe('a,"b""c",d\r\n"x,y","say ""hi""\r\nbye",\r\n,0,1e-7\r\n')
    expect(await csvOf({ columns: ['a'], rows: [[undefined], ['x']] })).toBe('a\r\n""\r\nx\r\n')
  })

  test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '=HYPERLINK("http://x","y")', '＝1+1'])(
    'text that begins like a formula is made harmless, in a cell and in a name: %j',
    async text => {
      const csv = await csvOf({ columns: [text], rows: [[text]] })
      expect(parse(csv, { record_delimiter: '\r\n', relax_column_count: true })).toEqual([[`'${text}`], [`'${text}`]])
    },
  )

  test.each(['Order\n=1+2', 'Order\r=1+2', 'Order\r\n=1+2', '\n', 'a\r', 'a\n', '"\n"'])(
    'text of several lines stays one cell, in a row and in a name: %j',
    async text => {
      const csv = await csvOf({ columns: [text, 'next'], rows: [[text, 1]] })
      const cells = [
        [text, 'next'],
        [text, '1'],
      ]
      expect(parse(csv)).toEqual(cells)
      // As readers do that take any end of a line for the end of a row.
      expect(parse(csv, { record_delimiter: ['\r\n', '\n', '\r'] })).toEqual(cells)
    },
  )

  test('numbers stay numbers, and what merely holds such a character stays as it is', async () => {
    expect(
      await csvOf({
        columns: ['n', 't'],
        rows: [
          [-1.5, 'a=b'],
          [-1e21, "'"],
          [Number.NaN, ''],
          [-Infinity, ''],
        ],
      }),
    ).toBe("n,t\r\n-1.5,a=b\r\n-1e+21,'\r\nNaN,\r\n-Infinity,\r\n")
  })

  test('of many rows is made in turns, and reads back as it was', async () => {
    const rows = Array.from({ length: 1_003 }, (_, i) => [`call ${i}`, i])
    const csv = await csvOf({ columns: ['id', 'n'], rows })
    expect(parse(csv)).toEqual([['id', 'n'], ...rows.map(([id, n]) => [id, `${n}`])])
  })
})
