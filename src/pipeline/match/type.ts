import { jsonKind } from '../compile/json-kind.js'
import { bind, sql } from '../compile/sql.js'
import { typeNameSql } from '../compile/type-name-sql.js'
import { readLiteral } from '../extended-json.js'
import { Refusal, refuseName } from '../refusal.js'
import { isNumeric, toNumber, typeName } from '../value.js'
import type { LeafOperator } from './leaf-operator.js'

/** BSON's types by number. */
const TYPES: ReadonlyMap<string, number> = new Map([
  ['double', 1],
  ['string', 2],
  ['object', 3],
  ['array', 4],
  ['binData', 5],
  ['undefined', 6],
  ['objectId', 7],
  ['bool', 8],
  ['date', 9],
  ['null', 10],
  ['regex', 11],
  ['dbPointer', 12],
  ['javascript', 13],
  ['symbol', 14],
  ['javascriptWithScope', 15],
  ['int', 16],
  ['timestamp', 17],
  ['long', 18],
  ['decimal', 19],
  ['minKey', -1],
  ['maxKey', 127],
])
const NAMES = [...TYPES.keys(), 'number']

const NUMBERS: readonly string[] = ['int', 'long', 'double']

/** Whether the value is of one of the types; of an array also its elements. */
export const type: LeafOperator = {
  name: '$type',
  doc: {
    form: '{ <field>: { $type: <type> } } or { <field>: { $type: [<type>, …] } }',
    meaning:
      'Values of one of the types, by name or by number: double, string, object, array, bool, date, null, int, long, or number for all numbers. An array matches by its elements too.',
    example: {
      documents: [{ a: 1 }, { a: 'x' }, { a: ['x'] }],
      pipeline: [{ $match: { a: { $type: 'string' } } }],
      result: [{ a: 'x' }, { a: ['x'] }],
    },
  },
  parse: (argument, context) => {
    const { where } = context.parse
    const given: readonly unknown[] = Array.isArray(argument) ? argument : [argument]
    if (given.length === 0) throw new Refusal(where, '$type takes at least one type')
    const names = new Set(
      given.flatMap((one): readonly string[] => {
        const value = readLiteral(one, where)
        if (isNumeric(value)) {
          const found = [...TYPES].find(([, number]) => number === toNumber(value))
          if (found === undefined) throw new Refusal(where, `${toNumber(value)} is the number of no type`)
          return [found[0]]
        }
        if (typeof value !== 'string' || !NAMES.includes(value)) {
          refuseName(where, 'The type', typeof value === 'string' ? value : typeName(value), NAMES, new Map())
        }
        return value === 'number' ? NUMBERS : [value]
      }),
    )
    const isNumber = NUMBERS.every(name => names.has(name))
    return {
      elements: true,
      test: value => names.has(typeName(value)),
      sql: (value, sqlType) => {
        const isMixed = sqlType.kind === 'double' && sqlType.mixed !== undefined
        if (isMixed) return isNumber ? sql`${value} is not null` : undefined
        // Of JSON the kind of number need not be found where all of them are wanted.
        if (isNumber && names.size === NUMBERS.length && sqlType.kind === 'open') return jsonKind.isNumber(value)
        const name = typeNameSql({ sql: value, type: sqlType })
        return name && sql`list_contains(${bind([...names], 'VARCHAR[]')}, ${name})`
      },
      json: [...names],
    }
  },
}
