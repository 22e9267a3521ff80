import { sql } from '../compile/sql.js'
import { at } from '../parse-context.js'
import { Refusal } from '../refusal.js'
import { comparisonLeaf } from './comparison-leaf.js'
import type { Condition } from './condition.js'
import { elemMatch } from './elem-match.js'
import type { LeafContext, LeafOperator } from './leaf-operator.js'
import type { Leaf } from './leaf.js'
import { readOperand } from './operand.js'
import { readRegex } from './read-regex.js'
import { regexLeaf } from './regex-leaf.js'

const isElemMatch = (json: unknown): json is { readonly $elemMatch: unknown } =>
  typeof json === 'object' && json !== null && Object.keys(json)[0] === '$elemMatch'

function part(item: unknown, context: LeafContext): Condition {
  const pattern = readRegex(item)
  const leaf = pattern === undefined ? comparisonLeaf('=', readOperand(item, context)) : regexLeaf(pattern, context)
  return { kind: 'leaf', name: pattern === undefined ? '$eq' : '$regex', leaf }
}

/** All of the values, each found by a walk of its own: a single value equal to the only one matches too. */
export const all: LeafOperator = {
  name: '$all',
  doc: {
    form: '{ <array>: { $all: [<value>, …] } } or { <array>: { $all: [{ $elemMatch: <filter> }, …] } }',
    meaning: 'Arrays that hold all of the values, in any order; or of which for each $elemMatch some element meets it.',
    example: {
      documents: [{ a: ['x', 'y', 'z'] }, { a: ['x'] }],
      pipeline: [{ $match: { a: { $all: ['x', 'y'] } } }],
      result: [{ a: ['x', 'y', 'z'] }],
    },
  },
  parse: (argument, context) => {
    const { where } = context.parse
    if (!Array.isArray(argument)) throw new Refusal(where, '$all takes an array')
    const elements = argument.filter(isElemMatch).length
    if (elements > 0 && elements < argument.length) {
      throw new Refusal(where, '$all takes either values or $elemMatch conditions, not both')
    }
    const parts = argument.map((item: unknown, i): Condition => {
      const inner = { ...context, parse: at(context.parse, i) }
      if (!isElemMatch(item)) return part(item, inner)
      return { kind: 'leaf', name: '$elemMatch', leaf: elemMatch.parse(item.$elemMatch, inner) as Leaf }
    })
    if (parts.length === 0) {
      // Nothing holds all of nothing, in MongoDB.
      return { kind: 'leaf', name: '$in', leaf: NEVER }
    }
    return { kind: 'every', name: '$all', parts, json: argument }
  },
}

const NEVER: Leaf = {
  elements: false,
  test: () => false,
  sql: () => sql`false`,
  json: [],
}
