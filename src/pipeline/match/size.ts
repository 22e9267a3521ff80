import { jsonKind } from '../compile/json-kind.js'
import { bind, sql } from '../compile/sql.js'
import { readLiteral } from '../extended-json.js'
import { Refusal } from '../refusal.js'
import { isArray, isNumeric, toNumber } from '../value.js'
import type { LeafOperator } from './leaf-operator.js'

/** Arrays of exactly so many elements; never matches what is not an array. */
export const size: LeafOperator = {
  name: '$size',
  doc: {
    form: '{ <array>: { $size: <whole number> } }',
    meaning: 'Arrays of exactly so many elements. What is no array never matches.',
    example: {
      documents: [{ a: [1, 2] }, { a: [1] }, { a: 1 }],
      pipeline: [{ $match: { a: { $size: 1 } } }],
      result: [{ a: [1] }],
    },
  },
  parse: (argument, context) => {
    const operand = readLiteral(argument, context.parse.where)
    const wanted = isNumeric(operand) ? toNumber(operand) : Number.NaN
    if (!Number.isSafeInteger(wanted) || wanted < 0) {
      throw new Refusal(
        context.parse.where,
        '$size takes a whole number from 0; for a range compare the length, such as {"$expr": {"$gt": [{"$size": "$signals"}, 1]}}',
      )
    }
    return {
      elements: false,
      test: value => isArray(value) && value.length === wanted,
      sql: (value, type) => {
        const length = bind(BigInt(wanted), 'BIGINT')
        if (type.kind === 'open') return sql`(${jsonKind.isArray(value)} and json_array_length(${value}) = ${length})`
        return type.kind === 'list' ? sql`len(${value}) = ${length}` : sql`false`
      },
      json: wanted,
    }
  },
}
