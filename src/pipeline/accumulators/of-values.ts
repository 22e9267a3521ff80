import type { CompileContext, Expression, TypeOf } from '../tree.js'
import type { Fragment } from '../compile/sql.js'
import type { SqlExpression } from '../compile/types.js'
import { failing } from '../compile/fails.js'
import { evaluateExpression, expressionToJson } from '../evaluate-expression.js'
import type { FieldType } from '../../calls/field-type.js'
import { Refusal } from '../refusal.js'
import { type AccumulatorDoc, accumulatorDoc } from './accumulator-doc.js'
import type { Accumulator } from './accumulator.js'
import type { Gathering } from './gatherings/gathering.js'

interface Definition {
  readonly name: string
  readonly doc: AccumulatorDoc
  /** The type of the result, where it is one of the values or a list of them. */
  readonly gives?: (operand: Expression, typeOf: TypeOf) => FieldType | undefined
  start(): Gathering
  sql?(operand: SqlExpression, context: CompileContext): SqlExpression | undefined
  /** The same over a window. */
  over?(operand: SqlExpression, over: Fragment): SqlExpression | undefined
}

/** An accumulator over the values of one expression, as most are: `{$sum: "$score"}`. */
export function ofValues(definition: Definition): Accumulator {
  return {
    name: definition.name,
    doc: accumulatorDoc(definition.doc),
    parse(argument, context, parse) {
      // MongoDB refuses an array here, also of one, which an expression of this name would take for its operand.
      if (Array.isArray(argument)) {
        throw new Refusal(context.where, `${definition.name} takes one expression here, not an array of them`)
      }
      const operand = parse(argument, context)
      return {
        operands: [operand],
        gives: typeOf => definition.gives?.(operand, typeOf),
        start: () => {
          const gathering = definition.start()
          return {
            add: environment => gathering.add(evaluateExpression(operand, environment)),
            result: () => gathering.result(),
          }
        },
        sql: compile => {
          const compiled = compile.expression(operand)
          const result = compiled && definition.sql?.(compiled, compile)
          return result && failing(result, compiled.fails)
        },
        over: (compile, over) => {
          const compiled = compile.expression(operand)
          const result = compiled && definition.over?.(compiled, over)
          return result && failing(result, compiled.fails)
        },
        toJson: () => ({ [definition.name]: expressionToJson(operand) }),
      }
    },
  }
}
