import type { CompileContext, SqlExpression } from '../compile/compile-context.js'
import { evaluateExpression, expressionToJson } from '../evaluate-expression.js'
import { at } from '../parse-context.js'
import { Refusal } from '../refusal.js'
import type { Expression } from '../tree.js'
import type { Value } from '../value.js'
import type { ExpressionOperator } from './expression-operator.js'

interface Definition {
  readonly name: string
  /** Fewest and most operands. */
  readonly arity: readonly [number, number]
  /** The SQL over compiled operands, `undefined` where it would not be exact for their types. */
  sql?(operands: readonly SqlExpression[], context: CompileContext): SqlExpression | undefined
  /** Rewrites operands once they are parsed, such as strings compared with a date. */
  prepare?(operands: readonly Expression[], isDate: (operand: Expression) => boolean): readonly Expression[]
}

interface EagerDefinition extends Definition {
  /** The meaning over the values of the operands; `undefined` is missing. */
  evaluate(...values: readonly (Value | undefined)[]): Value | undefined
}

interface LazyDefinition extends Definition {
  /** The meaning over operands that are evaluated when called: for operators that leave some unevaluated. */
  evaluate(...operands: readonly (() => Value | undefined)[]): Value | undefined
}

/**
 * An operator whose operands are all evaluated first, in order: `{$add: [a, b]}`, or `{$abs: a}` with a single operand,
 * which MongoDB accepts without the array for any operator.
 */
export function eager(definition: EagerDefinition): ExpressionOperator {
  return lazy({ ...definition, evaluate: (...operands) => definition.evaluate(...operands.map(operand => operand())) })
}

/** An operator that may leave operands unevaluated, as $and does after the first false one. */
export function lazy(definition: LazyDefinition): ExpressionOperator {
  const { name, arity } = definition
  return {
    name,
    parse(argument, context, parse) {
      const list = Array.isArray(argument) ? argument : [argument]
      const [least, most] = arity
      if (list.length < least || list.length > most) {
        const wanted = least === most ? `${least}` : most === Infinity ? `at least ${least}` : `${least} to ${most}`
        throw new Refusal(
          context.where,
          `${name} takes ${wanted} operand${wanted === '1' ? '' : 's'}, not ${list.length}`,
        )
      }
      const parsed = list.map((item, i) => parse(item, Array.isArray(argument) ? at(context, i) : context))
      const operands = definition.prepare?.(parsed, operand => isDateField(operand, context)) ?? parsed
      return {
        operator: name,
        operands,
        evaluate: environment =>
          definition.evaluate(...operands.map(operand => () => evaluateExpression(operand, environment))),
        sql: compile => {
          if (definition.sql === undefined) return undefined
          const compiled: SqlExpression[] = []
          for (const operand of operands) {
            const one = compile.expression(operand)
            if (one === undefined) return undefined
            compiled.push(one)
          }
          return definition.sql(compiled, compile)
        },
        toJson: () => ({ [name]: operands.map(expressionToJson) }),
      }
    },
  }
}

function isDateField(operand: Expression, context: Parameters<ExpressionOperator['parse']>[1]): boolean {
  if (operand.kind !== 'field' || operand.variable !== undefined) return false
  return typeAtPath(context, operand.path)
}

function typeAtPath(context: Parameters<ExpressionOperator['parse']>[1], path: readonly string[]): boolean {
  let type = context.shape?.get(path[0] ?? '')
  for (const part of path.slice(1)) {
    if (type?.kind !== 'struct') return false
    type = type.fields.get(part)
  }
  return type?.kind === 'date'
}
