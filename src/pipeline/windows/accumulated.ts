import type { Accumulator, AccumulatorCall } from '../accumulators/accumulator.js'
import { adviseArgument } from '../accumulators/advise-argument.js'
import { numbersSql } from '../accumulators/numbers-sql.js'
import { ALL_BULK, MOST_BULK, bulkOf } from '../compile/bulk.js'
import { isSortable } from '../compile/sortable.js'
import { type Fragment, sql } from '../compile/sql.js'
import type { SqlExpression, SqlType } from '../compile/types.js'
import { parseExpression } from '../expressions/parse-expression.js'
import { type Value, isArray } from '../value.js'
import type { Partition, SqlWindow, WindowCall, WindowFunction } from './window-function.js'

const NOTHING: SqlExpression = { sql: sql`null`, type: { kind: 'nothing', absent: 'null' } }

type WindowSql = (operand: SqlExpression, over: Fragment, window: SqlWindow) => SqlExpression | undefined

/** The sum over a window: the same as $sum over a group, each aggregate with the window behind it. */
const sumOver: WindowSql = (operand, over) => {
  const numbers = numbersSql(operand)
  if (numbers === 'nothing') return { sql: sql`0::bigint`, type: { kind: 'int', bits: 1, absent: 'never' } }
  const { sql: value, type, isInt } = numbers
  if (type.kind === 'int') {
    if (type.bits > 63) return undefined
    const long = type.long === undefined ? {} : { long: type.long }
    return type.bits <= 31
      ? {
          sql: sql`coalesce(sum(${value}) over ${over}, 0)::bigint`,
          type: { kind: 'int', bits: 62, ...long, absent: 'never' },
        }
      : {
          sql: sql`coalesce(sum(${value}::hugeint) over ${over}, 0)`,
          type: { kind: 'int', bits: 100, ...long, absent: 'never' },
        }
  }
  if (type.kind !== 'double' || (type.mixed !== undefined && isInt === undefined)) return undefined
  const exact = sql`fsum(${value}) over ${over}`
  // Over no numbers at all the sum is the int 0; integers alone make an integer.
  const whole =
    isInt === undefined
      ? sql`(count(${value}) over ${over} = 0)`
      : sql`coalesce(bool_and(${isInt}) filter (where ${value} is not null) over ${over}, true)`
  return {
    sql: sql`coalesce(case when isfinite(${exact}) then ${exact} else sum(${value}) over ${over} end, 0)`,
    type: { kind: 'double', finite: false, mixed: isInt === undefined ? 1 : 53, absent: 'never' },
    isInt: whole,
  }
}

const avgOver: WindowSql = (operand, over) => {
  const numbers = numbersSql(operand)
  if (numbers === 'nothing') return NOTHING
  const value = sql`${numbers.sql}::double`
  const exact = sql`favg(${value}) over ${over}`
  return {
    sql: sql`(case when isfinite(${exact}) then ${exact} else avg(${value}) over ${over} end)`,
    type: { kind: 'double', finite: false, absent: 'null' },
  }
}

/** An extreme of values that the engine orders as BSON does. */
const extremeOver =
  (least: boolean): WindowSql =>
  ({ sql: value, type, isInt }, over, { holdsCurrent }) => {
    if (type.kind === 'nothing') return NOTHING
    const isPlain = type.kind === 'int' || type.kind === 'string' || type.kind === 'date' || type.kind === 'bool'
    if (!isPlain && !(type.kind === 'double' && type.finite)) return undefined
    if (type.kind === 'double' && type.mixed !== undefined && isInt === undefined) return undefined
    const absent = holdsCurrent && type.absent === 'never' ? 'never' : 'null'
    const [name, which] = least ? [sql`min`, sql`arg_min`] : [sql`max`, sql`arg_max`]
    return {
      sql: sql`${name}(${value}) over ${over}`,
      type: { ...type, absent },
      ...(isInt === undefined ? {} : { isInt: sql`${which}(${isInt}, ${value}) over ${over}` }),
    }
  }

