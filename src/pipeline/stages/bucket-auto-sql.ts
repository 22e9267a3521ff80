import { objectSql } from '../compile/compile-expression.js'
import { orderBy } from '../compile/order-by.js'
import { keylessSql, valueKeySql } from '../compile/order-key.js'
import type { Column, Relation } from '../compile/relation.js'
import { isSortable } from '../compile/sortable.js'
import { type Fragment, bind, join, sql } from '../compile/sql.js'
import { thenBy } from '../compile/total-order.js'
import type { SqlExpression } from '../compile/types.js'
import type { CompileContext, Expression } from '../tree.js'
import { groupSql } from './group-sql.js'
import type { Output } from './outputs.js'

/** Columns of our own. They are told from fields of the same name by their place: they come last. */
const column = (name: string, value: Fragment): Column => ({
  name,
  sql: value,
  type: { kind: 'int', bits: 53, absent: 'never' },
})

/** A value that is null where it was missing, and what orders it; `undefined` where the engine has no such order. */
function valueAndKey(value: SqlExpression, context: CompileContext) {
  const { type } = value
  if (isSortable(type)) return { value: { ...value, type: { ...type, absent: 'null' as const } }, key: value.sql }
  if (type.kind !== 'open') return undefined
  const there: SqlExpression = {
    ...value,
    sql: sql`coalesce(${value.sql}, 'null')`,
    type: { ...type, absent: 'never' },
  }
  const key = valueKeySql(there)
  const keyless = keylessSql(there)
  return key && { value: there, key: keyless === undefined ? key : context.exactUnless(keyless, key) }
}

interface Buckets {
  readonly groupBy: Expression
  readonly buckets: number
  readonly outputs: readonly Output[]
}

/** Most buckets whose ends the engine looks for, each among all values and in a step of its own. */
const MOST_BUCKETS = 50

/**
 * $bucketAuto: how many values there are up to each one, equal ones with it, is a window; where a bucket ends depends on where
 * the one before ended, which a step for each bucket finds. (1.5.6: a recursive query over a materialized one reads it at times before
 * it is there.)
 */
export function bucketAutoSql(spec: Buckets, relation: Relation, context: CompileContext): Relation | undefined {
  const { groupBy, buckets, outputs } = spec
  if (buckets > MOST_BUCKETS) return undefined
  const compiled = context.expression(groupBy)
  const by = compiled && valueAndKey(compiled, context)
  if (by === undefined) return undefined
  // Each is computed once, then sorted by: what gathers in an order goes by the value first.
  const keyed = context.step({
    ...relation,
    columns: [...relation.columns, { name: ' value', ...by.value }, column(' key', by.key)],
  })
  const [value, key] = keyed.columns.slice(-2) as [Column, Column]
  const order = thenBy([{ sql: key.sql, descending: false }], keyed.order)
  const peers = orderBy(order.slice(0, 1))
  const reaching = context.step({
    ...keyed,
    order,
    columns: [...keyed.columns, column(' reach', sql`count(*) over (${peers})`), column(' all', sql`count(*) over ()`)],
    materialized: 'always',
  })
  const [reach, all] = reaching.columns.slice(-2).map(one => one.sql) as [Fragment, Fragment]
  const reaches = context.step({
    columns: [column(' reach', reach)],
    from: reaching.from,
    order: [],
    tail: sql` group by ${reach}`,
    materialized: 'always',
  })
  const one = reaches.columns[0]!.sql
  // One row: how many values a bucket takes and there are, and behind them where each bucket ends.
  let ends = context.step({
    columns: [
      column(' size', sql`greatest(1, floor(max(${all}) / ${bind(buckets, 'DOUBLE')} + 0.5))::bigint`),
      column(' count', sql`max(${all})`),
    ],
    from: reaching.from,
    order: [],
    materialized: 'always',
  })
  for (let number = 1; number < buckets; number += 1) {
    const known = ends.columns.map(({ sql: value }) => value)
    const [size, count, ...before] = known as [Fragment, Fragment, ...Fragment[]]
    const after = sql`least(${before.at(-1) ?? sql`0`} + ${size}, ${count})`
    ends = context.step({
      columns: [
        ...known.map((value, place) => column(` end ${place}`, sql`min(${value})`)),
        column(` end ${known.length}`, sql`min(${one}) filter (where ${one} >= ${after})`),
      ],
      from: { table: sql`${reaches.from.table}, ${ends.from.table}` },
      order: [],
      materialized: 'always',
    })
  }
  const reached = ends.columns.slice(2).map(end => sql`(${end.sql} < ${reach})::integer`)
  const numbered = context.step({
    ...reaching,
    columns: [...reaching.columns.slice(0, -2), column(' bucket', join([sql`1`, ...reached], ' + '))],
    // A single bucket has no end that anything reads, and a step that nothing reads adds nothing up.
    from: reached.length === 0 ? reaching.from : { table: sql`${reaching.from.table}, ${ends.from.table}` },
  })
  const [low, , bucket] = numbered.columns.slice(-3) as [Column, Column, Column]
  const rows: Relation = { ...numbered, columns: numbered.columns.slice(0, -3) }
  // Values that are equal may look different in JSON, such as 1 and 1.0: the first and the last of them stand.
  const sorted = orderBy(rows.order)
  const isOpen = value.type.kind === 'open'
  const least = isOpen
    ? sql`first(${low.sql}${sorted})`
    : sql`(case when count(*) = count(${low.sql}) then min(${low.sql}) end)`
  const greatest = isOpen ? sql`last(${low.sql}${sorted})` : sql`max(${low.sql})`
  const grouped = groupSql(rows, context.over(rows), {
    key: bucket,
    constant: false,
    id: one => one,
    order: one => [{ sql: one.sql, descending: false, identifies: true }],
    outputs,
    more: [
      { name: ' min', sql: least, type: low.type },
      { name: ' max', sql: greatest, type: low.type },
    ],
  })
  if (grouped === undefined) return undefined
  const [number, ...rest] = grouped.columns as [Column, ...Column[]]
  const [min, max] = rest.slice(-2) as [Column, Column]
  const within = orderBy(grouped.order)
  const isLast = sql`row_number() over (order by ${number.sql} desc) = 1`
  const id = objectSql([
    ['min', min],
    ['max', { ...max, sql: sql`(case when ${isLast} then ${max.sql} else lead(${min.sql}) over (${within}) end)` }],
  ])
  return id && context.step({ ...grouped, columns: [{ ...id, name: '_id' }, ...rest.slice(0, -2)] })
}
