import { jsonKind } from '../compile/json-kind.js'
import { type Fragment, MOST_TEXT, bind, join, sql } from '../compile/sql.js'
import type { Value } from '../value.js'
import { Refusal } from '../refusal.js'
import { at } from '../parse-context.js'
import { PLAIN } from './compare-sql.js'
import { comparisonLeaf } from './comparison-leaf.js'
import type { LeafContext, LeafOperator } from './leaf-operator.js'
import type { Leaf } from './leaf.js'
import { readOperand } from './operand.js'
import { readRegex } from './read-regex.js'
import { regexLeaf } from './regex-leaf.js'

/** Values of which each is looked for by itself. */
const FEW_VALUES = 24

/**
 * Whether a list holds one of some strings. Looking for one after the other takes 2 ms a value for 250,000 lists of five;
 * the engine's own function for any of several takes 100, and a lambda as much.
 */
function anyOf(strings: readonly string[]): Leaf['anySql'] {
  return (list, element) => {
    if (element.kind !== 'string') return undefined
    if (strings.length > FEW_VALUES) return sql`list_has_any(${list}, ${bind(strings, 'VARCHAR[]')})`
    const each = strings.map(text => sql`list_contains(${list}, ${bind(text, 'VARCHAR')})`)
    return sql`(${join(each, ' or ')})`
  }
}

/** One of a list: null inside matches missing, [] matches nothing. */
export function inLeaf(argument: unknown, context: LeafContext, name: string): Leaf {
  if (!Array.isArray(argument)) throw new Refusal(context.parse.where, `${name} takes an array`)
  const operands: Value[] = []
  const leaves = argument.map((item: unknown, i): Leaf => {
    const inner = at(context.parse, i)
    const pattern = readRegex(item)
    if (pattern !== undefined) return regexLeaf(pattern, { ...context, parse: inner })
    if (typeof item === 'object' && item !== null && Object.keys(item).some(key => key === '$regex')) {
      throw new Refusal(inner.where, `${name} takes values, not $regex objects; use $or of $regex conditions`)
    }
    const operand = readOperand(item, { ...context, parse: inner })
    operands.push(operand)
    return comparisonLeaf('=', operand)
  })
  const strings = operands.filter(operand => typeof operand === 'string')
  const isText = strings.length > 0 && strings.length === leaves.length
  return {
    elements: true,
    ...(isText && { anySql: anyOf(strings) }),
    test: value => leaves.some(leaf => leaf.test(value)),
    sql: (value, type) => {
      if (leaves.length === 0) return sql`false`
      // All strings against a string: one list parameter instead of one a value.
      if (isText) {
        const list = bind(strings, 'VARCHAR[]')
        if (type.kind === 'string') return sql`list_contains(${list}, ${value})`
        if (type.kind === 'open' && strings.every(one => PLAIN.test(one))) {
          const texts = strings.map(one => JSON.stringify(one))
          return sql`list_contains(${bind(texts, 'VARCHAR[]')}, ${value}::varchar)`
        }
        if (type.kind === 'open') return sql`(${jsonKind.isString(value)} and list_contains(${list}, ${value} ->> '$'))`
      }
      const conditions: Fragment[] = []
      let size = 0
      for (const leaf of leaves) {
        const one = leaf.sql(value, type)
        size += one?.size ?? 0
        if (one === undefined || size > MOST_TEXT) return undefined
        conditions.push(one)
      }
      return sql`(${join(conditions, ' or ')})`
    },
    json: leaves.map(leaf => leaf.json),
  }
}

export const inOperator: LeafOperator = {
  name: '$in',
  doc: {
    form: '{ <field>: { $in: [<value>, …] } }',
    meaning:
      'Equal to one of the values, or a string in which one of the patterns is found. Null also matches missing.',
    example: {
      documents: [{ a: 1 }, { a: 2 }, {}],
      pipeline: [{ $match: { a: { $in: [1, null] } } }],
      result: [{ a: 1 }, {}],
    },
  },
  parse: (argument, context) => inLeaf(argument, context, '$in'),
}
