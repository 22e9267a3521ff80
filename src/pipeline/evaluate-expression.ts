import { putField } from '../base/fields.js'
import { toLiteral } from './extended-json.js'
import type { Environment, Expression } from './tree.js'
import { type Value, isArray, isDocument } from './value.js'

/** The value at a path as expressions read it: through arrays of documents, placeholders left out ("$a.0" is a field name). */
export function readPath(value: Value | undefined, path: readonly string[], from = 0): Value | undefined {
  let current = value
  for (let i = from; i < path.length; i += 1) {
    if (isArray(current)) {
      const step = i
      const items = current
        .map(item => (isDocument(item) ? readPath(item, path, step) : undefined))
        .filter(item => item !== undefined)
      return items
    }
    if (!isDocument(current)) return undefined
    const part = path[i]!
    current = Object.hasOwn(current, part) ? current[part] : undefined
  }
  return current
}

/** The value of an expression over a document; `undefined` is missing. Throws a Problem where MongoDB raises an error. */
export function evaluateExpression(expression: Expression, environment: Environment): Value | undefined {
  switch (expression.kind) {
    case 'literal':
      return expression.value
    case 'remove':
      return undefined
    case 'now':
      return environment.now
    case 'field': {
      const start =
        expression.variable === undefined ? environment.root : environment.variables.get(expression.variable)
      return readPath(start, expression.path)
    }
    case 'object': {
      const object: Record<string, Value> = {}
      for (const [name, field] of expression.fields) {
        const value = evaluateExpression(field, environment)
        if (value !== undefined) putField(object, name, value)
      }
      return object
    }
    case 'array':
      return expression.items.map(item => evaluateExpression(item, environment) ?? null)
    case 'call':
      return expression.evaluate(environment)
  }
}

/** What would be read as a field, an operator or an expression for each item stands in $literal. */
function literalToJson(value: Value): unknown {
  const isPlain = typeof value === 'string' ? !value.startsWith('$') : !isArray(value) && !isDocument(value)
  return isPlain ? toLiteral(value) : { $literal: toLiteral(value) }
}

/** An expression as MongoDB's JSON. */
export function expressionToJson(expression: Expression): unknown {
  switch (expression.kind) {
    case 'literal':
      return literalToJson(expression.value)
    case 'remove':
      return '$$REMOVE'
    case 'now':
      return '$$NOW'
    case 'field': {
      const path = expression.path.join('.')
      if (expression.variable !== undefined) return `$$${expression.variable}${path === '' ? '' : `.${path}`}`
      return path === '' ? '$$ROOT' : `$${path}`
    }
    case 'object':
      return Object.fromEntries(expression.fields.map(([name, field]) => [name, expressionToJson(field)]))
    case 'array':
      return expression.items.map(expressionToJson)
    case 'call':
      return expression.toJson()
  }
}
