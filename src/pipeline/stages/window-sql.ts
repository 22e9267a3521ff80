import { jsonKind } from '../compile/json-kind.js'
import type { CompileContext } from '../tree.js'
import { orderBy } from '../compile/order-by.js'
import { failsWhen } from '../compile/fails.js'
import { DOUBLE_BITS } from '../compile/is-int-sql.js'
import { isSortable } from '../compile/sortable.js'
import { keylessSql, valueKeySql } from '../compile/order-key.js'
import { noting } from '../compile/noting.js'
import { isOpaque } from '../compile/opaque.js'
import { thenBy } from '../compile/total-order.js'
import type { Column, Relation } from '../compile/relation.js'
import { type Fragment, bind, sql, trusted } from '../compile/sql.js'
import type { SqlExpression } from '../compile/types.js'
import type { SqlWindow, WindowCall } from '../windows/window-function.js'
import { DAY_MS, THOUSAND_YEARS_MS, UTC_MS, type Unit } from '../expressions/date/units.js'
import { type Bound, type WindowFrame, isWhole, rangeNeeds } from '../windows/window-frame.js'
import { type PathValue, setColumns } from './set-columns.js'
import type { WindowSpec } from './window-spec.js'
import { orderKeys } from './sort.js'

/** Names of columns of our own. They are told from fields of the same name by their place: they come last. */
const PARTITION = ' partition'
const PLACE = ' place'
const NUMBER = ' number'
const REACH = ' reach'
const BEFORE = ' before'

const bound = (at: Bound, side: 'preceding' | 'following'): Fragment => {
  if (at === 'unbounded') return sql`unbounded ${trusted(side)}`
  if (at === 'current' || at === 0) return sql`current row`
  // A whole number of our own reading.
  return trusted(`${Math.abs(at)} ${at < 0 ? 'preceding' : 'following'}`)
}

/** The frame of a window by places; of one by values, where none of its sides is a value. */
function frameSql(frame: WindowFrame | undefined): Fragment | undefined {
  if (frame === undefined || isWhole(frame)) return sql`rows between unbounded preceding and unbounded following`
  const { kind, lower, upper } = frame
  if (kind === 'range' && (typeof lower === 'number' || typeof upper === 'number')) return undefined
  return sql`rows between ${bound(lower, 'preceding')} and ${bound(upper, 'following')}`
}

/** Longest range over dates in the engine, in milliseconds: a thousand years keep within what a TIMESTAMP holds. */
const LONGEST = THOUSAND_YEARS_MS

/** Milliseconds of a unit; those of no one length count as a year, which errs on the safe side. */
const longest = (unit: Unit) => UTC_MS[unit] ?? 366 * DAY_MS

/** A side of a range: how far its values lie from the one at hand. */
function rangeBound(at: Bound, side: 'preceding' | 'following', unit: Unit | undefined): Fragment | undefined {
  // The document at hand is no value: see isMixed.
  if (at === 'current') return undefined
  if (at === 'unbounded') return sql`unbounded ${trusted(side)}`
  if (at === 0) return sql`current row`
  const away = Math.abs(at)
  const direction = trusted(at < 0 ? 'preceding' : 'following')
  if (unit === undefined) return sql`${bind(away, 'DOUBLE')} ${direction}`
  if (away * longest(unit) > LONGEST) return undefined
  // A whole number of our own reading and a unit of our own list; a quarter is no unit of the engine's intervals.
  const [amount, name] = unit === 'quarter' ? [away * 3, 'month'] : [away, unit]
  return sql`${trusted(`interval '${amount} ${name}'`)} ${direction}`
}

/** The value that ranges go by, or `undefined` where the engine's would be another. What is no such value fails. */
function rangeKey(spec: WindowSpec, unit: Unit | undefined, context: CompileContext): Fragment | undefined {
  const value = context.expression({ kind: 'field', path: spec.sortBy[0]!.path })
  if (value === undefined) return undefined
  const { type } = value
  const isNumber = (type.kind === 'int' && type.bits <= DOUBLE_BITS) || (type.kind === 'double' && type.finite)
  if (unit === undefined ? !isNumber : type.kind !== 'date') return undefined
  if (type.absent !== 'never') {
    context.mayFail(failsWhen(sql`${value.sql} is null`, '$setWindowFields', rangeNeeds(unit)))
  }
  return isNumber ? sql`${value.sql}::double` : value.sql
}

