import { lambdaName } from '../compile/lambda.js'
import { valueKeySql } from '../compile/order-key.js'
import { isSortable } from '../compile/sortable.js'
import { type Fragment, sql } from '../compile/sql.js'
import type { SqlType } from '../compile/types.js'
import { compareValues, valueKey } from '../order.js'
import { listType } from '../given-type.js'
import type { Value } from '../value.js'
import { ofValues } from './of-values.js'

/** A list in the order of its values; documents and arrays within JSON go by their text. */
function ascending(list: Fragment, type: SqlType): Fragment | undefined {
  if (isSortable(type)) return sql`list_sort(${list})`
  const [value, keyed] = [lambdaName(), lambdaName()]
  const key = valueKeySql({ sql: value, type: { ...type, absent: 'never' } })
  if (key === undefined) return undefined
  const pairs = sql`list_transform(${list}, lambda ${value}: struct_pack(k := ${key}, v := ${value}))`
  return sql`list_transform(list_sort(${pairs}), lambda ${keyed}: ${keyed}.v)`
}

/** The different values, in their order; missing ones are skipped, null is kept. */
export const addToSet = ofValues({
  name: '$addToSet',
  doc: {
    form: '{ $addToSet: <expression> }',
    meaning:
      'The different values, ascending (MongoDB gives them in no order); missing ones are left out, null is kept.',
    example: { accumulator: { $addToSet: '$n' }, documents: [{ n: 7 }, { n: 7 }, {}], result: [7] },
  },
  gives: listType,
  start: () => {
    const values = new Map<string, Value>()
    return {
      add: value => {
        const key = valueKey(value)
        if (value !== undefined && !values.has(key)) values.set(key, value)
      },
      result: () => [...values.values()].toSorted(compareValues),
    }
  },
  sql: ({ sql: value, type }) => {
    // JSON texts are equal where their values are: they are all written in one way. list(distinct …) leaves NULL out, which is right only where NULL is missing.
    if (type.absent !== 'missing' && type.absent !== 'never') return undefined
    if (type.kind === 'nothing' || (type.kind === 'double' && type.mixed !== undefined)) return undefined
    const values = ascending(sql`list(distinct ${value}) filter (where ${value} is not null)`, type)
    return (
      values && {
        sql: sql`coalesce(${values}, [])`,
        type: { kind: 'list', of: { ...type, absent: 'never' }, absent: 'never' },
      }
    )
  },
})
