import { jsonKind } from './json-kind.js'
import { type Fragment, sql } from './sql.js'
import type { SqlExpression } from './types.js'

/** Whether the value is null or missing, never NULL itself. */
export function isNullish({ sql: value, type }: SqlExpression): Fragment {
  if (type.kind === 'nothing') return sql`true`
  if (type.kind === 'open') return sql`(${value} is null or ${jsonKind.isNull(value)})`
  return type.absent === 'never' ? sql`false` : sql`(${value} is null)`
}

/** Whether the value can't be null or missing. */
export function isAlwaysThere({ type }: SqlExpression): boolean {
  return type.absent === 'never' && type.kind !== 'nothing' && type.kind !== 'open'
}
