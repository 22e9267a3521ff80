import { callFields } from '../../calls/call-fields.js'
import type { RawRecord } from '../piece.js'
import type { Reading } from '../reading.js'
import { conversationOf } from './conversation/conversation-of.js'
import type { Speech } from './conversation/speech.js'
import type { CsvRow } from './csv/read-rows.js'
import { documentOf, fieldsOfRow } from './csv/row-fields.js'
import { tableFor } from './csv/table-for.js'
import { columnOf, type Table, tableFormat } from './csv/table-format.js'
import { turnSeconds } from './csv/turn-seconds.js'

const turnFields = ['speaker', 'text', 'start_s', 'start_ms', 'end_s', 'end_ms', 'start', 'end'].map(
  name => `turn.${name}`,
)
const callWide = callFields.flatMap(({ name, type }) =>
  ['string', 'date', 'double'].includes(type.kind) && name !== 'title' ? [name] : [],
)

type Cells = Extract<CsvRow, { readonly cells: readonly string[] }>

/** The rows of one call, which stand together. */
function* callsOf(rows: readonly Cells[], { fields, instead }: Table): Generator<readonly Cells[]> {
  const column = columnOf(fields, 'session_id')
  const other = column === undefined ? undefined : instead.get(column)
  const idOf = ({ cells }: Cells) => [column, other].map(at => cells[at ?? -1]?.trim() ?? '').find(id => id !== '')
  let call: Cells[] = []
  for (const row of rows) {
    const [first] = call
    if (first !== undefined && idOf(first) !== idOf(row)) {
      yield call
      call = []
    }
    call.push(row)
  }
  if (call.length > 0) yield call
}

function readCall(rows: readonly Cells[], table: Table, reading: Reading): RawRecord {
  const [first] = rows
  const line = first?.line ?? 1
  // A call without one of its turns would say something else.
  const spoilt = rows.find(row => 'fault' in row)
  if (spoilt !== undefined) return { line: spoilt.line, at: '', fault: { path: '', message: spoilt.fault } }
  const fault = (message: string, path = ''): RawRecord => ({ line, at: '', fault: { path, message } })
  const cell = (row: Cells, field: string): string => row.cells[columnOf(table.fields, field) ?? -1]?.trim() ?? ''
  const cells = sharedCells(rows, table)
  const made = fieldsOfRow(cells, table, reading.timeZone)
  if ('fault' in made) return { line, at: '', fault: made.fault }
  const clock = columnOf(table.fields, 'created_dt')
  // One time for all rows is the call's; times of their own are the turns'.
  const isTicking = clock !== undefined && new Set(rows.map(row => row.cells[clock])).size > 1
  const speeches: Speech[] = []
  for (const row of rows) {
    const times = turnSeconds(
      field => cell(row, field),
      !isTicking ? undefined : { from: cells[clock] ?? '', at: row.cells[clock] ?? '' },
      reading.timeZone,
    )
    if ('fault' in times) return { line: row.line, at: '', fault: times.fault }
    speeches.push({ speaker: cell(row, 'turn.speaker') || undefined, text: cell(row, 'turn.text'), ...times })
  }
  const told = conversationOf(speeches, reading.agentSpeakers)
  if ('fault' in told) return fault(told.fault)
  const { record, metadata } = told.conversation
  const own = made.record['session_metadata'] as object | undefined
  const value = { ...record, ...made.record, session_metadata: { ...own, ...metadata } }
  return { line, at: '', value, document: documentOf(cells, table) }
}

/** What the rows of a call say of all of it: their first value, and of columns that are no field those that never change. */
function sharedCells(rows: readonly Cells[], { header, fields }: Table): readonly string[] {
  return header.columns.map((_, index) => {
    const filled = rows.map(({ cells }) => cells[index]?.trim() ?? '').filter(text => text !== '')
    const [value = ''] = filled
    return fields.has(index) || filled.every(text => text === value) ? value : ''
  })
}

/** A table with a turn in each row; the rows of a call stand together, in the order in which they were said. */
export const csvTurns = tableFormat({
  name: 'csv-turns',
  title: 'CSV with a turn in each row, the rows of a call together',
  page: {
    recognised: 'a header with columns for the text and the speaker',
    documented: ['https://www.rfc-editor.org/rfc/rfc4180'],
    agent: 'the column for the speaker',
    taken:
      'columns for session_id, speaker (role, participant …), text (utterance, message …) and times (`start_s`, `start_ms`, `end_s`, `end_ms`, `start` as 00:01:02.5); fields of the call from the first row that has them; a time of day in every row gives the start of the call and of each turn',
    lost: 'columns that are no field and change within a call',
  },
  fields: [...turnFields, ...callWide],
  marks: ['turn.text', 'turn.speaker'],
  grouped: true,
  *read(rows, table, reading) {
    const told: Cells[] = []
    for (const row of rows) {
      if ('cells' in row) told.push(row)
      else yield { line: row.line, at: '', fault: { path: '', message: row.fault } }
    }
    for (const call of callsOf(told, table)) yield readCall(call, tableFor(call, table), reading)
  },
})
