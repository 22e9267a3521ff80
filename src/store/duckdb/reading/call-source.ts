import { callFields } from '../../../calls/call-fields.js'
import type { FieldType } from '../../../calls/field-type.js'
import { type Fragment, type Source, type SourceColumn, sql } from '../../../pipeline/index.js'
import { derivedColumns } from '../call-columns.js'
import { quoted } from '../column-type.js'

/** What of a column is left without its texts. @param left its type then */
function leftOf(column: string, type: FieldType, left: FieldType | undefined): SourceColumn['withoutText'] {
  if (left === undefined) return 'missing'
  return left === type ? 'same' : { sql: keptSql(column, type, left), type: left }
}

/** SQL that makes of a value one with the fields of another type only. */
function keptSql(value: string, type: FieldType, left: FieldType): string {
  if (type === left) return value
  if (type.kind === 'list' && left.kind === 'list') {
    return `list_transform(${value}, lambda x: ${keptSql('x', type.of, left.of)})`
  }
  if (type.kind !== 'struct' || left.kind !== 'struct') throw new TypeError(`No SQL for what is left of ${value}`)
  const fields = [...left.fields].map(([name, field]) => {
    return `${quoted(name)} := ${keptSql(`(${value}).${quoted(name)}`, type.fields.get(name) ?? field, field)}`
  })
  return `case when ${value} is not null then struct_pack(${fields.join(', ')}) end`
}

/** The key of a session's id: the same hash as in call-columns.ts. */
export const keyOf = (id: Fragment): Fragment => sql`md5_number_lower(${id})`

/** The table of calls as the pipeline compiler sees it. */
export const callSource: Source = {
  table: 'calls',
  projectColumn: '"project_id"',
  agentColumn: '"agent_name"',
  startColumn: '"created_dt"',
  columns: [
    { name: '_id', sql: '"session_id"', type: { kind: 'string' }, required: true, withoutText: 'same' },
    ...callFields.map(({ name, type, required, withoutText }) => ({
      name,
      sql: quoted(name),
      type,
      required,
      isObject: type.kind === 'open',
      withoutText: leftOf(quoted(name), type, withoutText),
    })),
  ],
  order: ['"created_dt"', '"session_id"'],
  derived: [
    ...derivedColumns.map(({ name, field, required, holdsText }) => ({
      name,
      sql: quoted(name),
      type: field,
      required,
      withoutText: holdsText ? ('missing' as const) : ('same' as const),
    })),
    // Writes are counted from 0, one for each import of 2,048 calls at most: 31 bits hold them.
    { name: 'write_number', sql: '"write_number"', type: { kind: 'int' }, required: true, withoutText: 'same' },
    // By which a part of the calls is chosen, the same one each time and whatever their ids are like: 0 to 4,095.
    {
      name: 'id_hash',
      sql: '("session_key" % 4096)::INTEGER',
      type: { kind: 'int' },
      required: true,
      withoutText: 'same',
    },
  ],
  // Where a call stands: see writeNumber.
  lookup: { key: session => sql`"session_key" = ${keyOf(session)}`, place: '"write_number"' },
}
