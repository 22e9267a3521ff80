import type { Table } from './table-format.js'

/**
 * The table as some rows are read that belong together: where none of them says a field and a mapping names another column for that
 * (`FIELD?=COLUMN`), that column is the field.
 */
export function tableFor(rows: readonly { readonly cells: readonly string[] }[], table: Table): Table {
  const { fields, instead } = table
  // Most tables have no such mapping, and then nothing is looked at.
  if (instead.size === 0) return table
  const own = new Map(fields)
  for (const [index, other] of instead) {
    const field = fields.get(index)
    // A column that is a field itself stays that: the mapping reads it a second time.
    if (field === undefined || own.has(other) || rows.some(({ cells }) => (cells[index] ?? '').trim() !== '')) continue
    own.delete(index)
    own.set(other, field)
  }
  return { ...table, fields: own }
}
