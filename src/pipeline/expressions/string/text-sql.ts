import { jsonKind } from '../../compile/json-kind.js'
import type { CompileContext } from '../../tree.js'
import { type Fragment, bind, sql } from '../../compile/sql.js'
import { typeNameSql } from '../../compile/type-name-sql.js'
import type { SqlExpression } from '../../compile/types.js'
import { numberTextSql } from './number-text-sql.js'

/** A text, never NULL, and what may fail while it is read. */
export interface TextSql {
  readonly sql: Fragment
  /** The same, but NULL where the value is null or missing. */
  readonly orNull: Fragment
  readonly fails: Fragment | undefined
}

const text = (value: Fragment): TextSql => ({ sql: value, orNull: value, fails: undefined })

const orEmpty = (value: Fragment): TextSql => ({ ...text(value), sql: sql`coalesce(${value}, '')` })

/** JSON values: strings and numbers. */
function ofOpen(operator: string, operand: SqlExpression, context: CompileContext): TextSql | undefined {
  const { sql: value } = operand
  const name = typeNameSql(operand)
  const printed = numberTextSql(jsonKind.ifNumber(value), context)
  if (name === undefined || printed === undefined) return undefined
  const wants = `${operator} takes strings, numbers and dates, not `
  return {
    ...orEmpty(sql`(case when ${jsonKind.isString(value)} then ${value} ->> '$' else ${printed} end)`),
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
  if (type.kind === 'int' && type.bits <= 63) return orEmpty(sql`${value}::varchar`)
  if (type.kind === 'double') {
    const printed = numberTextSql(value, context)
    return printed && orEmpty(printed)
  }
  if (type.kind === 'open') return ofOpen(operator, operand, context)
  if (type.kind !== 'string') return undefined
  return type.absent === 'never' ? text(value) : orEmpty(value)
}
