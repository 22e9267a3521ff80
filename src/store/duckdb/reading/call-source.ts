import { callFields } from '../../../calls/call-fields.js'
import { type Source, sql } from '../../../pipeline/index.js'
import { derivedColumns } from '../call-columns.js'
import { quoted } from '../column-type.js'

/** The table of calls as the pipeline compiler sees it. */
export const callSource: Source = {
  table: 'calls',
  projectColumn: '"project_id"',
  agentColumn: '"agent_name"',
  startColumn: '"created_dt"',
  columns: [
    { name: '_id', sql: '"session_id"', type: { kind: 'string' }, required: true },
    ...callFields.map(({ name, type, required }) => ({
      name,
      sql: quoted(name),
      type,
      required,
      isObject: type.kind === 'open',
    })),
  ],
  order: ['"created_dt"', '"session_id"'],
  derived: [
    ...derivedColumns.map(({ name, field, required }) => ({ name, sql: quoted(name), type: field, required })),
    // Writes are counted from 0, one for each import of 2,048 calls at most: 31 bits hold them.
    { name: 'write_number', sql: '"write_number"', type: { kind: 'int' }, required: true },
  ],
  // The same hash as in call-columns.ts. First only the key is looked at, then the blocks of the write that put the call
  // where it stands: see writeNumber.
  lookup: (session, { table, restriction }) => {
    const byKey = sql`"session_key" = md5_number_lower(${session})`
    return sql`${byKey} and "write_number" in (select "write_number" from ${table} where ${restriction} and ${byKey})`
  },
}
