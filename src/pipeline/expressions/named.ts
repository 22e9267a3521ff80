import type { CompileContext, Expression } from '../tree.js'
import type { SqlExpression } from '../compile/types.js'
import type { FieldType } from '../../calls/field-type.js'
import { failing } from '../compile/fails.js'
import { evaluateExpression, expressionToJson } from '../evaluate-expression.js'
import { type ParseContext, at } from '../parse-context.js'
import { Refusal, refuseName } from '../refusal.js'
import type { Value } from '../value.js'
import { type ExpressionDoc, expressionDoc } from './expression-doc.js'
import type { ExpressionOperator } from './expression-operator.js'

interface NamedDefinition<Name extends string> {
  readonly name: string
  readonly doc: ExpressionDoc
  /** The argument's fields and whether each must be there. */
  readonly fields: Readonly<Record<Name, 'required' | 'optional'>>
  /** The field a bare argument is, for operators that have a short form such as `{$year: "$created_dt"}`. */
  readonly short?: NoInfer<Name>
  /** The type of the value, where there is only one: see OperatorCall. */
  readonly gives?: FieldType
  /** Refuses arguments that can be judged before anything runs. */
  check?(operands: ReadonlyMap<Name, Expression>, where: string): void
  /** Says of arguments what was probably not meant. */
  advise?(operands: ReadonlyMap<Name, Expression>, context: ParseContext): void
  /** The meaning; `given` tells an absent argument from one whose value is missing. */
  evaluate(values: Readonly<Partial<Record<Name, Value>>>, given: ReadonlySet<Name>): Value | undefined
  sql?(operands: Readonly<Partial<Record<Name, SqlExpression>>>, context: CompileContext): SqlExpression | undefined
}

/** An operator with named arguments, such as `{$dateTrunc: {date, unit, timezone}}`. */
export function named<Name extends string>(definition: NamedDefinition<Name>): ExpressionOperator {
  const { name, fields, doc, short } = definition
  const names = Object.keys(fields) as Name[]
  const isNamed = (argument: unknown): argument is object =>
    typeof argument === 'object' &&
    argument !== null &&
    !Array.isArray(argument) &&
    !(argument instanceof Date) &&
    (short === undefined || !(Object.keys(argument)[0]?.startsWith('$') ?? false))
  return {
    name,
    doc: expressionDoc(doc),
    takes: { names, short },
    parse(argument, context, parse) {
      const operands = new Map<Name, Expression>()
      if (!isNamed(argument)) {
        const single: unknown = Array.isArray(argument) && argument.length === 1 ? argument[0] : argument
        if (short === undefined || Array.isArray(single)) {
          throw new Refusal(context.where, `${name} takes an object with the fields ${names.join(', ')}`)
        }
        operands.set(short, parse(single, context))
      } else {
        for (const [key, json] of Object.entries(argument)) {
          if (!Object.hasOwn(fields, key)) refuseName(context.where, `The argument of ${name}`, key, names, new Map())
          operands.set(key as Name, parse(json, at(context, key)))
        }
      }
      for (const key of names) {
        if (fields[key] === 'required' && !operands.has(key)) {
          throw new Refusal(context.where, `${name} needs the argument ${key}`)
        }
      }
      definition.check?.(operands, context.where)
      definition.advise?.(operands, context)
      const given: ReadonlySet<Name> = new Set(operands.keys())
      return {
        operator: name,
        operands: [...operands.values()],
        gives: () => definition.gives,
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
          const compiled: Partial<Record<Name, SqlExpression>> = {}
          for (const [key, operand] of operands) {
            const one = compile.expression(operand)
            if (one === undefined) return undefined
            compiled[key] = one
          }
          const result = definition.sql(compiled, compile)
          const all: readonly (SqlExpression | undefined)[] = Object.values(compiled)
          return result && failing(result, ...all.map(one => one?.fails))
        },
        toJson: () => ({
          [name]: Object.fromEntries([...operands].map(([key, operand]) => [key, expressionToJson(operand)])),
        }),
      }
    },
  }
}
