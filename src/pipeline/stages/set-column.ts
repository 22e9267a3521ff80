import type { Column } from '../compile/relation.js'
import type { SqlExpression } from '../compile/types.js'
import type { FieldPath } from '../path.js'
import { setPathSql } from './set-path-sql.js'

/** The columns with a value set at a path; `undefined` where the engine would not be exact. */
export function setColumn(columns: readonly Column[], path: FieldPath, value: SqlExpression): Column[] | undefined {
  const [name, ...rest] = path
  if (name === undefined) return undefined
  const old = columns.find(column => column.name === name)
  const set = setPathSql(old, rest, value)
  if (set === undefined) return undefined
  if (old === undefined) return [...columns, { ...set, name }]
  const isLate = old.late === true || (old.type.absent !== 'never' && old !== columns.at(-1))
  return columns.map(column => (column === old ? { ...set, name, ...(isLate ? { late: true } : {}) } : column))
}
