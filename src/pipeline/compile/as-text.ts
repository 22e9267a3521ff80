import type { Column } from './relation.js'
import { sql } from './sql.js'
import type { SqlType } from './types.js'

/**
 * Whether a value's JSON says all of it, beside its type: of longs and numbers that JSON lacks it does not, nor of a JSON
 * value whether it is null or missing.
 */
function isPlain(type: SqlType): boolean {
  switch (type.kind) {
    case 'string':
    case 'bool':
    case 'date':
      return true
    case 'open':
      return type.absent !== 'missing' || type.object === true
    case 'double':
      return type.finite && type.mixed === undefined
    case 'int':
      return type.bits <= 53 && type.long !== true
    case 'list':
      return isPlain(type.of)
    case 'struct':
      return [...type.fields.values()].every(isPlain)
    default:
      return false
  }
}

/**
 * A column of lists or documents as the text of its JSON, where that is exact: the engine writes it in its own threads,
 * and it crosses ours as one string instead of value by value.
 */
export function asText(column: Column): Column {
  const { type, sql: value } = column
  const nested = type.kind === 'list' || type.kind === 'struct'
  if (!nested || !isPlain(type)) return column
  return { ...column, sql: sql`(case when ${value} is not null then to_json(${value})::varchar end)`, text: true }
}
