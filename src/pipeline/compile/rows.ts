import { type Fragment, sql } from './sql.js'

/** Rows that a step reads: of a table or of a step before it, all or those that meet a condition. */
export interface Rows {
  readonly table: Fragment
  readonly where?: Fragment
}

/** Those of the rows that meet one more condition. */
export function filtered({ table, where }: Rows, condition: Fragment): Rows {
  return { table, where: where === undefined ? sql`(${condition})` : sql`${where} and (${condition})` }
}

/** FROM and WHERE. */
export function fromSql({ table, where }: Rows): Fragment {
  return where === undefined ? sql` from ${table}` : sql` from ${table} where ${where}`
}