/** A window by values of which each side is a value or unbounded. */
function rangeSql({ lower, upper, unit }: WindowFrame, by: Fragment, key: Fragment): Fragment | undefined {
  const from = rangeBound(lower, 'preceding', unit)
  const to = rangeBound(upper, 'following', unit)
  return from && to && sql`(${by} order by ${key} range between ${from} and ${to})`
}

/** Whether one side of a range is the document at hand and the other a value: the engine has no such window. */
const isMixed = ({ kind, lower, upper }: WindowFrame) =>
  kind === 'range' &&
  (lower === 'current' ? typeof upper === 'number' : upper === 'current' && typeof lower === 'number')

/** To how many documents before or after the one at hand a mixed range reaches. */
function reachSql({ lower, upper, unit }: WindowFrame, by: Fragment, key: Fragment, number: Fragment) {
  const toLast = upper === 'current'
  // All with the value at hand are counted in; of those the ones beyond the document are taken off again.
  const counted = rangeSql({ kind: 'range', lower: toLast ? lower : 0, upper: toLast ? 0 : upper, unit }, by, key)
  if (counted === undefined) return undefined
  const ties = toLast
    ? sql`count(*) over (${by} order by ${key} range between unbounded preceding and current row) - ${number}`
    : sql`${number} - rank() over (${by} order by ${key})`
  return sql`(count(*) over ${counted} - 1 - (${ties}))`
}

/** A window of documents without its first one. */
function stepsSql(frame: WindowFrame | undefined): Fragment | undefined {
  const framing = frameSql(frame)
  if (framing === undefined || frame === undefined || frame.lower === 'unbounded') return framing
  const { kind, lower, upper } = frame
  const from = (lower === 'current' ? 0 : lower) + 1
  if (kind === 'range' || (upper !== 'unbounded' && from > (upper === 'current' ? 0 : upper))) return undefined
  return frameSql({ ...frame, lower: from })
}

/** How many documents a window holds at most. */
function widthOf(frame: WindowFrame | undefined): number {
  if (frame === undefined || (frame.kind === 'range' && (frame.lower !== 'current' || frame.upper !== 'current')))
    return Infinity
  if (frame.lower === 'unbounded' || frame.upper === 'unbounded') return Infinity
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
  const order = thenBy(keys, relation.order)
  // Keys that read the same count once.
  const own = thenBy(keys, []).length
  if (partitionBy === undefined) {
    const rows = context.step({ ...relation, order })
    return { rows, columns: rows.columns, partition: undefined, place: undefined, keys: own }
  }
  const compiled = context.expression(partitionBy)
  const key = compiled && partitionKey(compiled, context)
  const place = key && (isSortable(key.type) ? key.sql : placeSql(key, context))
  if (key === undefined || place === undefined) return undefined
  const placed: Column = { name: PLACE, sql: place, type: { kind: 'nothing', absent: 'null' } }
  const rows = context.step({ ...relation, columns: [...relation.columns, { ...key, name: PARTITION }, placed], order })
  const [partition, at] = rows.columns.slice(-2)
  return { rows, columns: rows.columns.slice(0, -2), partition: partition!.sql, place: at!.sql, keys: own }
}

/** The order and frame that rows are numbered and looked at in. */
interface Placed {
  readonly rows: Relation
  readonly columns: readonly Column[]
  readonly partition: Fragment | undefined
  readonly place: Fragment | undefined
  /** `partition by … order by …` */
  readonly within: Fragment
  /** The frame of a mixed range by places. */
  reach(frame: WindowFrame): Fragment | undefined
  /** What a function computes before, as a column. */
  before(call: WindowCall): SqlExpression | undefined
}

const partitionBy = (partition: Fragment | undefined) =>
  partition === undefined ? sql`` : sql`partition by ${partition}`

/** The one field sorted by, where there is one and it is not the rows' place. */
const sortedBy = ({ sortBy: [only] }: WindowSpec, context: CompileContext): SqlExpression | undefined =>
  only && context.expression({ kind: 'field', path: only.path })

/**
 * Rows with their numbers, with how far mixed ranges reach and with what functions compute before, in a step of its own:
 * windows do not stand in windows. `undefined` where that would not be exact.
 */
