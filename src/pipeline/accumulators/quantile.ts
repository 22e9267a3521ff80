import { failing } from '../compile/fails.js'
import { type Fragment, bind, join, sql } from '../compile/sql.js'
import type { SqlExpression, SqlType } from '../compile/types.js'
import type { CompileContext } from '../tree.js'
import { evaluateExpression, expressionToJson } from '../evaluate-expression.js'
import { type AccumulatorDoc, accumulatorDoc } from './accumulator-doc.js'
import type { Accumulator } from './accumulator.js'
import { quantiles } from './gatherings/quantiles.js'
import { numbersSql } from './numbers-sql.js'
import { percentileArguments } from './percentile-arguments.js'

/** Quantiles as SQL over the values of a group or of a window (`over`): numbers of it, none between them. */
export function quantileSql(
  name: '$median' | '$percentile',
  shares: readonly number[],
  operand: SqlExpression,
  over = sql``,
): SqlExpression {
  const numbers = numbersSql(operand)
  const finite = numbers === 'nothing' || isFinite(numbers.type)
  const type: SqlType = { kind: 'double', finite, absent: 'null' }
  const listed = { kind: 'list', of: type, absent: 'never' } as const
  const none = list(shares.map(() => sql`null`))
  if (numbers === 'nothing') {
    return name === '$median' ? { sql: sql`null::double`, type } : { sql: sql`${none}::double[]`, type: listed }
  }
  const value = sql`${numbers.sql}::double`
  const counted = finite ? value : sql`case when not isnan(${value}) then ${value} end`
  const bound = shares.map(share => sql`${bind(share, 'DOUBLE')}`)
  if (name === '$median') return { sql: sql`quantile_disc(${counted}, ${bound[0]!})${over}`, type }
  // All shares at once: the numbers are ordered once.
  return { sql: sql`coalesce(quantile_disc(${counted}, ${list(bound)})${over}, ${none})::double[]`, type: listed }
}

const list = (items: readonly Fragment[]): Fragment => sql`[${join(items, ', ')}]`

const isFinite = (type: SqlType) => type.kind !== 'double' || type.finite

/** $median and $percentile: exact, each result is one of the numbers. */
export function quantile(name: '$median' | '$percentile', doc: AccumulatorDoc): Accumulator {
  return {
    name,
    doc: accumulatorDoc(doc),
    parse(argument, context, parse) {
      const { input, shares } = percentileArguments(name, argument, context, parse)
      const toSql = (compile: CompileContext, over?: Fragment) => {
        const compiled = compile.expression(input)
        return compiled && failing(quantileSql(name, shares, compiled, over), compiled.fails)
      }
      return {
        operands: [input],
        start: () => {
          const gathering = quantiles(shares, found => (name === '$median' ? found[0]! : found))
          return {
            add: environment => gathering.add(evaluateExpression(input, environment)),
            result: () => gathering.result(),
          }
        },
        sql: toSql,
        over: toSql,
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
