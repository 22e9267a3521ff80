import type { CompileContext, SqlExpression } from '../compile/compile-context.js'
import { evaluateExpression, expressionToJson } from '../evaluate-expression.js'
import { Refusal } from '../refusal.js'
import type { Value } from '../value.js'
import type { Accumulator } from './accumulator.js'

/** Gathers the values of one expression. */
export interface Gathering {
  add(value: Value | undefined): void
  result(): Value
}

interface Definition {
  readonly name: string
  start(): Gathering
  sql?(operand: SqlExpression, context: CompileContext): SqlExpression | undefined
}

/** An accumulator over the values of one expression, as most are: `{$sum: "$score"}`. */
export function ofValues(definition: Definition): Accumulator {
  return {
    name: definition.name,
    parse(argument, context, parse) {
      const single: unknown = Array.isArray(argument) && argument.length === 1 ? argument[0] : argument
      if (Array.isArray(single)) throw new Refusal(context.where, `${definition.name} takes one operand in $group`)
      const operand = parse(single, context)
      return {
        operands: [operand],
        start: () => {
          const gathering = definition.start()
          return {
            add: environment => gathering.add(evaluateExpression(operand, environment)),
            result: () => gathering.result(),
          }
        },
        sql: compile => {
          const compiled = compile.expression(operand)
          return compiled && definition.sql?.(compiled, compile)
        },
        toJson: () => ({ [definition.name]: expressionToJson(operand) }),
      }
    },
  }
}
