import type { CompileContext, SqlExpression } from '../compile/compile-context.js'
import { evaluateExpression, expressionToJson } from '../evaluate-expression.js'
import { at } from '../parse-context.js'
import { Refusal, refuseName } from '../refusal.js'
import type { Expression } from '../tree.js'
import type { Value } from '../value.js'
import type { ExpressionOperator } from './expression-operator.js'

interface NamedDefinition<Name extends string> {
  readonly name: string
  /** The argument's fields and whether each must be there. */
  readonly fields: Readonly<Record<Name, 'required' | 'optional'>>
  /** The meaning; `given` tells an absent argument from one whose value is missing. */
  evaluate(values: Readonly<Partial<Record<Name, Value>>>, given: ReadonlySet<Name>): Value | undefined
  sql?(operands: Readonly<Partial<Record<Name, NamedOperand>>>, context: CompileContext): SqlExpression | undefined
}

/** An argument as the compiler sees it: compiled, and the literal when it is one. */
export interface NamedOperand extends SqlExpression {
  readonly literal: Value | undefined
}

/** An operator with named arguments, such as `{$dateTrunc: {date, unit, timezone}}`. */
export function named<Name extends string>(definition: NamedDefinition<Name>): ExpressionOperator {
  const { name, fields } = definition
  const names = Object.keys(fields) as Name[]
  return {
    name,
    parse(argument, context, parse) {
      if (typeof argument !== 'object' || argument === null || Array.isArray(argument)) {
        throw new Refusal(context.where, `${name} takes an object with the fields ${names.join(', ')}`)
      }
      const operands = new Map<Name, Expression>()
      for (const [key, json] of Object.entries(argument)) {
        if (!Object.hasOwn(fields, key)) refuseName(context.where, `The argument of ${name}`, key, names, new Map())
        operands.set(key as Name, parse(json, at(context, key)))
      }
      for (const key of names) {
        if (fields[key] === 'required' && !operands.has(key)) {
          throw new Refusal(context.where, `${name} needs the argument ${key}`)
        }
      }
      const given: ReadonlySet<Name> = new Set(operands.keys())
      return {
        operator: name,
        operands: [...operands.values()],
        evaluate: environment => {
          const values: Partial<Record<Name, Value>> = {}
          for (const [key, operand] of operands) {
            const value = evaluateExpression(operand, environment)
            if (value !== undefined) values[key] = value
          }
          return definition.evaluate(values, given)
        },
        sql: compile => {
          if (definition.sql === undefined) return undefined
          const compiled: Partial<Record<Name, NamedOperand>> = {}
          for (const [key, operand] of operands) {
            const one = compile.expression(operand)
            if (one === undefined) return undefined
            compiled[key] = { ...one, literal: operand.kind === 'literal' ? operand.value : undefined }
          }
          return definition.sql(compiled, compile)
        },
        toJson: () => ({
          [name]: Object.fromEntries([...operands].map(([key, operand]) => [key, expressionToJson(operand)])),
        }),
      }
    },
  }
}
