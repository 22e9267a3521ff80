import { callFields } from '../../calls/call-fields.js'
import { documentOf, fieldsOfRow } from './csv/row-fields.js'
import { tableFor } from './csv/table-for.js'
import { tableFormat } from './csv/table-format.js'

/** Fields a cell can hold: single values of the record and of its objects. */
const fields = callFields.flatMap(({ name, type }) => {
  if (type.kind === 'struct')
    return [...type.fields].filter(([, { kind }]) => kind !== 'list').map(([of]) => `${name}.${of}`)
  return type.kind === 'list' || type.kind === 'open' ? [] : [name]
})

/** What of session_metadata has a meaning of its own; any other column goes there too. */
const metadata = ['company_name', 'location', 'store_id', 'audio_length_seconds'].map(
  name => `session_metadata.${name}`,
)

/** A table with a call in each row. */
export const csvCalls = tableFormat({
  name: 'csv-calls',
  title: 'CSV with a call in each row (no transcripts)',
  page: {
    recognised: "a header with columns for the call's id or the agent",
    documented: ['https://www.rfc-editor.org/rfc/rfc4180'],
    agent: 'a column for the name',
    taken:
      'columns named like fields of the record or like other systems name them (`Call ID`, `Agent`, `Started At`, `Direction`, `duration_s` …); every other column → session_metadata under its own name',
    lost: 'empty cells',
  },
  fields: [...fields, ...metadata],
  marks: [],
  unless: ['turn.text', 'turn.speaker'],
  grouped: false,
  *read(rows, table, { timeZone }) {
    for (const row of rows) {
      const { line } = row
      if ('fault' in row) {
        yield { line, at: '', fault: { path: '', message: row.fault } }
        continue
      }
      const made = fieldsOfRow(row.cells, tableFor([row], table), timeZone)
      if ('fault' in made) yield { line, at: '', fault: made.fault }
      else yield { line, at: '', value: made.record, document: documentOf(row.cells, table) }
    }
  },
})
