import { echo } from '../../base/text.js'
import { expressionToJson } from '../evaluate-expression.js'
import { parseExpression } from '../expressions/parse-expression.js'
import type { ParseContext } from '../parse-context.js'
import { Refusal } from '../refusal.js'
import type { Expression } from '../tree.js'
import type { Value } from '../value.js'

/** What an expression is that reads nothing; `undefined` for all others. */
export function constantOf(expression: Expression): Value | undefined {
  switch (expression.kind) {
    case 'literal':
      return expression.value
    case 'array': {
      const items = expression.items.map(constantOf).filter(item => item !== undefined)
      return items.length < expression.items.length ? undefined : items
    }
    case 'object': {
      const fields = expression.fields.flatMap(([name, field]): [string, Value][] => {
        const value = constantOf(field)
        return value === undefined ? [] : [[name, value]]
      })
      return fields.length < expression.fields.length ? undefined : Object.fromEntries(fields)
    }
    case 'call': {
      // What draws at random reads nothing either, but is another value each time.
      if (expression.operands.length === 0 || expression.operands.some(one => constantOf(one) === undefined))
        return undefined
      return expression.evaluate({ root: {}, variables: new Map(), now: new Date(0) })
    }
    default:
      return undefined
  }
}

/** A value that is written out, stands in `{$literal: …}`, or is computed of such. */
export function parseConstant(json: unknown, context: ParseContext): Value {
  const value = constantOf(parseExpression(json, context))
  if (value === undefined) throw new Refusal(context.where, `is a constant, not ${echo(json)}`)
  return value
}

/** The same as MongoDB's JSON. */
export const constantToJson = (value: Value): unknown => expressionToJson({ kind: 'literal', value })
