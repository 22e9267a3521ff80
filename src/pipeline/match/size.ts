import { bind, sql } from '../compile/sql.js'
import { readLiteral } from '../extended-json.js'
import { Refusal } from '../refusal.js'
import { isArray, isNumeric, toNumber } from '../value.js'
import type { LeafOperator } from './leaf-operator.js'

/** Arrays of exactly so many elements; never matches what is not an array. */
export const size: LeafOperator = {
  name: '$size',
  parse: (argument, context) => {
    const operand = readLiteral(argument, context.parse.where)
    const wanted = isNumeric(operand) ? toNumber(operand) : Number.NaN
    if (!Number.isInteger(wanted) || wanted < 0) {
      throw new Refusal(context.parse.where, '$size takes a whole number from 0')
    }
    return {
      elements: false,
      test: value => isArray(value) && value.length === wanted,
      sql: (value, type) => {
        if (type.kind === 'open') return undefined
        return type.kind === 'list' ? sql`len(${value}) = ${bind(BigInt(wanted), 'BIGINT')}` : sql`false`
      },
      json: wanted,
    }
  },
}
