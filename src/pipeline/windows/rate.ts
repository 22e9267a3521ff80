import type { Fragment } from '../compile/sql.js'
import type { SqlExpression } from '../compile/types.js'
import { expressionToJson, evaluateExpression } from '../evaluate-expression.js'
import { ExpressionError } from '../expressions/expression-error.js'
import { parseExpression } from '../expressions/parse-expression.js'
import type { OperatorDoc } from '../operator-doc.js'
import { at } from '../parse-context.js'
import { Refusal } from '../refusal.js'
import { readOptions } from '../stages/read-options.js'
import { type Value, isNumeric, toNumber } from '../value.js'
import { UNITS, UTC_MS, type Unit } from '../expressions/date/units.js'
import type { Partition, SqlWindow, WindowFunction } from './window-function.js'
import { parseUnit } from './window-frame.js'

/** A point of the curve: the field sorted by (a date as milliseconds) and the input. */
export interface Point {
  readonly x: number
  readonly y: number
}

interface Rate {
  readonly name: '$derivative' | '$integral'
  readonly doc: OperatorDoc
  readonly window: WindowFunction['window']
  /** The value over a window [from, to) of points; `millis` are those of the unit, 1 without. */
  readonly value: (point: (place: number) => Point, from: number, to: number, millis: number) => Value
  /** The same in the engine, or `undefined` where it would not be exact. */
  readonly sql: (curve: Curve) => SqlExpression | undefined
  /** What that makes windows of: see WindowCall. */
  readonly before?: (curve: Pick<Curve, 'x' | 'y' | 'hasUnit'>, ordered: Fragment) => SqlExpression | undefined
}

/** What a rate is computed from in the engine. */
export interface Curve {
  readonly x: SqlExpression | undefined
  readonly y: SqlExpression
  readonly hasUnit: boolean
  readonly millis: number
  readonly window: SqlWindow
}

/** What a rate needs of the field that is sorted by, and of its input. */
export const needsX = (hasUnit: boolean): string =>
  hasUnit
    ? 'with a unit needs dates in the field that is sorted by'
    : 'needs numbers in the field that is sorted by, or a unit where it holds dates'
export const NEEDS_Y = 'needs a number as input of every document'

/** $derivative and $integral: numbers over numbers, or over dates in a unit of fixed length. */
export function rate({ name, doc, window: takesWindow, value, sql, before }: Rate): WindowFunction {
  const point = (partition: Partition, place: number, y: Value | undefined, unit: Unit | undefined): Point => {
    const x = partition.sortValue(place)
    if (unit === undefined ? !isNumeric(x) : !(x instanceof Date)) {
      throw new ExpressionError(name, needsX(unit !== undefined))
    }
    if (!isNumeric(y)) throw new ExpressionError(name, NEEDS_Y)
    return { x: x instanceof Date ? x.getTime() : toNumber(x as number), y: toNumber(y) }
  }
  return {
    name,
    doc,
    window: takesWindow,
    sort: 'one',
    parse: (argument, context) => {
      const options = readOptions(argument, name, ['input', 'unit'], context)
      if (options.input === undefined) throw new Refusal(context.where, `${name} needs input`)
      const input = parseExpression(options.input, at(context, 'input'))
      const inner = at(context, 'unit')
      const unit = options.unit === undefined ? undefined : parseUnit(options.unit, inner)
      const millis = unit === undefined ? 1 : UTC_MS[unit]
      if (millis === undefined) {
        const fixed = UNITS.filter(one => UTC_MS[one] !== undefined)
        throw new Refusal(inner.where, `is a unit of fixed length: ${fixed.join(', ')}`)
      }
      return {
        operands: [input],
        run: partition => {
          const read = (place: number) =>
            point(partition, place, evaluateExpression(input, partition.environment(place)), unit)
          return Array.from({ length: partition.size }, (_, i) => {
            const [from, to] = partition.frame(i)
            return value(read, from, to, millis)
          })
        },
        sql: window => {
          const y = window.context.expression(input)
          return y && sql({ x: window.sortValue, y, hasUnit: unit !== undefined, millis, window })
        },
        ...(before && {
          before: ({ context: compile, sortValue: x, ordered }) => {
            const y = compile.expression(input)
            return y && before({ x, y, hasUnit: unit !== undefined }, ordered)
          },
        }),
        toJson: () => ({ [name]: { input: expressionToJson(input), ...(unit === undefined ? {} : { unit }) } }),
      }
    },
  }
}
