import { echo } from '../../base/text.js'
import { type CompileContext, contextOver } from '../compile/compile-context.js'
import { fieldSql } from '../compile/field-sql.js'
import { type Fragment, join, sql } from '../compile/sql.js'
import { truthySql } from '../compile/truthy-sql.js'
import { evaluateExpression, expressionToJson } from '../evaluate-expression.js'
import { parseExpression } from '../expressions/parse-expression.js'
import { readExtended } from '../extended-json.js'
import { fieldsOf } from '../fields-of.js'
import { type ParseContext, at, typeAt } from '../parse-context.js'
import { type FieldPath, parsePath } from '../path.js'
import { Refusal, refuseName } from '../refusal.js'
import { refusedOperators } from '../refused-operators.js'
import type { Environment, Predicate } from '../tree.js'
import { isDocument, isArray, isTruthy } from '../value.js'
import type { ElementCondition, Leaf, LeafContext, LeafOperator } from './leaf-operator.js'
import { allOf, anyOf, noneOf } from './logical.js'
import { matchOperators } from './match-operators.js'
import { pathPredicate } from './path-predicate.js'

const leafOperators: ReadonlyMap<string, LeafOperator> = new Map(matchOperators.map(one => [one.name, one]))

const LOGICAL = { $and: allOf, $or: anyOf, $nor: noneOf } as const
const TOP_LEVEL = [...Object.keys(LOGICAL), '$expr', '$comment']

/** What may stand beside leaf operators. */
const LEAF_EXTRAS = new Set(['$options', '$not', '$comment'])

/** Conditions on elements read nothing but the element: $expr is refused there. */
const NOTHING: Environment = { root: {}, variables: new Map(), now: new Date(0) }

function isOperatorObject(json: unknown): json is Record<string, unknown> {
  return (
    typeof json === 'object' && json !== null && !Array.isArray(json) && Object.keys(json)[0]?.startsWith('$') === true
  )
}

function parseLogical(name: keyof typeof LOGICAL, json: unknown, context: ParseContext): Predicate {
  if (!Array.isArray(json) || json.length === 0) {
    throw new Refusal(context.where, `${name} takes an array of at least one condition`)
  }
  return LOGICAL[name](json.map((item, i) => parseMatch(item, at(context, i))))
}

function parseExpr(json: unknown, context: ParseContext): Predicate {
  if (context.inElement === true)
    throw new Refusal(context.where, '$expr stands at the top of a filter, not in $elemMatch')
  const expression = parseExpression(json, context)
  return {
    fields: fieldsOf(expression),
    test: (document, environment) => isTruthy(evaluateExpression(expression, { ...environment, root: document })),
    sql: (compile: CompileContext) => {
      const compiled = compile.expression(expression)
      return compiled === undefined ? undefined : truthySql(compiled)
    },
    toJson: () => ({ $expr: expressionToJson(expression) }),
  }
}

/** A condition on elements: operators on the element itself, or a filter on elements that are documents. */
function parseElement(json: unknown, context: ParseContext): ElementCondition {
  const inside: ParseContext = { ...context, shape: undefined, inElement: true }
  const onValue =
    isOperatorObject(json) && Object.keys(json).every(key => leafOperators.has(key) || LEAF_EXTRAS.has(key))
  return onValue ? valueCondition(parseLeaves(json, [], inside), json) : documentCondition(parseMatch(json, inside))
}

function valueCondition(leaves: ReturnType<typeof parseLeaves>, json: unknown): ElementCondition {
  return {
    test: value => leaves.every(({ leaf }) => leaf.test(value) !== (leaf.negated ?? false)),
    sql: (value, type) => {
      const conditions: Fragment[] = []
      for (const { leaf } of leaves) {
        const one = leaf.sql(value, type)
        if (one === undefined) return undefined
        conditions.push(leaf.negated === true ? sql`((${one}) is not true)` : one)
      }
      return sql`(${join(conditions, ' and ')})`
    },
    json,
  }
}