function placed(base: Sorted, spec: WindowSpec, context: CompileContext): Placed | undefined {
  const { rows, columns, partition, place } = base
  // Windows of one partition and order are sorted once, so that equal documents stand in one order for all of them.
  const by = partitionBy(partition)
  const within = sql`${by}${orderBy(rows.order)}`
  const mixed = spec.outputs.flatMap(({ frame }) => (frame !== undefined && isMixed(frame) ? [frame] : []))
  const preparing = spec.outputs.map(({ call }) => call).filter(call => call.before !== undefined)
  if (mixed.length + preparing.length === 0) {
    return { rows, columns, partition, place, within, reach: () => undefined, before: () => undefined }
  }
  const operands: SqlExpression[] = []
  const inside = noting(context.over({ ...rows, columns }), operands)
  const number = sql`row_number() over (${within})`
  const counted: Column[] = [{ name: NUMBER, sql: number, type: { kind: 'int', bits: 53, absent: 'never' } }]
  for (const frame of mixed) {
    const key = rangeKey(spec, frame.unit, inside)
    const reach = key && reachSql(frame, by, key, number)
    if (reach === undefined) return undefined
    counted.push({ name: REACH, sql: reach, type: { kind: 'int', bits: 53, absent: 'never' } })
  }
  const windows = {
    context: inside,
    ordered: sql`(${within})`,
    running: sql`(${within} rows between unbounded preceding and current row)`,
    sortValue: sortedBy(spec, inside),
  }
  for (const call of preparing) {
    const before = call.before?.(windows)
    if (before === undefined) return undefined
    counted.push({ ...before, name: BEFORE })
  }
  if (operands.some(({ type }) => isOpaque(type))) return undefined
  const own = rows.columns.length
  const next = context.step({ ...rows, columns: [...rows.columns, ...counted] })
  const [numbered, ...more] = next.columns.slice(own)
  const [placedPartition, placedPlace] = partition === undefined ? [] : next.columns.slice(columns.length, own)
  return {
    rows: next,
    columns: next.columns.slice(0, columns.length),
    partition: placedPartition?.sql,
    place: placedPlace?.sql,
    within: sql`${partitionBy(placedPartition?.sql)} order by ${numbered!.sql}`,
    reach: frame => {
      const reach = mixed.includes(frame) ? more[mixed.indexOf(frame)] : undefined
      if (reach === undefined) return undefined
      return frame.lower === 'current'
        ? sql`rows between current row and ${reach.sql} following`
        : sql`rows between ${reach.sql} preceding and current row`
    },
    before: call => (preparing.includes(call) ? more[mixed.length + preparing.indexOf(call)] : undefined),
  }
}

/** $setWindowFields as window functions of the engine, or `undefined` where one would not be exact. */
export function windowSql(spec: WindowSpec, relation: Relation, context: CompileContext): Relation | undefined {
  const base = sorted(spec, relation, context)
  const at = base && placed(base, spec, context)
  if (base === undefined || at === undefined) return undefined
  const { rows, columns: own, partition, place, within } = at
  const values: PathValue[] = []
  const operands: SqlExpression[] = []
  const inside = noting(context.over({ ...rows, columns: own }), operands)
  const by = partitionBy(partition)
  const peers = base.keys === 0 ? sql`(${by})` : sql`(${by}${orderBy(rows.order.slice(0, base.keys))})`
  for (const { path, operator, call, frame } of spec.outputs) {
    // What a mixed range goes by was looked at when its reach was counted.
    const reach = frame && at.reach(frame)
    const key = frame?.kind === 'range' && reach === undefined ? rangeKey(spec, frame.unit, inside) : undefined
    if (frame?.kind === 'range' && (reach ?? key) === undefined) return undefined
    const framing = reach ?? frameSql(frame)
    const steps = stepsSql(frame)
    const window: SqlWindow = {
      context: inside,
      by,
      framed: framing && sql`(${within} ${framing})`,
      ranged: frame && key && rangeSql(frame, by, key),
      ordered: sql`(${within})`,
      remaining: sql`(${within} rows between current row and unbounded following)`,
      running: sql`(${within} rows between unbounded preceding and current row)`,
      // Nothing to sort by leaves all documents equal.
      peers: base.keys > 0 || spec.sortBy.length > 0 ? peers : undefined,
      holdsCurrent: holdsCurrent(frame),
      width: widthOf(frame),
      whole: isWhole(frame) ? sql`(${by})` : undefined,
      sortValue: sortedBy(spec, inside),
      steps: steps && sql`(${within} ${steps})`,
      before: at.before(call),
    }
    const value = call.sql(window)
    if (value === undefined || value.type.absent === 'either' || operands.some(({ type }) => isOpaque(type))) {
      context.keptOut(operator)
      return undefined
    }
    values.push({ path, value })
  }
  const columns = setColumns(own, values)
  if (columns === undefined) return undefined
  const order = place === undefined ? rows.order : thenBy([{ sql: place, descending: false }], rows.order)
  return context.step({ columns, from: rows.from, order })
}
