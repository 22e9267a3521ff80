import { isObject } from '../../base/is-object.js'
import { jsonKind } from '../compile/json-kind.js'
import { echo } from '../../base/text.js'
import { adviseField } from '../advise-field.js'
import type { CompileContext, Environment, Predicate } from '../tree.js'
import { elementContext } from '../compile/element-context.js'
import { fieldSql } from '../compile/field-sql.js'
import { sql } from '../compile/sql.js'
import { truthySql } from '../compile/truthy-sql.js'
import { evaluateExpression, expressionToJson } from '../evaluate-expression.js'
import { expressionOperators } from '../expressions/expression-operators.js'
import { parseExpression } from '../expressions/parse-expression.js'
import { readExtended } from '../extended-json.js'
import { fieldsOf } from '../fields-of.js'
import { isOperatorObject } from '../is-operator-object.js'
import { type ParseContext, type Shape, at, typeAt } from '../parse-context.js'
import { type FieldPath, parsePath } from '../path.js'
import { Refusal, refuseName } from '../refusal.js'
import { refusedOperators } from '../refused-operators.js'
import { isDocument, isArray, isTruthy } from '../value.js'
import { adviseElements } from './advise-elements.js'
import { type Condition, everySql, isCondition, predicateOf, testValue } from './condition.js'
import type { ElementCondition, LeafContext, LeafOperator } from './leaf-operator.js'
import { allOf, anyOf, noneOf } from './logical.js'
import { matchOperators } from './match-operators.js'
import { readRegex } from './read-regex.js'

const leafOperators: ReadonlyMap<string, LeafOperator> = new Map(matchOperators.map(one => [one.name, one]))

const LOGICAL = { $and: allOf, $or: anyOf, $nor: noneOf } as const
const TOP_LEVEL = [...Object.keys(LOGICAL), '$expr', '$comment']

/** What may stand beside leaf operators. */
const LEAF_EXTRAS = new Set(['$options', '$not', '$comment'])

/** Conditions on elements read nothing but the element: $expr is refused there. */
const NOTHING: Environment = { root: {}, variables: new Map(), now: new Date(0) }

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
      const condition = compiled && truthySql(compiled)
      if (compiled === undefined || condition === undefined) return undefined
      return { sql: condition, ...(compiled.fails === undefined ? {} : { fails: compiled.fails }) }
    },
    toJson: () => ({ $expr: expressionToJson(expression) }),
    raises: true,
  }
}

/**
 * A condition on elements: operators on the element itself, or a filter on elements that are documents. The shape of the
 * context is theirs.
 */
function parseElement(json: unknown, context: ParseContext): ElementCondition {
  const inside: ParseContext = { ...context, inElement: true }
  const onValue =
    isOperatorObject(json) && Object.keys(json).every(key => leafOperators.has(key) || LEAF_EXTRAS.has(key))
  return onValue ? valueCondition(parseConditions(json, [], inside), json) : documentCondition(parseMatch(json, inside))
}

/** The fields of the documents in a list. */
function elementShape(shape: Shape | undefined, path: FieldPath): Shape | undefined {
  const type = typeAt(shape, path)
  return type?.kind === 'struct' ? type.fields : undefined
}

function valueCondition(conditions: readonly Condition[], json: unknown): ElementCondition {
  return {
    test: value => conditions.every(condition => testValue(condition, value)),
    sql: (value, type) => everySql(conditions, value, type),
    json,
  }
}

function documentCondition(predicate: Predicate): ElementCondition {
  return {
    // An array inside the array counts as a document whose fields are its places; scalars never match.
    test: value =>
      isDocument(value)
        ? predicate.test(value, NOTHING)
        : isArray(value) && predicate.test(Object.fromEntries(value.entries()), NOTHING),
    sql: (value, type) => {
      if (type.kind === 'open') {
        const inside = predicate.sql(elementContext([], value))
        return inside && sql`(${jsonKind.isNested(value)} and ${inside.sql})`
      }
      if (type.kind === 'list') return undefined
      if (type.kind !== 'struct') return sql`false`
      const columns = [...type.fields.keys()].map(name => ({ ...fieldSql({ sql: value, type }, name), name }))
      const condition = predicate.sql(elementContext(columns))
      return condition && sql`(${value} is not null and ${condition.sql})`
    },
    json: predicate.toJson(),
  }
}

