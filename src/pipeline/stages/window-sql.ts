import { orderBy, type CompileContext } from '../compile/compile-context.js'
import { failsWhen } from '../compile/fails.js'
import { valueKeySql } from '../compile/order-key.js'
import type { Column, OrderKey, Relation } from '../compile/relation.js'
import { type Fragment, sql, trusted } from '../compile/sql.js'
import type { SqlExpression } from '../compile/types.js'
import type { SqlWindow } from '../windows/window-function.js'
import { type Bound, type WindowFrame, isWhole } from '../windows/window-frame.js'
import { setPathSql } from './set-path-sql.js'
import type { WindowSpec } from './set-window-fields.js'
import { orderKeys } from './sort.js'

/** Names of columns of our own; no caller's field can have them, since a field may not start with a blank here. */
const PARTITION = ' partition'
const NUMBER = ' number'

const bound = (at: Bound, side: 'preceding' | 'following'): Fragment => {
  if (at === 'unbounded') return sql`unbounded ${trusted(side)}`
  if (at === 'current' || at === 0) return sql`current row`
  // A whole number of our own reading.
  return trusted(`${Math.abs(at)} ${at < 0 ? 'preceding' : 'following'}`)
}

/** The frame of a window by places; a range by values is the evaluator's work. */
function frameSql(frame: WindowFrame | undefined): Fragment | undefined {
  if (frame === undefined || isWhole(frame)) return sql`rows between unbounded preceding and unbounded following`
  if (frame.kind === 'range') return undefined
  return sql`rows between ${bound(frame.lower, 'preceding')} and ${bound(frame.upper, 'following')}`
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
  refuse(sql`json_type(${key.sql}) = 'ARRAY'`)
  context.inexactWhen(sql`json_type(${key.sql}) = 'OBJECT'`)
  return { sql: sql`coalesce(${key.sql}, 'null')`, type: { ...key.type, absent: 'never' } }
}

/** Rows numbered in the order of partitions and sort: every window goes by that number, so that ties fall the same way. */
function numbered(
  { partitionBy, sortBy }: WindowSpec,
  relation: Relation,
  context: CompileContext,
): { readonly rows: Relation; readonly partition: Fragment; readonly keys: readonly OrderKey[] } | undefined {
  const compiled = partitionBy === undefined ? undefined : context.expression(partitionBy)
  if (partitionBy !== undefined && compiled === undefined) return undefined
  const key = compiled && partitionKey(compiled, context)
  if (compiled !== undefined && key === undefined) return undefined
  const keys = orderKeys(sortBy, relation, context)
  if (keys === undefined) return undefined
  const partition: SqlExpression = key ?? { sql: sql`0`, type: { kind: 'int', bits: 1, absent: 'never' } }
  const place = valueKeySql(partition)
  if (place === undefined) return undefined
  const held = context.step({
    ...relation,
    columns: [
      ...relation.columns,
      { ...partition, name: PARTITION },
      { name: NUMBER, sql: place, type: { kind: 'nothing', absent: 'null' } },
    ],
    order: [...keys, ...relation.order],
  })
  const placeColumn = held.columns.at(-1)
  const order = [{ sql: placeColumn!.sql, descending: false }, ...held.order]
  const number = sql`row_number() over (${orderBy(order)})`
  const rows = context.step({
    ...held,
    columns: [
      ...held.columns.slice(0, -1),
      { name: NUMBER, sql: number, type: { kind: 'int', bits: 53, absent: 'never' } },
    ],
    order: held.order.slice(0, keys.length),
    materialized: true,
  })
  return { rows, partition: rows.columns.at(-2)!.sql, keys: rows.order }
}

/** $setWindowFields as window functions of the engine, or `undefined` where one would not be exact. */
export function windowSql(spec: WindowSpec, relation: Relation, context: CompileContext): Relation | undefined {
  const base = numbered(spec, relation, context)
  if (base === undefined) return undefined
  const { rows, partition } = base
  const number = rows.columns.at(-1)!.sql
  const columns: Column[] = rows.columns.slice(0, -2)
  const inside = context.over({ ...rows, columns: rows.columns.slice(0, -2) })
  const by = sql`partition by ${partition}`
  const ordered = sql`(${by} order by ${number})`
  const peers = base.keys.length === 0 ? undefined : sql`(${by}${orderBy(base.keys)})`
  for (const { path, call, frame } of spec.outputs) {
    const framing = frameSql(frame)
    const window: SqlWindow = {
      context: inside,
      framed: framing && sql`(${by} order by ${number} ${framing})`,
      ordered,
      // Nothing to sort by leaves all documents equal.
      peers: peers ?? (spec.sortBy.length > 0 ? sql`(${by})` : undefined),
      holdsCurrent: holdsCurrent(frame),
    }
    const value = call.sql(window)
    const [name, ...rest] = path
    if (name === undefined || value === undefined || value.type.absent === 'either') return undefined
    const place = columns.findIndex(column => column.name === name)
    const set = setPathSql(place === -1 ? undefined : columns[place], rest, value)
    if (set === undefined) return undefined
    if (place === -1) columns.push({ ...set, name })
    else columns[place] = { ...set, name }
  }
  return context.step({ columns, from: rows.from, order: [{ sql: number, descending: false }] })
}
