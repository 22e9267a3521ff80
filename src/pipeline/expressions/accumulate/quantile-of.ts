import { quantiles } from '../../accumulators/gatherings/quantiles.js'
import { failing } from '../../compile/fails.js'
import { jsonKind } from '../../compile/json-kind.js'
import { lambdaName } from '../../compile/lambda.js'
import { type Fragment, bind, join, sql } from '../../compile/sql.js'
import type { SqlExpression, SqlType } from '../../compile/types.js'
import { percentileArguments } from '../../accumulators/percentile-arguments.js'
import { evaluateExpression, expressionToJson } from '../../evaluate-expression.js'
import { isArray } from '../../value.js'
import { type ExpressionDoc, expressionDoc } from '../expression-doc.js'
import type { ExpressionOperator } from '../expression-operator.js'

/** What a number of a list is looked at as; `undefined` where its elements hold none. */
function numberOf(element: Fragment, type: SqlType): Fragment | undefined {
  if (type.kind === 'open') return jsonKind.ifNumber(element)
  return type.kind === 'int' || type.kind === 'double' ? sql`${element}::double` : undefined
}

/** The same over a list in the engine: `placeOf` of the evaluator's quantiles, in SQL. */
function quantileOfSql(
  name: '$median' | '$percentile',
  shares: readonly number[],
  { sql: list, type }: SqlExpression,
): SqlExpression | undefined {
  if (type.kind !== 'list') return undefined
  const element = lambdaName()
  const number = numberOf(element, type.of)
  if (number === undefined) return undefined
  const there = lambdaName()
  const numbers = sql`list_filter(list_transform(${list}, lambda ${element}: ${number}), lambda ${there}: not isnan(${there}))`
  const sorted = sql`list_sort(${numbers})`
  const count = sql`len(${sorted})`
  const found = shares.map(share => {
    const below = sql`floor(${count} - ${bind(share, 'DOUBLE')} * ${count})::bigint`
    return sql`list_extract(${sorted}, greatest(1, ${count} - ${below}))`
  })
  const of: SqlType = { kind: 'double', finite: type.of.kind !== 'double' || type.of.finite, absent: 'null' }
  if (name === '$median') return { sql: found[0]!, type: of }
  return { sql: sql`[${join(found, ', ')}]::double[]`, type: { kind: 'list', of, absent: 'never' } }
}

/** $median and $percentile over the elements of an array, or over one value. */
export function quantileOf(name: '$median' | '$percentile', doc: ExpressionDoc): ExpressionOperator {
  return {
    name,
    doc: expressionDoc(doc),
    parse(argument, context, parse) {
      const { input, shares } = percentileArguments(name, argument, context, parse)
      return {
        operator: name,
        operands: [input],
        evaluate: environment => {
          const gathering = quantiles(shares, found => (name === '$median' ? found[0]! : found))
          const value = evaluateExpression(input, environment)
          for (const one of isArray(value) ? value : [value]) gathering.add(one)
          return gathering.result()
        },
        sql: compile => {
          const compiled = compile.expression(input)
          const found = compiled && quantileOfSql(name, shares, compiled)
          return found && failing(found, compiled.fails)
        },
        toJson: () => ({
          [name]: {
            input: expressionToJson(input),
            ...(name === '$percentile' ? { p: shares } : {}),
            method: 'approximate',
          },
        }),
      }
    },
  }
}
