import type { Column } from '../compile/relation.js'
import type { SqlExpression } from '../compile/types.js'
import type { FieldPath } from '../path.js'
import { setPathSql } from './set-path-sql.js'

/** A value and the path it is set at. */
export interface PathValue {
  readonly path: FieldPath
  readonly value: SqlExpression
}

/** The columns with values set at paths, one after the other; `undefined` where the engine would not be exact. */
export function setColumns(columns: readonly Column[], values: readonly PathValue[]): readonly Column[] | undefined {
  const set = new Map(columns.map(column => [column.name, column]))
  let last = columns.at(-1)?.name
  for (const { path, value } of values) {
    const [name, ...rest] = path
    if (name === undefined) return undefined
    const old = set.get(name)
    const made = setPathSql(old, rest, value)
    if (made === undefined) return undefined
    const isLate = old !== undefined && (old.late === true || (old.type.absent !== 'never' && name !== last))
    set.set(name, { ...made, name, ...(isLate ? { late: true } : {}) })
    if (old === undefined) last = name
  }
  return [...set.values()]
}
