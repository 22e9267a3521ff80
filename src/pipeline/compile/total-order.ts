import { isSortable } from './sortable.js'
import { keylessSql, valueKeySql } from './order-key.js'
import type { OrderKey } from './relation.js'
import { type Fragment, isReference, sql } from './sql.js'
import type { SqlExpression } from './types.js'

const isSame = (a: Fragment, b: Fragment) =>
  a === b || (a.names !== undefined && a.names === b.names && isReference(a) && isReference(b))

/**
 * An order that goes by some keys first and then by the order there was (rule "documents of equal keys"), without keys that
 * tell nothing more: those that stand before already, and those behind all that identify a row.
 */
export function thenBy(first: readonly OrderKey[], there: readonly OrderKey[]): readonly OrderKey[] {
  const identifying = there.filter(({ identifies }) => identifies === true)
  // What identifies rows may be among the first: nothing behind it is needed then.
  const marked = first.map((key): OrderKey => {
    const same = identifying.find(one => isSame(one.sql, key.sql))
    return same === undefined ? key : { ...same, descending: key.descending }
  })
  let unknown = identifying.length
  const keys: OrderKey[] = []
  for (const key of [...marked, ...there]) {
    if (keys.some(one => isSame(one.sql, key.sql))) continue
    keys.push(key)
    if (key.identifies === true) unknown -= 1
    if (identifying.length > 0 && unknown === 0) break
  }
  return keys
}

const ascending = (key: Fragment): OrderKey => ({ sql: key, descending: false, identifies: true, ofGroups: true })

/** The order of groups: by their key (rule "groups in order"). */
export function groupOrder(id: SqlExpression): readonly OrderKey[] {
  const { type, sql: value, parts } = id
  if (type.kind === 'nothing') return []
  if (isSortable(type)) return [ascending(value)]
  if (type.kind === 'double') {
    // The engine has NaN above all numbers: NULL, false, true.
    const isNumber: readonly OrderKey[] = type.finite ? [] : [{ sql: sql`not isnan(${value})`, descending: false }]
    return [...isNumber, ascending(value)]
  }
  if (type.kind === 'struct' && parts !== undefined && type.absent === 'never') {
    const all = [...parts.values()]
    // A field that may be missing shifts those behind it.
    if (all.every(part => part.type.absent !== 'missing' && part.type.absent !== 'either'))
      return all.flatMap(groupOrder)
  }
  const key = valueKeySql(id)
  // Documents and arrays within JSON have no key: they go by their text.
  const byText = ascending(sql`(${value})::varchar`)
  if (key === undefined) return [byText]
  return keylessSql(id) === undefined ? [ascending(key)] : [{ sql: key, descending: false }, byText]
}
