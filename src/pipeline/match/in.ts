import { bind, join, sql } from '../compile/sql.js'
import type { Value } from '../value.js'
import { Refusal } from '../refusal.js'
import { at } from '../parse-context.js'
import { comparisonLeaf } from './comparison-leaf.js'
import type { Leaf, LeafContext, LeafOperator } from './leaf-operator.js'
import { readOperand } from './operand.js'

/** One of a list: null inside matches missing, [] matches nothing. */
export function inLeaf(argument: unknown, context: LeafContext, name: string): Leaf {
  if (!Array.isArray(argument)) throw new Refusal(context.parse.where, `${name} takes an array`)
  const operands = argument.map((item: unknown, i): Value => {
    const inner = at(context.parse, i)
    if (typeof item === 'object' && item !== null && Object.keys(item).some(key => key === '$regex')) {
      throw new Refusal(inner.where, `${name} takes values, not $regex objects; use $or of $regex conditions`)
    }
    return readOperand(item, { ...context, parse: inner })
  })
  const leaves = operands.map(operand => comparisonLeaf('=', operand))
  const strings = operands.filter(operand => typeof operand === 'string')
  return {
    elements: true,
    test: value => leaves.some(leaf => leaf.test(value)),
    sql: (value, type) => {
      if (leaves.length === 0) return sql`false`
      // All strings against a string: one list parameter instead of one a value.
      if (type.kind === 'string' && strings.length === operands.length) {
        return sql`list_contains(${bind(strings, 'VARCHAR[]')}, ${value})`
      }
      const conditions = leaves.map(leaf => leaf.sql(value, type))
      if (conditions.includes(undefined)) return undefined
      return sql`(${join(
        conditions.filter(one => one !== undefined),
        ' or ',
      )})`
    },
    json: leaves.map(leaf => leaf.json),
  }
}

export const inOperator: LeafOperator = {
  name: '$in',
  parse: (argument, context) => inLeaf(argument, context, '$in'),
}
