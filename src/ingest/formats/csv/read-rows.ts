import { isUtf8 } from 'node:buffer'
import { CsvError, parse } from 'csv-parse/sync'
import type { CsvHeader } from './csv-columns.js'

export const NOT_UTF8 = 'holds bytes that are not UTF-8: save the table as CSV UTF-8'
const BEYOND_ASCII = /[\u0080-\u00ff]/

/** A row of a table, or why it can't be taken: with its cells where they tell at least which call it is of. */
export type CsvRow =
  | { readonly line: number; readonly cells: readonly string[] }
  | { readonly line: number; readonly cells: readonly string[]; readonly fault: string }
  | { readonly line: number; readonly fault: string }

/** Reads rows of a table. A fault in one costs only itself. @param first line at which the rows begin, from 1 */
export function readRows(piece: Uint8Array, header: CsvHeader, first: number): readonly CsvRow[] {
  const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)
  if (isUtf8(bytes)) return parsed(bytes.toString('utf8'), header, first)
  // What is between cells and rows is ASCII: cells are found by single bytes just as well, and then each is read by itself.
  return parsed(bytes.toString('latin1'), header, first).map(row =>
    'cells' in row ? decoded(row.line, row.cells) : row,
  )
}

/** A row of cells in UTF-8, of one whose characters are single bytes. */
function decoded(line: number, single: readonly string[]): CsvRow {
  let isSpoilt = false
  const cells = single.map(cell => {
    if (!BEYOND_ASCII.test(cell)) return cell
    const bytes = Buffer.from(cell, 'latin1')
    if (isUtf8(bytes)) return bytes.toString('utf8')
    isSpoilt = true
    return cell
  })
  return isSpoilt ? { line, cells, fault: NOT_UTF8 } : { line, cells }
}

function parsed(text: string, { columns, delimiter }: CsvHeader, first: number): readonly CsvRow[] {
  const options = {
    delimiter,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    info: true,
    bom: false,
  } as const
  let rows: readonly { readonly record: readonly string[]; readonly info: { readonly lines: number } }[]
  try {
    rows = parse(text, options) as unknown as typeof rows
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    return [{ line: first + Math.max(0, (Number(error['lines']) || 1) - 1), fault: faultOf(error) }]
  }
  return rows.map(({ record, info }) => {
    // `lines` counts up to the row's end; it began so many line feeds before.
    const inside = record.reduce((count, cell) => count + (cell.match(/\n/g)?.length ?? 0), 0)
    const line = first + info.lines - 1 - inside
    const cells = record.slice(0, columns.length)
    const isFull = record.length >= columns.length && record.slice(columns.length).every(cell => cell === '')
    if (isFull) return { line, cells }
    return { line, fault: `has ${record.length} fields where the header names ${columns.length} columns` }
  })
}

function faultOf(error: CsvError): string {
  if (error.code === 'CSV_QUOTE_NOT_CLOSED') return 'begins a quoted text that is not closed'
  if (error.code === 'CSV_INVALID_CLOSING_QUOTE') return 'has text after the end of a quoted field'
  return 'is not a row of CSV'
}
