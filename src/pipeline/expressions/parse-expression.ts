import { isObject } from '../../base/is-object.js'
import { echo } from '../../base/text.js'
import { adviseField } from '../advise-field.js'
import { readExtended, readLiteral } from '../extended-json.js'
import { type ParseContext, at } from '../parse-context.js'
import { refuseMisplaced } from '../misplaced.js'
import { isOperatorObject } from '../is-operator-object.js'
import { parsePath } from '../path.js'
import { Refusal, refuseName } from '../refusal.js'
import type { Expression } from '../tree.js'
import type { ExpressionOperator } from './expression-operator.js'
import { expressionOperators } from './expression-operators.js'
import { refusedOperators } from '../refused-operators.js'

const operators: ReadonlyMap<string, ExpressionOperator> = new Map(expressionOperators.map(one => [one.name, one]))

const SYSTEM_VARIABLES = ['ROOT', 'CURRENT', 'NOW', 'REMOVE']

function parseVariable(text: string, context: ParseContext): Expression {
  const [name = '', ...rest] = text.slice(2).split('.')
  const path = rest.length === 0 ? [] : parsePath(rest.join('.'), context.where)
  // Bound ones first: within $redact $$ROOT is not where paths start.
  if (context.variables.has(name)) return { kind: 'field', path, variable: name }
  if (name === 'ROOT' || name === 'CURRENT') return { kind: 'field', path }
  if (name === 'NOW' && path.length === 0) return { kind: 'now' }
  if (name === 'REMOVE' && path.length === 0) return { kind: 'remove' }
  refuseName(
    context.where,
    'The variable',
    `$$${name}`,
    [...SYSTEM_VARIABLES, ...context.variables.keys()].map(one => `$$${one}`),
    refusedOperators,
  )
}

/** A field by its looks: its name begins with a letter. */
const NAMED = /^\$[\p{L}_]/u

function parseString(text: string, context: ParseContext): Expression {
  if (text.startsWith('$$')) return parseVariable(text, context)
  if (text.startsWith('$')) {
    const asText = `; as a text write {"$literal": ${echo(text)}}`
    const path = parsePath(text.slice(1), context.where, asText)
    const isVariable = context.variables.has(path[0] ?? '')
    const asVariable = isVariable ? `; the variable is ${echo(`$${text}`)}` : undefined
    adviseField(path, context, NAMED.test(text) ? asVariable : asText)
    return { kind: 'field', path }
  }
  return { kind: 'literal', value: text }
}

/** What is wrong beside an operator: its arguments stand inside it. */
function neighbours(name: string, json: object): string {
  const takes = operators.get(name)?.takes
  const beside = Object.keys(json).filter(key => takes?.names.includes(key))
  const [first] = beside
  if (takes === undefined || first === undefined) return `${echo(name)} has neighbours`
  const value = (json as Record<string, unknown>)[name]
  const isInside = isObject(value) && !isOperatorObject(value)
  const inside = isInside ? Object.keys(value) : [takes.short ?? takes.names[0] ?? '']
  const written = [...inside, ...beside].map(key => `${echo(key)}: …`).join(', ')
  return `${echo(first)} is an argument of ${name}: write {${echo(name)}: {${written}}}`
}

/** Field names that an object in an expression may have. */
function parseObjectFields(json: object, context: ParseContext): Expression {
  const fields = Object.entries(json).map(([name, value]): readonly [string, Expression] => {
    if (name.startsWith('$')) {
      throw new Refusal(context.where, `an operator stands alone in its object; ${neighbours(name, json)}`)
    }
    if (name === '' || name.includes('.')) {
      throw new Refusal(
        context.where,
        `the field name ${echo(name)} of an object in an expression is empty or holds a dot`,
      )
    }
    return [name, parseExpression(value, at(context, name))]
  })
  return { kind: 'object', fields }
}

/**
 * Parses an expression: literals, `$field` paths, `$$` variables, operators, objects and arrays.
 * @throws Refusal for whatever is not on the allow-lists.
 */
export function parseExpression(json: unknown, context: ParseContext): Expression {
  if (typeof json === 'string') return parseString(json, context)
  if (Array.isArray(json)) {
    return { kind: 'array', items: json.map((item, i) => parseExpression(item, at(context, i))) }
  }
  if (typeof json !== 'object' || json === null || json instanceof Date) {
    return { kind: 'literal', value: readLiteral(json, context.where) }
  }
  const extended = readExtended(json, context.where)
  if (extended !== undefined) return { kind: 'literal', value: extended }
  const keys = Object.keys(json)
  const name = keys[0]
  if (name === undefined) return { kind: 'literal', value: {} }
  if (keys.length > 1 || !name.startsWith('$')) return parseObjectFields(json, context)
  const argument: unknown = (json as Record<string, unknown>)[name]
  const inner = at(context, name)
  if (name === '$literal') return { kind: 'literal', value: readLiteral(argument, inner.where) }
  const operator = operators.get(name)
  if (operator === undefined) {
    refuseMisplaced(inner.where, name)
    refuseName(inner.where, 'The operator', name, operators.keys(), refusedOperators)
  }
  return { kind: 'call', ...operator.parse(argument, inner, parseExpression) }
}
