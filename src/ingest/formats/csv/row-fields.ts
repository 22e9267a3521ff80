import { numberOf } from '../../mapping/apply-map.js'
import { fieldWord } from '../../mapping/field-word.js'
import { targetType } from '../../mapping/map-targets.js'
import { toInstant } from '../../mapping/to-instant.js'
import type { Fault } from '../../piece.js'
import type { Table } from './table-format.js'

/** The cells of a row by the names of their columns: what mappings read from. */
export function documentOf(cells: readonly string[], { header }: Table): Record<string, string> {
  return Object.fromEntries(header.columns.map((column, index) => [column, cells[index]?.trim() ?? '']))
}

/** The record's fields that a row holds; empty cells are left out, columns that are no field go to session_metadata. */
export function fieldsOfRow(
  cells: readonly string[],
  { header, fields }: Table,
  timeZone: string | undefined,
): { readonly record: Record<string, unknown> } | { readonly fault: Fault } {
  const record: Record<string, unknown> = {}
  const metadata: Record<string, unknown> = {}
  for (const [index, column] of header.columns.entries()) {
    const cell = cells[index]?.trim() ?? ''
    const field = fields.get(index)
    if (cell === '' || field?.startsWith('turn.') === true) continue
    if (field === undefined) {
      if (column !== '') metadata[column] = cell
      continue
    }
    const type = targetType(field)?.kind
    if (type === 'date') {
      const time = toInstant(cell, timeZone)
      if ('message' in time) return { fault: { path: field, message: time.message } }
      record[field] = time.instant
    } else {
      const value = type === 'double' || type === 'int' ? numberOf(cell) : fieldWord(field, cell)
      const [parent = field, name] = field.split('.')
      if (name === undefined) record[field] = value
      else if (parent === 'session_metadata') metadata[name] = value
      else record[parent] = { ...(record[parent] as object | undefined), [name]: value }
    }
  }
  if (Object.keys(metadata).length > 0) record['session_metadata'] = metadata
  return { record }
}
