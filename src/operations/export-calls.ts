import { open, rm } from 'node:fs/promises'
import { z } from 'zod'
import { listed } from '../base/issue-sentence.js'
import { Problem } from '../base/problem.js'
import { echo } from '../base/text.js'
import { callRecord } from '../calls/call-record.js'
import { CALL_LINES, exportCalls } from '../questions/export/export-calls.js'
import { callTables, TABLE_FORMATS } from '../store/duckdb/tables/call-tables.js'
import { FileAnswer, operation, StreamAnswer } from './operation.js'

const text = z
  .enum(['full', 'none'])
  .default('full')
  .meta({ description: 'none: without what was said, and who customers are' })

/** All calls of a project, for an administrator. */
export const exportProject = operation({
  method: 'GET',
  url: '/api/v1/export',
  access: 'administrator',
  secondPerson: true,
  summary: 'Export calls',
  description:
    'Every call of the project, whole, as NDJSON that the import takes again: a record a line, in the order of created_dt and then session_id, all of one instant. The same calls are the same bytes at every export. `x-total-count` says how many there are. An answer that breaks off is not whole: the connection ends without its last chunk.',
  query: z.strictObject({
    format: z
      .enum(CALL_LINES)
      .default('records')
      .meta({ description: 'records: as import takes them; vcon: a vCon (IETF draft) a line' }),
    text,
  }),
  lines: callRecord,
  rows: answer => (answer instanceof StreamAnswer ? answer.total : 0),
  run: async ({ store }, request, caller) => {
    const { total, lines } = await exportCalls(store, { caller, ...request.query(), signal: request.signal })
    return new StreamAnswer(total, lines)
  },
})

const TABLE_TYPES = { parquet: 'application/vnd.apache.parquet', csv: 'text/csv; charset=utf-8' } as const

/** A table of a project's calls for a warehouse. */
export const exportTable = operation({
  method: 'GET',
  url: '/api/v1/export/tables/:table',
  access: 'administrator',
  secondPerson: (_, request) => {
    assertTable(request.param('table' as never), 'full')
    return true
  },
  summary: 'Export a table',
  description: `The calls of the project as a table for warehouses and spreadsheets: ${listed(callTables('full').map(({ name }) => name))}. All but calls are joined to it by session_id. One export is made at a time, projects in turn: 2 of a key and 6 of a project wait, more are refused (429). In CSV, text that begins like a formula has an apostrophe ahead, and times are ISO 8601.`,
  query: z.strictObject({ format: z.enum(TABLE_FORMATS).default('parquet'), text }),
  example: { query: { format: 'csv' } },
  file: Object.values(TABLE_TYPES),
  run: async ({ tableExports }, request, caller) => {
    const only = request.param('table')
    assertTable(only, 'full')
    const { format, text: heard } = request.query()
    assertTable(only, heard)
    const { folder, tables } = await tableExports.write({ caller, format, text: heard, only, signal: request.signal })
    try {
      const [written] = tables
      if (written === undefined) throw new Error(`no table ${only} was written`)
      // It is read on after its name is gone, and so leaves nothing behind.
      return await FileAnswer.of(await open(written.path), { type: TABLE_TYPES[format], name: `${only}.${format}` })
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
})

/** @throws Problem `not_found` that lists the tables there are */
function assertTable(name: string, heard: 'none' | 'full'): void {
  const names = callTables(heard).map(table => table.name)
  if (!names.includes(name))
    throw new Problem('not_found', `Table not found: ${echo(name)} (there are ${listed(names)})`)
}