/** An operator of expressions in the place of one of conditions: what its value is compared with is not said. */
function refuseExpression(where: string, name: string, example: string): void {
  if (!expressionOperators.some(one => one.name === name)) return
  throw new Refusal(
    where,
    `The operator ${echo(name)} is no condition on a field but computes a value; put it in $expr, such as ${example}`,
  )
}

function parseConditions(
  json: Readonly<Record<string, unknown>>,
  path: FieldPath,
  context: ParseContext,
): readonly Condition[] {
  const isDate = typeAt(context.shape, path)?.kind === 'date'
  return Object.entries(json).flatMap(([name, argument]): Condition[] => {
    const inner = at(context, name.slice(0, 100))
    if (name === '$not') return [notCondition(argument, path, inner)]
    if (name === '$comment') return []
    if (name === '$options') {
      if (!Object.hasOwn(json, '$regex')) throw new Refusal(inner.where, '$options stands beside $regex')
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
      refuseExpression(inner.where, name, `{"$expr": {"$gt": [{${echo(name)}: ${echo(`$${path.join('.')}`)}}, …]}}`)
      refuseName(inner.where, 'The operator', name, [...leafOperators.keys(), '$not'], refusedOperators)
    }
    const inElement = (element: unknown, of: ParseContext) =>
      parseElement(element, { ...of, shape: elementShape(context.shape, path) })
    const leafContext: LeafContext = { parse: inner, path, isDate, siblings: json, parseElement: inElement }
    const parsed = operator.parse(argument, leafContext)
    return [isCondition(parsed) ? parsed : { kind: 'leaf', name, leaf: parsed }]
  })
}

/** $not over the conditions of an object, or over a pattern: what does not meet all of them. */
function notCondition(argument: unknown, path: FieldPath, context: ParseContext): Condition {
  const pattern = readRegex(argument)
  const inner = pattern === undefined ? argument : { $regex: pattern.source, $options: pattern.options }
  if (!isOperatorObject(inner))
    throw new Refusal(context.where, '$not takes an object of operators, or a pattern; to leave out a value use $ne')
  const parts = parseConditions(inner, path, context)
  if (parts.length === 0) throw new Refusal(context.where, '$not takes at least one operator')
  return { kind: 'not', name: '$not', parts, json: inner }
}

function parseField(name: string, json: unknown, context: ParseContext): Predicate {
  const inner = at(context, name.slice(0, 100))
  const path = parsePath(name, inner.where)
  adviseField(path, inner, TOP_LEVEL.includes(`$${name}`) ? `; did you mean ${echo(`$${name}`)}?` : undefined)
  const pattern = readRegex(json)
  const isOperators = isOperatorObject(json) && pattern === undefined && readExtended(json, inner.where) === undefined
  const operators = isOperators
    ? json
    : pattern === undefined
      ? { $eq: json }
      : { $regex: pattern.source, $options: pattern.options }
  return allOf(parseConditions(operators, path, inner).map(condition => predicateOf(path, condition)))
}

/**
 * Parses a filter, as $match has it.
 * @throws Refusal for whatever is not on the allow-lists.
 */
export function parseMatch(json: unknown, context: ParseContext): Predicate {
  if (!isObject(json) || readRegex(json) !== undefined) {
    throw new Refusal(context.where, 'a filter is an object such as {"score": {"$lt": 3}}')
  }
  adviseElements(json, context)
  const parts = Object.entries(json).flatMap(([name, value]): Predicate[] => {
    const inner = at(context, name.slice(0, 100))
    if (Object.hasOwn(LOGICAL, name)) return [parseLogical(name as keyof typeof LOGICAL, value, inner)]
    if (name === '$expr') return [parseExpr(value, inner)]
    if (name === '$comment') return []
    if (name.startsWith('$')) {
      refuseExpression(inner.where, name, `{"$expr": {${echo(name)}: …}}`)
      refuseName(inner.where, 'The operator', name, TOP_LEVEL, refusedOperators)
    }
    return [parseField(name, value, context)]
  })
  return allOf(parts)
}
