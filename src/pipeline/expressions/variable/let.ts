import { isObject } from '../../../base/is-object.js'
import { failing } from '../../compile/fails.js'
import type { SqlExpression } from '../../compile/types.js'
import { evaluateExpression, expressionToJson } from '../../evaluate-expression.js'
import { eitherType } from '../../given-type.js'
import { at, withVariables } from '../../parse-context.js'
import { Refusal } from '../../refusal.js'
import { shapeOf } from '../../stages/shape-of.js'
import type { Expression } from '../../tree.js'
import { argumentFields } from '../argument-fields.js'
import { parseVariableName } from '../array/parse-variable-name.js'
import { compileOperands } from '../compile-operands.js'
import { expressionDoc } from '../expression-doc.js'
import type { ExpressionOperator } from '../expression-operator.js'

function withoutFailure(expression: SqlExpression): SqlExpression {
  const { fails, ...rest } = expression
  return fails === undefined ? expression : rest
}

/** Variables for an expression. */
export const letOperator: ExpressionOperator = {
  name: '$let',
  doc: expressionDoc({
    form: '{ $let: { vars: { <name>: <expression>, … }, in: <expression> } }',
    meaning: 'The value of an expression that sees the variables as $$<name>. The variables do not see one another.',
    example: {
      expression: {
        $let: { vars: { rate: { $divide: ['$positive', '$calls'] } }, in: { $multiply: ['$$rate', 100] } },
      },
      document: { positive: 3, calls: 4 },
      result: 75,
    },
  }),
  parse(argument, context, parse) {
    const fields = argumentFields('$let', argument, ['vars', 'in'], [], context)
    const { vars } = fields
    const inner = at(context, 'vars')
    if (!isObject(vars)) {
      throw new Refusal(inner.where, 'is an object of variables, such as {"rate": {"$divide": ["$a", "$b"]}}')
    }
    const bound = Object.entries(vars).map(([name, json]): readonly [string, Expression] => [
      parseVariableName(name, inner),
      parse(json, at(inner, name)),
    ])
    const names = bound.map(([name]) => name)
    const types = bound.map(([name, value]) => [name, shapeOf(value, context)] as const)
    const inside = withVariables(at(context, 'in'), types)
    const body = parse(fields.in, inside)
    return {
      operator: '$let',
      operands: [...bound.map(([, value]) => value), body],
      // The body is known where the variables are.
      gives: () => eitherType([body], one => shapeOf(one, inside)),
      evaluate: environment => {
        const variables = new Map(environment.variables)
        for (const [name, value] of bound) variables.set(name, evaluateExpression(value, environment))
        return evaluateExpression(body, { ...environment, variables })
      },
      sql: compile => {
        const compiled = compileOperands(
          bound.map(([, value]) => value),
          compile,
        )
        if (compiled === undefined) return undefined
        // A variable is evaluated once, whether the body reads it or not: its failure is the whole's, not its readers'.
        const values = compiled.map(withoutFailure)
        const result = compile.bound(new Map(names.map((name, i) => [name, values[i]!]))).expression(body)
        return result && failing(result, ...compiled.map(one => one.fails))
      },
      toJson: () => ({
        $let: {
          vars: Object.fromEntries(bound.map(([name, value]) => [name, expressionToJson(value)])),
          in: expressionToJson(body),
        },
      }),
    }
  },
}
