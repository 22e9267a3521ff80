import { fieldSql } from '../compile/field-sql.js'
import { objectSql } from '../compile/compile-expression.js'
import { lambdaName } from '../compile/lambda.js'
import { narrowedObject } from '../compile/open-object-sql.js'
import { type Fragment, sql } from '../compile/sql.js'
import { isOpaqueKind, type SqlExpression, type SqlType } from '../compile/types.js'
import type { RuleTree } from './projection.js'

/**
 * A struct or list of structs with only the included (or without the excluded) fields; `nothing` when no value can
 * have any of them (a scalar); `undefined` = not exact.
 */
export function narrowColumn(
  column: SqlExpression,
  fields: RuleTree,
  mode: 'include' | 'exclude',
): SqlExpression | 'nothing' | undefined {
  const { type } = column
  if (type.kind === 'list') {
    if (type.of.kind !== 'struct' || type.of.absent !== 'never') return undefined
    const element = lambdaName()
    const inner = narrowColumn({ sql: element, type: type.of }, fields, mode)
    if (inner === undefined || inner === 'nothing') return undefined
    return {
      sql: sql`list_transform(${column.sql}, lambda ${element}: ${inner.sql})`,
      type: { ...type, of: inner.type },
    }
  }
  if (type.kind === 'open') {
    const rules = Object.values(fields)
    if (type.object !== true || rules.some(({ kind }) => kind !== mode)) return undefined
    return { sql: narrowedObject(column.sql, Object.keys(fields), mode), type }
  }
  if (isOpaqueKind(type.kind)) return undefined
  if (type.kind !== 'struct') return 'nothing'
  const kept: (readonly [string, SqlExpression])[] = []
  // Fields of a struct that is there: what NULL means is the field's own matter.
  const inside: SqlExpression = { sql: column.sql, type: { ...type, absent: 'never' } }
  for (const name of type.fields.keys()) {
    const rule = Object.hasOwn(fields, name) ? fields[name] : undefined
    const field = fieldSql(inside, name)
    if (rule?.kind === 'inside') {
      const inner = narrowColumn(field, rule.fields, mode)
      if (inner === undefined) return undefined
      if (inner !== 'nothing') kept.push([name, inner])
      else if (mode === 'exclude') kept.push([name, field])
    } else if ((rule?.kind === 'include') === (mode === 'include') && rule?.kind !== 'exclude') {
      kept.push([name, field])
    }
  }
  const packed = objectSql(kept)
  if (packed === undefined) return undefined
  return type.absent === 'never'
    ? packed
    : {
        sql: whenThere(column.sql, packed.sql),
        type: absentAs(packed.type, type),
        ...(packed.parts && { parts: packed.parts }),
      }
}

const whenThere = (there: Fragment, value: Fragment): Fragment =>
  sql`(case when ${there} is null then null else ${value} end)`

const absentAs = (type: SqlType, like: SqlType): SqlType => ({ ...type, absent: like.absent })