const pushOver: WindowSql = (operand, over, { width, whole }) => {
  const { sql: value, type } = operand
  if (type.absent === 'either' || type.kind === 'nothing' || type.kind === 'open') return undefined
  // A list has no place for the second half of a mixed number.
  if (type.kind === 'double' && type.mixed !== undefined) return undefined
  const filter = type.absent === 'missing' ? sql` filter (where ${value} is not null)` : sql``
  const of: SqlType = { ...type, absent: type.absent === 'missing' ? 'never' : type.absent }
  // A whole partition is one list that all its documents refer to; nothing more may be made of it. Other windows have a
  // list for each.
  const bulk = whole !== undefined ? ALL_BULK : { items: width, size: width * bulkOf(operand).size }
  if (bulk.size > MOST_BULK) return undefined
  return {
    sql: sql`coalesce(list(${value})${filter} over ${over}, [])`,
    type: { kind: 'list', of, absent: 'never' },
    bulk,
  }
}

/** Of a whole partition only: what differs is found anew for each window that moves. */
const addToSetOver: WindowSql = ({ sql: value, type }, over, { whole }) => {
  if (whole === undefined || (type.absent !== 'missing' && type.absent !== 'never') || !isSortable(type))
    return undefined
  return {
    sql: sql`coalesce(list(distinct ${value} order by ${value}) filter (where ${value} is not null) over ${over}, [])`,
    type: { kind: 'list', of: { ...type, absent: 'never' }, absent: 'never' },
    bulk: ALL_BULK,
  }
}

/** The accumulators that are another in the engine's windows than over its groups, and have no `over` of their own. */
const WINDOW_SQL: Readonly<Record<string, WindowSql>> = {
  $sum: sumOver,
  $avg: avgOver,
  $min: extremeOver(true),
  $max: extremeOver(false),
  $push: pushOver,
  $addToSet: addToSetOver,
}

function callSql(name: string, call: AccumulatorCall, window: SqlWindow): SqlExpression | undefined {
  const { context } = window
  const over = name === '$push' ? window.framed : (window.whole ?? window.framed ?? window.ranged)
  if (over === undefined) return undefined
  if (name === '$count') {
    return { sql: sql`count(*) over ${over}`, type: { kind: 'int', bits: 53, absent: 'never' } }
  }
  const compute = WINDOW_SQL[name]
  if (compute === undefined) return call.over?.(context, sql` over ${over}`)
  const operand = call.operands[0] && context.expression(call.operands[0])
  if (operand === undefined) return undefined
  const result = compute(operand, over, window)
  return result && operand.fails !== undefined ? { ...result, fails: operand.fails } : result
}

/** A result that a gathering may still add to is copied. */
const kept = (value: Value): Value => (isArray(value) ? [...value] : value)

/** The values of all windows; one that only grew since the last document's goes on where that one ended. */
function gather(call: AccumulatorCall, partition: Partition): readonly Value[] {
  let gathering = call.start()
  let last: { readonly from: number; readonly to: number; readonly value: Value } | undefined
  return Array.from({ length: partition.size }, (_, i) => {
    const [from, to] = partition.frame(i)
    if (last?.from === from && last.to === to) return last.value
    const grows = last !== undefined && from === last.from && to > last.to
    if (!grows) gathering = call.start()
    for (let place = grows ? last!.to : from; place < to; place += 1) gathering.add(partition.environment(place))
    last = { from, to, value: kept(gathering.result()) }
    return last.value
  })
}

/** An accumulator over the documents of a window, the whole partition when none is given. */
export function accumulated(accumulator: Accumulator): WindowFunction {
  return {
    name: accumulator.name,
    doc: accumulator.doc,
    window: 'optional',
    sort: 'free',
    parse: (argument, context): WindowCall => {
      const call = accumulator.parse(argument, context, parseExpression)
      adviseArgument(accumulator.name, argument, call, context)
      return {
        operands: call.operands,
        gives: typeOf => call.gives?.(typeOf),
        run: partition => gather(call, partition),
        sql: window => callSql(accumulator.name, call, window),
        toJson: () => call.toJson() as object,
      }
    },
  }
}