function documentCondition(predicate: Predicate): ElementCondition {
  return {
    // An array inside the array counts as a document without our fields; scalars never match.
    test: value =>
      isDocument(value)
        ? predicate.test(value, NOTHING)
        : isArray(value) && predicate.test(Object.fromEntries(value.entries()), NOTHING),
    sql: (value, type) => {
      if (type.kind !== 'struct') return undefined
      const columns = [...type.fields.keys()].map(name => ({ name, ...fieldSql({ sql: value, type }, name) }))
      return predicate.sql(contextOver(columns))
    },
    json: predicate.toJson(),
  }
}

function parseLeaves(
  json: Readonly<Record<string, unknown>>,
  path: FieldPath,
  context: ParseContext,
): readonly { readonly name: string; readonly leaf: Leaf }[] {
  const isDate = typeAt(context.shape, path)?.kind === 'date'
  return Object.entries(json).flatMap(([name, argument]): { name: string; leaf: Leaf }[] => {
    const inner = at(context, name)
    if (name === '$not') return [{ name, leaf: notLeaf(argument, path, inner) }]
    if (name === '$comment') return []
    if (name === '$options') {
      if (!('$regex' in json)) throw new Refusal(inner.where, '$options stands beside $regex')
      return []
    }
    if (!name.startsWith('$')) {
      throw new Refusal(
        context.where,
        `${echo(name)} stands among operators; write the operators alone, or the whole value`,
      )
    }
    const operator = leafOperators.get(name)
    if (operator === undefined) {
      refuseName(inner.where, 'The operator', name, [...leafOperators.keys(), '$not'], refusedOperators)
    }
    const leafContext: LeafContext = { parse: inner, path, isDate, siblings: json, parseElement }
    return [{ name, leaf: operator.parse(argument, leafContext) }]
  })
}

/** $not over the conditions of an object: what none of the walks satisfies together. */
function notLeaf(argument: unknown, path: FieldPath, context: ParseContext): Leaf {
  if (!isOperatorObject(argument)) throw new Refusal(context.where, '$not takes an object of operators')
  const leaves = parseLeaves(argument, path, context)
  const only = leaves[0]
  if (leaves.length === 1 && only !== undefined) {
    const { equals: _, ...leaf } = only.leaf
    return { ...leaf, negated: !(leaf.negated ?? false), json: { [only.name]: leaf.json } }
  }
  throw new Refusal(context.where, '$not takes one operator; put several under $nor')
}

function parseField(name: string, json: unknown, context: ParseContext): Predicate {
  const path = parsePath(name, context.where)
  const inner = at(context, name)
  if (isOperatorObject(json) && readExtended(json, inner.where) === undefined) {
    return allOf(parseLeaves(json, path, inner).map(({ name: operator, leaf }) => pathPredicate(path, leaf, operator)))
  }
  const leaves = parseLeaves({ $eq: json }, path, inner)
  return allOf(leaves.map(({ leaf }) => pathPredicate(path, leaf, '$eq')))
}

/**
 * Parses a filter, as $match has it.
 * @throws Refusal for whatever is not on the allow-lists.
 */
export function parseMatch(json: unknown, context: ParseContext): Predicate {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    throw new Refusal(context.where, 'a filter is an object such as {"score": {"$lt": 3}}')
  }
  const parts = Object.entries(json).flatMap(([name, value]): Predicate[] => {
    const inner = at(context, name)
    if (name in LOGICAL) return [parseLogical(name as keyof typeof LOGICAL, value, inner)]
    if (name === '$expr') return [parseExpr(value, inner)]
    if (name === '$comment') return []
    if (name.startsWith('$')) refuseName(inner.where, 'The operator', name, TOP_LEVEL, refusedOperators)
    return [parseField(name, value, context)]
  })
  return allOf(parts)
}
