import { callFields } from '../../calls/call-fields.js'
import { type Source, sql } from '../../pipeline/index.js'
import { derivedColumns } from './call-columns.js'
import { quoted } from './column-type.js'

/** The table of calls as the pipeline compiler sees it. */
export const callSource: Source = {
  table: 'calls',
  projectColumn: '"project_id"',
  agentColumn: '"agent_name"',
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
  derived: derivedColumns.map(({ name, field, required }) => ({ name, sql: quoted(name), type: field, required })),
  // The same hash as in call-columns.ts.
  lookup: session => sql`"session_key" = md5_number_lower(${session})`,
}
