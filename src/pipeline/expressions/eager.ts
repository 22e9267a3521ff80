import type { CompileContext, Environment, Expression, TypeOf } from '../tree.js'
import type { SqlExpression } from '../compile/types.js'
import { failing } from '../compile/fails.js'
import type { FieldType } from '../../calls/field-type.js'
import { evaluateExpression, expressionToJson } from '../evaluate-expression.js'
import type { ParseContext } from '../parse-context.js'
import type { Value } from '../value.js'
import { compileOperands } from './compile-operands.js'
import { type ExpressionDoc, expressionDoc } from './expression-doc.js'
import type { ExpressionOperator } from './expression-operator.js'
import { type DatesKnown, datesKnown } from './dates-known.js'
import { type Arity, parseOperands } from './parse-operands.js'

interface EagerDefinition {
  readonly name: string
  readonly doc: ExpressionDoc
  readonly arity: Arity
  /** The meaning over the values of the operands; `undefined` is missing. */
  readonly evaluate: (...values: readonly (Value | undefined)[]) => Value | undefined
  /** The SQL over compiled operands, `undefined` where it would not be exact for their types. */
  sql?(operands: readonly SqlExpression[], context: CompileContext): SqlExpression | undefined
  /** Rewrites operands once they are parsed, such as strings compared with a date. */
  prepare?(operands: readonly Expression[], known: DatesKnown): readonly Expression[]
  /** The type of the value, where that is known: see OperatorCall. */
  gives?(operands: readonly Expression[], typeOf: TypeOf): FieldType | undefined
  /** Says of operands what was probably not meant. */
  advise?(operands: readonly Expression[], context: ParseContext): void
}

/** Without a rest parameter where the number of operands is known: this runs for every document. */
function evaluator(
  operands: readonly Expression[],
  evaluate: EagerDefinition['evaluate'],
): (environment: Environment) => Value | undefined {
  const [a, b] = operands
  if (operands.length === 1 && a !== undefined) return environment => evaluate(evaluateExpression(a, environment))
  if (operands.length === 2 && a !== undefined && b !== undefined) {
    return environment => evaluate(evaluateExpression(a, environment), evaluateExpression(b, environment))
  }
  return environment => evaluate(...operands.map(operand => evaluateExpression(operand, environment)))
}

/** An operator whose operands are all evaluated first, in order. */
export function eager(definition: EagerDefinition): ExpressionOperator {
  const { name, arity, doc } = definition
  return {
    name,
    doc: expressionDoc(doc),
    parse(argument, context, parse) {
      const parsed = parseOperands(name, arity, argument, context, parse)
      const operands = definition.prepare?.(parsed, datesKnown(context)) ?? parsed
      definition.advise?.(operands, context)
      return {
        operator: name,
        operands,
        gives: typeOf => definition.gives?.(operands, typeOf),
        evaluate: evaluator(operands, definition.evaluate),
        sql: compile => {
          if (definition.sql === undefined) return undefined
          const compiled = compileOperands(operands, compile)
          const result = compiled && definition.sql(compiled, compile)
          return result && failing(result, ...compiled.map(one => one.fails))
        },
        toJson: () => ({ [name]: operands.map(expressionToJson) }),
      }
    },
  }
}
