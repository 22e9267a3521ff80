import type { CompileContext } from '../../tree.js'
import { failsWithin, failing, firstFailure } from '../../compile/fails.js'
import { isNullish } from '../../compile/null-sql.js'
import { bind, sql } from '../../compile/sql.js'
import { type SqlExpression, joinAbsent } from '../../compile/types.js'
import { chosen, unify } from '../../compile/unify.js'
import { evaluateExpression, expressionToJson } from '../../evaluate-expression.js'
import { dateOr } from '../../given-type.js'
import { at } from '../../parse-context.js'
import { Refusal } from '../../refusal.js'
import { argumentFields } from '../argument-fields.js'
import { expressionDoc } from '../expression-doc.js'
import { ExpressionError } from '../expression-error.js'
import type { ExpressionOperator } from '../expression-operator.js'
import { convertSql } from './convert-sql.js'
import { Unconvertible, convertValue } from './convert-value.js'
import { converted } from './conversion.js'
import { type Target, targetOf } from './target.js'

const TARGETS = 'takes double, string, bool, date, int, long or decimal as to'
const NULL: SqlExpression = { sql: sql`null`, type: { kind: 'nothing', absent: 'null' } }

function compileConvert(
  input: SqlExpression,
  to: Target,
  onError: SqlExpression | undefined,
  onNull: SqlExpression,
  context: CompileContext,
): SqlExpression | undefined {
  const result = convertSql(input, to, context)
  if (result === undefined) return undefined
  const there: SqlExpression = { sql: result.sql, type: { ...result.kind, absent: 'never' } }
  const reason = result.reason ?? sql`null`
  const unified = unify(onError === undefined ? [there, onNull] : [there, onNull, onError])
  if (unified === undefined) return undefined
  const nullish = isNullish(input)
  const absent = joinAbsent(onNull.type.absent, onError?.type.absent ?? 'never')
  const expression = chosen(unified, absent, ([value, forNull, forError]) =>
    forError === undefined
      ? sql`(case when ${nullish} then ${forNull!} else ${value!} end)`
      : sql`(case when ${nullish} then ${forNull!} when ${reason} is not null then ${forError} else ${value!} end)`,
  )
  const ownFailure =
    onError === undefined
      ? result.reason && failsWithin(sql`not ${nullish}`, sql`(${bind('$convert ', 'VARCHAR')} || ${result.reason})`)
      : failsWithin(sql`${reason} is not null`, onError.fails)
  return failing(expression, firstFailure([input.fails, failsWithin(nullish, onNull.fails), ownFailure]))
}

/** A value as another type, with what to give where it can't be. */
export const convert: ExpressionOperator = {
  name: '$convert',
  doc: expressionDoc({
    form: '{ $convert: { input: <expression>, to: <type>, onError: <expression>, onNull: <expression> } }',
    meaning:
      'The value as a double, string, bool, date, int or long (a decimal is a double here); onError where it can not be converted, which is an error otherwise, onNull for null and missing.',
    example: {
      expression: { $convert: { input: '$n', to: 'int', onError: -1 } },
      document: { n: 'many' },
      result: -1,
    },
  }),
  parse(argument, context, parse) {
    const fields = argumentFields('$convert', argument, ['input', 'to'], ['onError', 'onNull'], context)
    const optional = (name: 'onError' | 'onNull') =>
      Object.hasOwn(fields, name) ? parse(fields[name], at(context, name)) : undefined
    const input = parse(fields.input, at(context, 'input'))
    const to = parse(fields.to, at(context, 'to'))
    const [onError, onNull] = [optional('onError'), optional('onNull')]
    if (to.kind === 'literal' && to.value !== null && targetOf(to.value) === undefined) {
      throw new Refusal(at(context, 'to').where, `$convert ${TARGETS}`)
    }
    return {
      operator: '$convert',
      operands: [input, to, ...(onError === undefined ? [] : [onError]), ...(onNull === undefined ? [] : [onNull])],
      gives: typeOf => {
        const isDate = to.kind === 'literal' && targetOf(to.value) === 'date'
        return isDate ? dateOr([onError, onNull], typeOf) : undefined
      },
      evaluate: environment => {
        const value = evaluateExpression(input, environment)
        const type = evaluateExpression(to, environment)
        if (value === undefined || value === null) {
          return onNull === undefined ? null : evaluateExpression(onNull, environment)
        }
        if (type === undefined || type === null) return null
        const target = targetOf(type)
        if (target === undefined) throw new ExpressionError('$convert', TARGETS)
        if (onError === undefined) return converted('$convert', value, target)
        try {
          return convertValue(value, target)
        } catch (error) {
          if (error instanceof Unconvertible) return evaluateExpression(onError, environment)
          throw error
        }
      },
      sql: compile => {
        const target = to.kind === 'literal' ? targetOf(to.value) : undefined
        const value = compile.expression(input)
        const [forError, forNull] = [onError && compile.expression(onError), onNull && compile.expression(onNull)]
        if (target === undefined || value === undefined) return undefined
        if ((onError !== undefined && forError === undefined) || (onNull !== undefined && forNull === undefined)) {
          return undefined
        }
        return compileConvert(value, target, forError, forNull ?? NULL, compile)
      },
      toJson: () => ({
        $convert: {
          input: expressionToJson(input),
          to: expressionToJson(to),
          ...(onError === undefined ? {} : { onError: expressionToJson(onError) }),
          ...(onNull === undefined ? {} : { onNull: expressionToJson(onNull) }),
        },
      }),
    }
  },
}
