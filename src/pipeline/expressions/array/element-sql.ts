import { type Fragment, sql } from '../../compile/sql.js'
import { type Taken, given } from '../../compile/take.js'
import { type SqlExpression, joinAbsent } from '../../compile/types.js'

/**
 * An element of a list, counted from 1 or from the end by -1 as the engine does. There is none out of range, which is
 * missing; of a list that is null or missing it is null, as where the element itself is.
 * @param end it is the first or the last one
 */
export function elementSql(taken: Taken, place: Fragment, end: boolean): SqlExpression | undefined {
  const list = taken.operands[0]
  if (list?.type.kind !== 'list') return undefined
  const { of } = list.type
  const inRange = sql`abs(${place}) between 1 and len(${list.sql})`
  const isNull =
    of.absent === 'never' ? sql`(${list.sql} is null)` : sql`(${list.sql} is null or coalesce(${inRange}, false))`
  const inside = end && list.filled === true ? of.absent : joinAbsent(of.absent, 'missing')
  const absent = joinAbsent(inside, taken.absent)
  const element = given(taken, sql`(${list.sql})[${place}]`, of)
  return { ...element, type: { ...of, absent }, ...(absent === 'either' ? { isNull } : {}) }
}
