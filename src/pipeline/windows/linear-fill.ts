import { failsWhen, failsWhenAmong, firstFailure } from '../compile/fails.js'
import { DOUBLE_BITS } from '../compile/is-int-sql.js'
import { sql } from '../compile/sql.js'
import type { SqlExpression } from '../compile/types.js'
import { evaluateExpression, expressionToJson } from '../evaluate-expression.js'
import { ExpressionError } from '../expressions/expression-error.js'
import { parseExpression } from '../expressions/parse-expression.js'
import { compareValues } from '../order.js'
import { type Value, double, isNumeric, toNumber } from '../value.js'
import { numberSql } from './number-sql.js'
import type { Partition, SqlWindow, WindowFunction } from './window-function.js'

const NAME = '$linearFill'
const NEEDS = 'needs numbers or dates in the field that is sorted by'
const ONCE = 'needs every value of the field that is sorted by only once in a partition'

/** The field sorted by as numbers: all numbers or all dates, none twice. */
function positions(partition: Partition): readonly number[] {
  const values = Array.from({ length: partition.size }, (_, i): number | bigint | Date | object => {
    const value = partition.sortValue(i)
    if (!isNumeric(value) && !(value instanceof Date)) {
      throw new ExpressionError(NAME, NEEDS)
    }
    return value
  }) as readonly Value[]
  for (const [i, value] of values.entries()) {
    if (i === 0) continue
    if (value instanceof Date !== values[i - 1] instanceof Date) {
      throw new ExpressionError(NAME, 'needs either numbers or dates in the field that is sorted by, not both')
    }
    if (compareValues(value, values[i - 1]) === 0) {
      throw new ExpressionError(NAME, ONCE)
    }
  }
  return values.map(value => (value instanceof Date ? value.getTime() : toNumber(value as number)))
}

/** The same in the engine: the numbers that are there stay what they are, those between are doubles. */
function linearFillSql(
  y: SqlExpression,
  { sortValue: x, ordered, running, remaining }: SqlWindow,
): SqlExpression | undefined {
  const at = x && numberSql(x)
  const value = y.type.kind === 'date' ? undefined : numberSql(y)
  if (x === undefined || at === undefined || value === undefined) return undefined
  if (y.type.kind === 'double' && y.type.mixed !== undefined && y.isInt === undefined) return undefined
  // The integers beside the doubles between them are told apart; longs are not.
  if (y.type.kind === 'int' && (y.type.long === true || y.type.bits > DOUBLE_BITS)) return undefined
  const there = sql`(case when ${value} is not null then ${at} end)`
  const [y0, y1] = [
    sql`last_value(${value} ignore nulls) over ${running}`,
    sql`first_value(${value} ignore nulls) over ${remaining}`,
  ]
  const [x0, x1] = [
    sql`last_value(${there} ignore nulls) over ${running}`,
    sql`first_value(${there} ignore nulls) over ${remaining}`,
  ]
  const between = sql`${y0} + (${at} - ${x0}) * ((${y1} - ${y0}) / (${x1} - ${x0}))`
  const isInt = y.type.kind === 'int' ? sql`true` : y.isInt
  const fails = firstFailure([
    y.fails,
    x.type.absent === 'never' ? undefined : failsWhen(sql`${x.sql} is null`, NAME, NEEDS),
    failsWhenAmong(sql`lag(${at}) over ${ordered} = ${at}`, NAME, ONCE),
  ])
  return {
    sql: sql`(case when ${value} is not null then ${value} else ${between} end)`,
    type: {
      kind: 'double',
      finite: false,
      absent: y.type.absent === 'never' ? 'never' : 'null',
      ...(isInt === undefined
        ? {}
        : { mixed: y.type.kind === 'int' ? y.type.bits : ((y.type.kind === 'double' ? y.type.mixed : 0) ?? 0) }),
    },
    ...(isInt === undefined ? {} : { isInt: sql`(${value} is not null and ${isInt})` }),
    ...(fails === undefined ? {} : { fails }),
  }
}

/** Fills gaps on the straight line between the values around them. */
export const linearFill: WindowFunction = {
  name: NAME,
  doc: {
    form: '{ $linearFill: <expression> }',
    meaning:
      'The number, or where it is null or missing the one on the straight line between the numbers before and after, by the field sorted by (numbers or dates, none twice); null at the ends.',
    example: {
      documents: [{ day: 1, open: 4 }, { day: 2 }, { day: 3, open: 8 }],
      pipeline: [{ $setWindowFields: { sortBy: { day: 1 }, output: { open: { $linearFill: '$open' } } } }],
      result: [
        { day: 1, open: 4 },
        { day: 2, open: 6 },
        { day: 3, open: 8 },
      ],
    },
  },
  window: 'none',
  sort: 'one',
  parse: (argument, context) => {
    const operand = parseExpression(argument, context)
    return {
      operands: [operand],
      run: partition => {
        const xs = positions(partition)
        const ys = xs.map((_, i) => evaluateExpression(operand, partition.environment(i)) ?? null)
        if (ys.some(y => y !== null && !isNumeric(y))) throw new ExpressionError(NAME, 'fills numbers only')
        let before = -1
        let after = 0
        return ys.map((y, i) => {
          if (y !== null) {
            before = i
            return y
          }
          if (after <= i) after = ys.findIndex((one, place) => place > i && one !== null)
          if (before === -1 || after === -1) {
            if (after === -1) after = ys.length
            return null
          }
          if (after >= ys.length) return null
          const [low, high] = [toNumber(ys[before] as number), toNumber(ys[after] as number)]
          return double(low + (xs[i]! - xs[before]!) * ((high - low) / (xs[after]! - xs[before]!)))
        })
      },
      sql: window => {
        const y = window.context.expression(operand)
        return y && linearFillSql(y, window)
      },
      toJson: () => ({ [NAME]: expressionToJson(operand) }),
    }
  },
}
