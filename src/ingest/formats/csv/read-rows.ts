import { CsvError, parse } from 'csv-parse/sync'
import type { CsvHeader } from './csv-columns.js'

/** A row of a table, or why it is none. */
export type CsvRow =
  | { readonly line: number; readonly cells: readonly string[] }
  | { readonly line: number; readonly fault: string }

/** Parses rows of a table. A fault in one costs only itself. @param first line at which the rows begin, from 1 */
export function readRows(text: string, { columns, delimiter }: CsvHeader, first: number): readonly CsvRow[] {
  const options = {
    delimiter,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    info: true,
    bom: false,
  } as const
  let parsed: readonly { readonly record: readonly string[]; readonly info: { readonly lines: number } }[]
  try {
    parsed = parse(text, options) as unknown as typeof parsed
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    return [{ line: first + Math.max(0, (Number(error['lines']) || 1) - 1), fault: faultOf(error) }]
  }
  return parsed.map(({ record, info }) => {
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
