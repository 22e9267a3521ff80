import type { CompileContext } from '../../compile/compile-context.js'
import { type Fragment, bind, sql } from '../../compile/sql.js'
import { jsonIsNumber, typeNameSql } from '../../compile/type-name-sql.js'
import type { SqlExpression } from '../../compile/types.js'
import { numberTextSql } from './number-text-sql.js'

/** A text, never NULL, and what may fail while it is read. */
export interface TextSql {
  readonly sql: Fragment
  readonly fails: Fragment | undefined
}

const text = (value: Fragment): TextSql => ({ sql: value, fails: undefined })

/** JSON values: strings and numbers. */
function ofOpen(operator: string, operand: SqlExpression, context: CompileContext): TextSql | undefined {
  const { sql: value } = operand
  const name = typeNameSql(operand)
  const number = sql`(case when ${jsonIsNumber(value)} then try_cast(${value} as double) end)`
  const printed = numberTextSql(number, context)
  if (name === undefined || printed === undefined) return undefined
  const wants = `${operator} takes strings, numbers and dates, not `
  return {
    sql: sql`coalesce(case when json_type(${value}) = 'VARCHAR' then ${value} ->> '$' else ${printed} end, '')`,
    fails: sql`(case when json_type(${value}) in ('BOOLEAN', 'OBJECT', 'ARRAY') then ${bind(wants, 'VARCHAR')} || ${name} end)`,
  }
}

/**
 * A value as textOf reads it, for what the engine prints exactly: strings and numbers. Null and missing are the empty
 * text. `undefined` for the rest.
 */
export function textSql(operator: string, operand: SqlExpression, context: CompileContext): TextSql | undefined {
  const { type, sql: value } = operand
  if (type.kind === 'nothing') return text(sql`''`)
  if (type.kind === 'int' && type.bits <= 63) return text(sql`coalesce(${value}::varchar, '')`)
  if (type.kind === 'double') {
    const printed = numberTextSql(value, context)
    return printed && text(sql`coalesce(${printed}, '')`)
  }
  if (type.kind === 'open') return ofOpen(operator, operand, context)
  if (type.kind !== 'string') return undefined
  return text(type.absent === 'never' ? value : sql`coalesce(${value}, '')`)
}
