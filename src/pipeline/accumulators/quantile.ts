import { failing } from '../compile/fails.js'
import { type Fragment, bind, join, sql } from '../compile/sql.js'
import type { SqlExpression, SqlType } from '../compile/types.js'
import { evaluateExpression, expressionToJson } from '../evaluate-expression.js'
import { type AccumulatorDoc, accumulatorDoc } from './accumulator-doc.js'
import type { Accumulator } from './accumulator.js'
import { quantiles } from './gatherings/quantiles.js'
import { numbersSql } from './numbers-sql.js'
import { percentileArguments } from './percentile-arguments.js'

const DOUBLE: SqlType = { kind: 'double', finite: false, absent: 'null' }

/** Quantiles as SQL over the values of a group: numbers of it, none between them. */
export function quantileSql(
  name: '$median' | '$percentile',
  shares: readonly number[],
  operand: SqlExpression,
): SqlExpression {
  const numbers = numbersSql(operand)
  const one = (share: number): Fragment => {
    if (numbers === 'nothing') return sql`null`
    const value = sql`${numbers.sql}::double`
    return sql`quantile_disc(case when not isnan(${value}) then ${value} end, ${bind(share, 'DOUBLE')})`
  }
  if (name === '$median') return { sql: sql`(${one(0.5)})::double`, type: DOUBLE }
  return {
    sql: sql`list_value(${join(shares.map(one), ', ')})::double[]`,
    type: { kind: 'list', of: DOUBLE, absent: 'never' },
  }
}

/** $median and $percentile: exact, each result is one of the numbers. */
export function quantile(name: '$median' | '$percentile', doc: AccumulatorDoc): Accumulator {
  return {
    name,
    doc: accumulatorDoc(doc),
    parse(argument, context, parse) {
      const { input, shares } = percentileArguments(name, argument, context, parse)
      return {
        operands: [input],
        start: () => {
          const gathering = quantiles(shares, found => (name === '$median' ? found[0]! : found))
          return {
            add: environment => gathering.add(evaluateExpression(input, environment)),
            result: () => gathering.result(),
          }
        },
        sql: compile => {
          const compiled = compile.expression(input)
          return compiled && failing(quantileSql(name, shares, compiled), compiled.fails)
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
