import type { CompileContext, Expression, TypeOf } from '../tree.js'
import type { SqlExpression } from '../compile/types.js'
import type { FieldType } from '../../calls/field-type.js'
import { evaluateExpression, expressionToJson } from '../evaluate-expression.js'
import type { ParseContext } from '../parse-context.js'
import type { Value } from '../value.js'
import { compileOperands } from './compile-operands.js'
import { type ExpressionDoc, expressionDoc } from './expression-doc.js'
import type { ExpressionOperator } from './expression-operator.js'
import { type Arity, parseOperands } from './parse-operands.js'

interface LazyDefinition {
  readonly name: string
  readonly doc: ExpressionDoc
  readonly arity: Arity
  /** The meaning over operands that are evaluated when called: for operators that leave some unevaluated. */
  evaluate(...operands: readonly (() => Value | undefined)[]): Value | undefined
  /** The type of the value, where that is known: see OperatorCall. */
  gives?(operands: readonly Expression[], typeOf: TypeOf): FieldType | undefined
  /** Says of operands what was probably not meant. */
  advise?(operands: readonly Expression[], context: ParseContext): void
  /** The SQL; what of the operands may fail is the definition's own care, since not all of them are evaluated. */
  sql(operands: readonly SqlExpression[], context: CompileContext): SqlExpression | undefined
}

/** An operator that may leave operands unevaluated, as $and does after the first false one. */
export function lazy(definition: LazyDefinition): ExpressionOperator {
  const { name, arity, doc } = definition
  return {
    name,
    doc: expressionDoc(doc),
    parse(argument, context, parse) {
      const operands = parseOperands(name, arity, argument, context, parse)
      definition.advise?.(operands, context)
      return {
        operator: name,
        operands,
        gives: typeOf => definition.gives?.(operands, typeOf),
        evaluate: environment =>
          definition.evaluate(...operands.map(operand => () => evaluateExpression(operand, environment))),
        sql: compile => {
          const compiled = compileOperands(operands, compile)
          return compiled && definition.sql(compiled, compile)
        },
        toJson: () => ({ [name]: operands.map(expressionToJson) }),
      }
    },
  }
}
