import { type Field, callFields } from '../../../calls/call-fields.js'
import type { FieldType } from '../../../calls/field-type.js'
import { quoted } from '../column-type.js'

/** What tables are written as. */
export const TABLE_FORMATS = ['parquet', 'csv'] as const
export type TableFormat = (typeof TABLE_FORMATS)[number]

/** A column of a table for warehouses. */
export interface TableColumn {
  readonly name: string
  /** As DuckDB and most warehouses name it. */
  readonly type: 'VARCHAR' | 'DOUBLE' | 'INTEGER' | 'BOOLEAN' | 'TIMESTAMPTZ'
  /** SQL of its value, of a row of `piece`, or of `e`, an entry of one of its lists. */
  readonly sql: string
  /** The fields on the way to it from the record. */
  readonly path: readonly string[]
}

/** A table for warehouses. */
export interface CallTable {
  readonly name: string
  /** The list of the record whose entries are its rows; undefined: a row a call. */
  readonly list: string | undefined
  readonly columns: readonly TableColumn[]
}

/** What a table is called where the field says less. */
const TABLE_NAMES: Readonly<Record<string, string>> = { transcript: 'turns' }

const SCALARS = { string: 'VARCHAR', double: 'DOUBLE', int: 'INTEGER', bool: 'BOOLEAN', date: 'TIMESTAMPTZ' } as const

/** The columns of a field: one of a scalar, those of its fields of an object, JSON of what has any shape or length. */
function columnsOf(name: string, sql: string, type: FieldType, path: readonly string[]): readonly TableColumn[] {
  if (type.kind === 'struct') {
    return [...type.fields].flatMap(([field, inner]) =>
      columnsOf(`${name}_${field}`, `${sql}.${quoted(field)}`, inner, [...path, field]),
    )
  }
  const isJson = type.kind === 'open' || type.kind === 'list'
  return [{ name, type: isJson ? 'VARCHAR' : SCALARS[type.kind], sql: isJson ? `to_json(${sql})::VARCHAR` : sql, path }]
}

/** Every file that tables may be written as, of whatever texts. */
export function tableFiles(): readonly string[] {
  return callTables('full').flatMap(({ name }) => TABLE_FORMATS.map(format => `${name}.${format}`))
}

const ID: TableColumn = { name: 'session_id', type: 'VARCHAR', sql: 'session_id', path: ['session_id'] }

const isTable = ({ type }: Pick<Field, 'type'>) => type.kind === 'list' && type.of.kind === 'struct'

/**
 * The record as tables: `calls`, and one for each list of it, joined by `session_id`. Derived from the record's schema, so
 * that a new field is a column. @param text none: without the fields that hold what was said or who a customer is
 */
export function callTables(text: 'full' | 'none'): readonly CallTable[] {
  const fields = callFields.flatMap(field => {
    const type = text === 'full' ? field.type : field.withoutText
    return type === undefined ? [] : [{ name: field.name, type }]
  })
  const calls: CallTable = {
    name: 'calls',
    list: undefined,
    columns: fields
      .filter(field => !isTable(field))
      .flatMap(({ name, type }) => columnsOf(name, quoted(name), type, [name])),
  }
  const lists = fields.flatMap(({ name, type }): CallTable[] => {
    if (type.kind !== 'list' || type.of.kind !== 'struct') return []
    const position: TableColumn = { name: 'position', type: 'INTEGER', sql: 'position', path: [] }
    const own = [...type.of.fields].flatMap(([field, inner]) =>
      columnsOf(field, `e.${quoted(field)}`, inner, [name, field]),
    )
    return [{ name: TABLE_NAMES[name] ?? name, list: name, columns: [ID, position, ...own] }]
  })
  return [calls, ...lists]
}
