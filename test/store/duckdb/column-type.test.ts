import { expect, it } from 'vitest'
import { columnType } from '../../../src/store/duckdb/column-type.js'
import { jsonStructure } from '../../../src/store/duckdb/writing/json-structure.js'
import type { FieldType } from '../../../src/calls/field-type.js'

const turns: FieldType = {
  kind: 'list',
  of: {
    kind: 'struct',
    fields: new Map([
      ['at', { kind: 'date' }],
      ['say "x"', { kind: 'string' }],
    ]),
  },
}

it('makes a column of a field', () => {
  expect(columnType({ kind: 'open' })).toBe('JSON')
  expect(columnType(turns)).toBe('STRUCT("at" TIMESTAMP, "say ""x""" VARCHAR)[]')
})

it('reads dates with their time zone', () => {
  expect(jsonStructure(turns)).toEqual([{ at: 'TIMESTAMPTZ', 'say "x"': 'VARCHAR' }])
})
