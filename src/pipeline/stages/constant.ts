import { echo } from '../../base/text.js'
import { expressionToJson } from '../evaluate-expression.js'
import { parseExpression } from '../expressions/parse-expression.js'
import type { ParseContext } from '../parse-context.js'
import { Refusal } from '../refusal.js'
import type { Expression } from '../tree.js'
import type { Value } from '../value.js'

/** What an expression is that reads nothing and computes nothing; `undefined` for all others. */
function constantOf(expression: Expression): Value | undefined {
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
    default:
      return undefined
  }
}

/** A value that is written out, or stands in `{$literal: …}`. */
export function parseConstant(json: unknown, context: ParseContext): Value {
  const value = constantOf(parseExpression(json, context))
  if (value === undefined) throw new Refusal(context.where, `is a constant, not ${echo(json)}`)
  return value
}

/** The same as MongoDB's JSON. */
export const constantToJson = (value: Value): unknown => expressionToJson({ kind: 'literal', value })
