import { isSortable } from '../../compile/sortable.js'
import { type Taken, take } from '../../compile/take.js'
import type { Fragment } from '../../compile/sql.js'
import type { SqlExpression, SqlType } from '../../compile/types.js'
import { commonType } from '../../compile/unify.js'

/** Lists that the engine can treat as sets: of scalars of one type, null among them only where it is told so. */
export function takeSets(
  operator: string,
  operands: readonly SqlExpression[],
  nulls: 'null in order' | 'null' | 'wrong',
  elements: 'never null' | 'null too' = 'never null',
):
  | { readonly taken: Taken; readonly lists: readonly Fragment[]; readonly type: SqlType & { readonly kind: 'list' } }
  | undefined {
  const taken = take(operands, { operator, wanted: 'list', wants: 'arrays', nulls })
  const type = taken && commonType(taken.operands.map(one => one.type))
  if (taken === undefined || type?.kind !== 'list' || operands.length === 0) return undefined
  if (!isSortable(type.of) || (elements === 'never null' && type.of.absent !== 'never')) return undefined
  return { taken, lists: taken.operands.map(one => one.sql), type }
}
