import { jsonKind } from '../compile/json-kind.js'
import type { CompileContext } from '../tree.js'
import { orderBy } from '../compile/order-by.js'
import { failsWhen } from '../compile/fails.js'
import { DOUBLE_BITS } from '../compile/is-int-sql.js'
import { isSortable } from '../compile/sortable.js'
import { keylessSql, valueKeySql } from '../compile/order-key.js'
import type { Column, OrderKey, Relation } from '../compile/relation.js'
import { type Fragment, bind, sql, trusted } from '../compile/sql.js'
import type { SqlExpression } from '../compile/types.js'
import type { SqlWindow } from '../windows/window-function.js'
import { DAY_MS, THOUSAND_YEARS_MS, UTC_MS, type Unit } from '../expressions/date/units.js'
import { type Bound, type WindowFrame, isWhole, rangeNeeds } from '../windows/window-frame.js'
import { type PathValue, setColumns } from './set-columns.js'
import type { WindowSpec } from './window-spec.js'
import { orderKeys } from './sort.js'

/** Names of columns of our own. They are told from fields of the same name by their place: they come last. */
const PARTITION = ' partition'
const PLACE = ' place'

const bound = (at: Bound, side: 'preceding' | 'following'): Fragment => {
  if (at === 'unbounded') return sql`unbounded ${trusted(side)}`
  if (at === 'current' || at === 0) return sql`current row`
  // A whole number of our own reading.
  return trusted(`${Math.abs(at)} ${at < 0 ? 'preceding' : 'following'}`)
}

/** The frame of a window by places. */
function frameSql(frame: WindowFrame | undefined): Fragment | undefined {
  if (frame === undefined || isWhole(frame)) return sql`rows between unbounded preceding and unbounded following`
  if (frame.kind === 'range') return undefined
  return sql`rows between ${bound(frame.lower, 'preceding')} and ${bound(frame.upper, 'following')}`
}

/** Longest range over dates in the engine, in milliseconds: a thousand years keep within what a TIMESTAMP holds. */
const LONGEST = THOUSAND_YEARS_MS

/** Milliseconds of a unit; those of no one length count as a year, which errs on the safe side. */
const longest = (unit: Unit) => UTC_MS[unit] ?? 366 * DAY_MS

/** A side of a range: how far its values lie from the one at hand. */
function rangeBound(at: Bound, side: 'preceding' | 'following', unit: Unit | undefined): Fragment | undefined {
  if (at === 'unbounded') return sql`unbounded ${trusted(side)}`
  if (at === 'current' || at === 0) return sql`current row`
  const away = Math.abs(at)
  const direction = trusted(at < 0 ? 'preceding' : 'following')
  if (unit === undefined) return sql`${bind(away, 'DOUBLE')} ${direction}`
  if (away * longest(unit) > LONGEST) return undefined
  // A whole number of our own reading and a unit of our own list; a quarter is no unit of the engine's intervals.
  const [amount, name] = unit === 'quarter' ? [away * 3, 'month'] : [away, unit]
  return sql`${trusted(`interval '${amount} ${name}'`)} ${direction}`
}

/** A window by the values sorted by, or `undefined` where the engine's would be another. What is no such value fails. */
function rangeSql(spec: WindowSpec, frame: WindowFrame, by: Fragment, context: CompileContext): Fragment | undefined {
  const value = context.expression({ kind: 'field', path: spec.sortBy[0]!.path })
  if (value === undefined) return undefined
  const { type } = value
  const isNumber = (type.kind === 'int' && type.bits <= DOUBLE_BITS) || (type.kind === 'double' && type.finite)
  const lower = rangeBound(frame.lower, 'preceding', frame.unit)
  const upper = rangeBound(frame.upper, 'following', frame.unit)
  if (lower === undefined || upper === undefined) return undefined
  if (frame.unit === undefined ? !isNumber : type.kind !== 'date') return undefined
  if (type.absent !== 'never') {
    context.mayFail(failsWhen(sql`${value.sql} is null`, '$setWindowFields', rangeNeeds(frame.unit)))
  }
  const key = isNumber ? sql`${value.sql}::double` : value.sql
  return sql`(${by} order by ${key} range between ${lower} and ${upper})`
}

/** How many documents a window holds at most. */
function widthOf(frame: WindowFrame | undefined): number {
  if (frame?.kind !== 'documents' || frame.lower === 'unbounded' || frame.upper === 'unbounded') return Infinity
  const place = (at: Bound) => (typeof at === 'number' ? at : 0)
  return Math.max(0, place(frame.upper) - place(frame.lower) + 1)
}

