import { numbersSql } from '../accumulators/numbers-sql.js'
import { type Fragment, bind, sql } from '../compile/sql.js'
import type { SqlExpression } from '../compile/types.js'
import { evaluateExpression, expressionToJson } from '../evaluate-expression.js'
import { parseExpression } from '../expressions/parse-expression.js'
import { readLiteral } from '../extended-json.js'
import { at } from '../parse-context.js'
import { Refusal } from '../refusal.js'
import { readOptions } from '../stages/read-options.js'
import { double, isNumeric, toNumber } from '../value.js'
import { numberSql } from './number-sql.js'
import type { SqlWindow, WindowFunction } from './window-function.js'

function readAlpha(n: unknown, alpha: unknown, where: string): number {
  if ((n === undefined) === (alpha === undefined)) throw new Refusal(where, '$expMovingAvg takes either N or alpha')
  const value = readLiteral(n ?? alpha, where)
  const number = isNumeric(value) ? toNumber(value) : Number.NaN
  if (n !== undefined) {
    if (!Number.isInteger(number) || number < 1) throw new Refusal(`${where}.N`, 'is a whole number from 1')
    return 2 / (number + 1)
  }
  if (!(number > 0 && number < 1)) throw new Refusal(`${where}.alpha`, 'is a number between 0 and 1, both excluded')
  return number
}

const numbersOf = (input: SqlExpression | undefined): Fragment | undefined => {
  const numbers = input && numbersSql(input)
  return numbers === undefined || numbers === 'nothing' ? undefined : numberSql(numbers)
}

/** What is below this beside a value changes nothing of it. */
const NEGLIGIBLE = 1e-100

/** The largest numbers beside which the negligible is. */
const LARGEST = 1e50

/**
 * The average as a sum in which each number weighs 1 - alpha times as much as the one after. So that weights stay within
 * doubles numbers are taken in blocks, those of the block at hand and of the one before: beyond that they weigh nothing.
 */
function averageSql(
  { context, before: count, by, running }: SqlWindow,
  input: SqlExpression | undefined,
  alpha: number,
): SqlExpression | undefined {
  const number = numbersOf(input)
  if (input === undefined || number === undefined || count === undefined) return undefined
  const keep = 1 - alpha
  const size = keep === 0 ? 1 : Math.max(1, Math.floor(Math.log(NEGLIGIBLE) / Math.log(keep)))
  const length = bind(BigInt(size), 'BIGINT')
  const place = sql`(${count.sql} % ${length})`
  const base = bind(keep, 'DOUBLE')
  const weight = sql`(case when ${count.sql} = 1 then 1 else ${bind(alpha, 'DOUBLE')} end) * pow(${base}, -${place})`
  const isNear = sql`abs(${number}) <= ${bind(LARGEST, 'DOUBLE')}`
  const weighed = context.exactUnless(sql`not ${isNear}`, sql`${number} * ${weight}`)
  // Documents without a number share their count with the one before.
  const sumOf = (frame: Fragment) =>
    sql`coalesce(sum(${weighed}) over (${by} order by ${count.sql} range between ${frame}), 0)`
  const block = sumOf(sql`${place} preceding and current row`)
  const last = sumOf(sql`${place} + ${length} preceding and ${place} + 1 preceding`)
  const average =
    keep === 0
      ? sql`last_value(${number} ignore nulls) over ${running}`
      : sql`pow(${base}, ${place}) * (${block} + ${bind(keep ** size, 'DOUBLE')} * ${last})`
  return {
    sql: sql`(case when ${count.sql} > 0 then ${average} end)`,
    type: { kind: 'double', finite: true, absent: 'null' },
    ...(input.fails === undefined ? {} : { fails: input.fails }),
  }
}

export const expMovingAvg: WindowFunction = {
  name: '$expMovingAvg',
  doc: {
    form: '{ $expMovingAvg: { input: <expression>, N: <whole number> } } or { $expMovingAvg: { input: <expression>, alpha: <number> } }',
    meaning:
      'The exponential moving average in the order of sortBy: alpha times the value plus 1 - alpha times the average so far, where alpha is 2 / (N + 1). What is not a number is passed over.',
    example: {
      documents: [
        { day: 1, calls: 10 },
        { day: 2, calls: 20 },
      ],
      pipeline: [
        {
          $setWindowFields: {
            sortBy: { day: 1 },
            output: { trend: { $expMovingAvg: { input: '$calls', alpha: 0.5 } } },
          },
        },
      ],
      result: [
        { day: 1, calls: 10, trend: 10 },
        { day: 2, calls: 20, trend: 15 },
      ],
    },
  },
  window: 'none',
  sort: 'any',
  parse: (argument, context) => {
    const options = readOptions(argument, '$expMovingAvg', ['input', 'N', 'alpha'], context)
    if (options.input === undefined) throw new Refusal(context.where, '$expMovingAvg needs input')
    const input = parseExpression(options.input, at(context, 'input'))
    const alpha = readAlpha(options.N, options.alpha, context.where)
    return {
      operands: [input],
      run: partition => {
        let average: number | undefined
        return Array.from({ length: partition.size }, (_, i) => {
          const value = evaluateExpression(input, partition.environment(i))
          if (isNumeric(value)) {
            const number = toNumber(value)
            average = average === undefined ? number : number * alpha + average * (1 - alpha)
          }
          return average === undefined ? null : double(average)
        })
      },
      before: ({ context: compile, running }) => {
        const numbers = numbersOf(compile.expression(input))
        return (
          numbers && { sql: sql`count(${numbers}) over ${running}`, type: { kind: 'int', bits: 53, absent: 'never' } }
        )
      },
      sql: window => averageSql(window, window.context.expression(input), alpha),
      toJson: () => ({
        $expMovingAvg: { input: expressionToJson(input), ...(options.N === undefined ? { alpha } : { N: options.N }) },
      }),
    }
  },
}
