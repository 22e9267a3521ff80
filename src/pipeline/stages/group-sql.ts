import type { Output } from './outputs.js'
import type { CompileContext } from '../tree.js'
import type { Column, OrderKey, Relation } from '../compile/relation.js'
import { bulkOf, gatheredBulk } from '../compile/bulk.js'
import { groupOrder } from '../compile/total-order.js'
import { isOpaque } from '../compile/opaque.js'
import { valueKeySql } from '../compile/order-key.js'
import { noting } from '../compile/noting.js'
import { packed } from '../compile/compile-expression.js'
import { type Fragment, isReference, join, sql } from '../compile/sql.js'
import type { Parts, SqlExpression } from '../compile/types.js'

/** Name of the key's own column. It is told from a field of the same name by its place: it comes last. */
const KEY = ' key'

interface Grouping {
  /** What the rows are grouped by. */
  readonly key: SqlExpression
  /** The key is the same for all rows; over no rows there is no group all the same (rule "no documents, no groups"). */
  readonly constant: boolean
  /** The document's _id over the key's column. */
  id(key: Column): SqlExpression | undefined
  order?(key: Column): readonly OrderKey[]
  readonly outputs: readonly Output[]
  /** Columns of our own behind them, of what engine's aggregates give. */
  readonly more?: readonly Column[]
}

/** Accumulators that keep values as they are. */
const GATHERED_AS_IS = new Set(['$first', '$last', '$push', '$top', '$topN', '$bottom', '$bottomN'])

/** Groups rows by a key: the accumulators run over the rows that hold it. `undefined` where one would not be exact. */
export function groupSql(relation: Relation, context: CompileContext, grouping: Grouping): Relation | undefined {
  const { key, constant, outputs } = grouping
  if (isOpaque(key.type) && valueKeySql(key) === undefined) return undefined
  // The key is a column of a step of its own: its parameters would differ between SELECT and GROUP BY.
  const { groupedBy } = key
  const { sql: by } = groupedBy ?? key
  const atHand = constant || isAtHand(key)
  if (atHand && key.fails !== undefined) context.mayFail(key.fails)
  const keyed = atHand
    ? relation
    : context.step({ ...relation, columns: [...relation.columns, { ...key, sql: by, name: KEY }] })
  const keyColumn: Column = atHand ? { ...key, name: KEY } : keyed.columns.at(-1)!
  const inside = context.over(atHand ? relation : { ...keyed, columns: keyed.columns.slice(0, -1) })
  // A document is grouped by field: the engine compares those faster, and each can be read by itself.
  const parts = keyColumn.parts && flat(keyColumn.parts)
  const isPacked = parts !== undefined && key.type.absent === 'never'
  const ofGroup = groupedBy === undefined ? keyColumn : { ...keyColumn, sql: groupedBy.value(keyColumn.sql) }
  const whole = isPacked ? { ...keyColumn, ...packed(parts) } : ofGroup
  const id = grouping.id(constant ? { name: KEY, sql: constantSql(key), type: key.type } : whole)
  if (id === undefined) return undefined
  const { isInt } = keyColumn
  // Equal numbers are one group, whether they are integers or doubles.
  const mixed = isInt === undefined ? {} : { isInt: constant ? key.isInt! : sql`bool_or(${isInt})` }
  const columns: Column[] = [
    {
      ...id,
      ...(id.type.kind === 'double' ? mixed : {}),
      ...(isPacked ? { parts } : {}),
      name: '_id',
    },
  ]
  for (const { name, operator, call } of outputs) {
    const operands: SqlExpression[] = []
    const compiled = call.sql(noting(inside, operands))
    const isLookedInto = !GATHERED_AS_IS.has(operator) && operands.some(({ type }) => isOpaque(type))
    const exact = compiled === undefined || compiled.type.absent === 'either' || isLookedInto ? undefined : compiled
    const bulk = exact?.type.kind === 'list' ? gatheredBulk(operands) : exact && bulkOf(exact)
    if (exact === undefined || bulk === undefined) {
      context.keptOut(operator)
      return undefined
    }
    columns.push({ ...exact, bulk, name })
  }
  columns.push(...(grouping.more ?? []))
  const tail: Fragment = constant
    ? sql` having count(*) > 0`
    : sql` group by ${
        isPacked
          ? join(
              [...parts.values()].map(part => part.sql),
              ', ',
            )
          : keyColumn.sql
      }`
  return context.step({
    columns,
    from: keyed.from,
    order: constant ? [] : (grouping.order?.(keyColumn) ?? groupOrder(columns[0]!)),
    tail,
  })
}

/** A document of fields that are there already: it needs no step to be made in. */
const isAtHand = ({ parts, type }: SqlExpression): boolean =>
  parts !== undefined && type.absent === 'never' && [...parts.values()].every(part => isReference(part.sql))

/** Parts without the parts of documents in them: each is grouped by as a whole. */
const flat = (parts: Parts): Parts =>
  new Map([...parts].map(([name, { sql: value, type }]) => [name, { sql: value, type }]))

/** A key without its rows: nothing but null, or a literal's parameter. */
const constantSql = (key: SqlExpression): Fragment => (key.type.kind === 'nothing' ? sql`null` : key.sql)