function holdsCurrent(frame: WindowFrame | undefined): boolean {
  if (frame === undefined) return true
  const isBelow = frame.lower === 'unbounded' || frame.lower === 'current' || frame.lower <= 0
  return isBelow && (frame.upper === 'unbounded' || frame.upper === 'current' || frame.upper >= 0)
}

/** The key rows are partitioned by: null and missing are one, an array is an error. */
function partitionKey(key: SqlExpression, context: CompileContext): SqlExpression | undefined {
  const refuse = (isArray: Fragment) =>
    context.mayFail(failsWhen(isArray, '$setWindowFields', 'can not partition by an array'))
  if (key.type.kind === 'list') return undefined
  if (key.type.kind !== 'open') return { ...key, type: { ...key.type, absent: 'null' } }
  refuse(jsonKind.isArray(key.sql))
  const exact = context.exactUnless(jsonKind.isObject(key.sql), key.sql)
  return { sql: sql`coalesce(${exact}, 'null')`, type: { ...key.type, absent: 'never' } }
}

/** Where a partition stands among the others. */
function placeSql(key: SqlExpression, context: CompileContext): Fragment | undefined {
  const place = valueKeySql(key)
  const keyless = key.type.kind === 'open' ? undefined : keylessSql(key)
  return place && keyless ? context.exactUnless(keyless, place) : place
}

/** The rows with what they are partitioned by, and the order of partitions and within them. */
interface Sorted {
  readonly rows: Relation
  readonly columns: readonly Column[]
  readonly partition: Fragment | undefined
  /** The order of the partitions. */
  readonly place: Fragment | undefined
  /** How many of the rows' order keys are those of sortBy: the others were there before. */
  readonly keys: number
}

function sorted({ partitionBy, sortBy }: WindowSpec, relation: Relation, context: CompileContext): Sorted | undefined {
  const keys = orderKeys(sortBy, relation, context)
  if (keys === undefined) return undefined
  const order = [...keys, ...relation.order]
  if (partitionBy === undefined) {
    const rows = context.step({ ...relation, order })
    return { rows, columns: rows.columns, partition: undefined, place: undefined, keys: keys.length }
  }
  const compiled = context.expression(partitionBy)
  const key = compiled && partitionKey(compiled, context)
  const place = key && (isSortable(key.type) ? key.sql : placeSql(key, context))
  if (key === undefined || place === undefined) return undefined
  const placed: Column = { name: PLACE, sql: place, type: { kind: 'nothing', absent: 'null' } }
  const rows = context.step({ ...relation, columns: [...relation.columns, { ...key, name: PARTITION }, placed], order })
  const [partition, at] = rows.columns.slice(-2)
  return { rows, columns: rows.columns.slice(0, -2), partition: partition!.sql, place: at!.sql, keys: keys.length }
}

/** $setWindowFields as window functions of the engine, or `undefined` where one would not be exact. */
export function windowSql(spec: WindowSpec, relation: Relation, context: CompileContext): Relation | undefined {
  const base = sorted(spec, relation, context)
  if (base === undefined) return undefined
  const { rows, partition, place } = base
  const values: PathValue[] = []
  const inside = context.over({ ...rows, columns: base.columns })
  const by = partition === undefined ? sql`` : sql`partition by ${partition}`
  // Windows of one partition and order are sorted once, so that equal documents stand in one order for all of them.
  const within = sql`${by}${orderBy(rows.order)}`
  const peers = base.keys === 0 ? sql`(${by})` : sql`(${by}${orderBy(rows.order.slice(0, base.keys))})`
  const [only] = spec.sortBy
  for (const { path, call, frame } of spec.outputs) {
    const framing = frameSql(frame)
    const window: SqlWindow = {
      context: inside,
      framed: framing && sql`(${within} ${framing})`,
      ranged: frame?.kind === 'range' ? rangeSql(spec, frame, by, inside) : undefined,
      ordered: sql`(${within})`,
      remaining: sql`(${within} rows between current row and unbounded following)`,
      running: sql`(${within} rows between unbounded preceding and current row)`,
      // Nothing to sort by leaves all documents equal.
      peers: base.keys > 0 || spec.sortBy.length > 0 ? peers : undefined,
      holdsCurrent: holdsCurrent(frame),
      width: widthOf(frame),
      isWhole: isWhole(frame),
      sortValue: only && inside.expression({ kind: 'field', path: only.path }),
    }
    const value = call.sql(window)
    if (value === undefined || value.type.absent === 'either') return undefined
    values.push({ path, value })
  }
  const columns = setColumns(base.columns, values)
  if (columns === undefined) return undefined
  const order: OrderKey[] = [
    ...(place === undefined ? [] : [{ sql: place, descending: false }]),
    { sql: sql`row_number() over (${within})`, descending: false },
  ]
  return context.step({ columns, from: rows.from, order })
}
