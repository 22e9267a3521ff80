// oxlint-disable unicorn/no-thenable -- branches of $switch are called `then`
import { failing, failsWithin, firstFailure, failsWhen } from '../../compile/fails.js'
import { type Fragment, concat, join, sql } from '../../compile/sql.js'
import { truthySql } from '../../compile/truthy-sql.js'
import { type SqlExpression, joinAbsent } from '../../compile/types.js'
import { varied } from '../../compile/opaque.js'
import { chosen, unify } from '../../compile/unify.js'
import { evaluateExpression, expressionToJson } from '../../evaluate-expression.js'
import { eitherType } from '../../given-type.js'
import { type ParseContext, at } from '../../parse-context.js'
import { Refusal } from '../../refusal.js'
import type { Expression } from '../../tree.js'
import { isTruthy } from '../../value.js'
import { argumentFields } from '../argument-fields.js'
import { compileOperands } from '../compile-operands.js'
import { expressionDoc } from '../expression-doc.js'
import { ExpressionError } from '../expression-error.js'
import type { ExpressionOperator, ParseExpression } from '../expression-operator.js'

interface Branch {
  readonly test: Expression
  readonly then: Expression
}

const NO_BRANCH = 'found no branch whose case is true, and has no default'

function parseBranch(json: unknown, context: ParseContext, parse: ParseExpression): Branch {
  const fields = argumentFields('$switch', json, ['case', 'then'], [], context)
  return { test: parse(fields.case, at(context, 'case')), then: parse(fields.then, at(context, 'then')) }
}

/** What may fail: each case only while those before it are false, each branch only where it is the one taken. */
function failures(tests: readonly SqlExpression[], thens: readonly SqlExpression[]): Fragment | undefined {
  const conditions = tests.map(truthySql)
  const none = (count: number) =>
    join(
      conditions.slice(0, count).map(one => sql`(${one}) is not true`),
      ' and ',
    )
  const fails = tests.flatMap((test, i) => [
    i === 0 ? test.fails : failsWithin(none(i), test.fails),
    failsWithin(i === 0 ? conditions[i]! : sql`${none(i)} and ${conditions[i]!}`, thens[i]!.fails),
  ])
  const otherwise = thens[tests.length]
  const last =
    otherwise === undefined
      ? failsWhen(none(tests.length), '$switch', NO_BRANCH)
      : failsWithin(none(tests.length), otherwise.fails)
  return firstFailure([...fails, last])
}

function compileSwitch(tests: readonly SqlExpression[], thens: readonly SqlExpression[]): SqlExpression | undefined {
  const unified = unify(thens) ?? varied(thens)
  if (unified === undefined) return undefined
  const absent = thens.map(one => one.type.absent).reduce(joinAbsent)
  const result = chosen(unified, absent, branches => {
    const whens = tests.map((test, i) => sql`when ${truthySql(test)} then ${branches[i]!} `)
    return sql`(case ${concat(whens)}else ${branches[tests.length] ?? sql`null`} end)`
  })
  return failing(result, failures(tests, thens))
}

/** The value of the first branch whose case is true, else the default; without one it is an error. */
export const switchOperator: ExpressionOperator = {
  name: '$switch',
  doc: expressionDoc({
    form: '{ $switch: { branches: [{ case, then }, …], default } }',
    meaning:
      'The value of the first branch whose case is true, else the default; it is an error when there is neither. What is not chosen is not evaluated.',
    example: {
      expression: {
        $switch: {
          branches: [
            { case: { $gte: ['$score', 4] }, then: 'good' },
            { case: { $gte: ['$score', 3] }, then: 'fair' },
          ],
          default: 'poor',
        },
      },
      document: { score: 3.5 },
      result: 'fair',
    },
  }),
  parse(argument, context, parse) {
    const fields = argumentFields('$switch', argument, ['branches'], ['default'], context)
    const list = fields.branches
    if (!Array.isArray(list) || list.length === 0) {
      throw new Refusal(context.where, '$switch takes an array of at least one branch in branches')
    }
    const branches = list.map((json, i) => parseBranch(json, at(at(context, 'branches'), i), parse))
    const otherwise = Object.hasOwn(fields, 'default') ? parse(fields.default, at(context, 'default')) : undefined
    const last = otherwise === undefined ? [] : [otherwise]
    return {
      operator: '$switch',
      operands: [...branches.flatMap(({ test, then }) => [test, then]), ...last],
      gives: typeOf => eitherType([...branches.map(({ then }) => then), ...last], typeOf),
      evaluate: environment => {
        for (const { test, then } of branches) {
          if (isTruthy(evaluateExpression(test, environment))) return evaluateExpression(then, environment)
        }
        if (otherwise === undefined) throw new ExpressionError('$switch', NO_BRANCH)
        return evaluateExpression(otherwise, environment)
      },
      sql: compile => {
        const tests = compileOperands(
          branches.map(branch => branch.test),
          compile,
        )
        const thens = compileOperands([...branches.map(branch => branch.then), ...last], compile)
        return tests && thens && compileSwitch(tests, thens)
      },
      toJson: () => ({
        $switch: {
          branches: branches.map(({ test, then }) => ({ case: expressionToJson(test), then: expressionToJson(then) })),
          ...(otherwise === undefined ? {} : { default: expressionToJson(otherwise) }),
        },
      }),
    }
  },
}
