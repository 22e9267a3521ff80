import { callRecord } from '../calls/call-record.js'
import { exportCalls } from '../questions/export/export-calls.js'
import { operation, StreamAnswer } from './operation.js'

/** All calls of a project, for an administrator. */
export const exportProject = operation({
  method: 'GET',
  url: '/api/v1/export',
  access: 'administrator',
  summary: 'Export calls',
  description:
    'Every call of the project, whole, as NDJSON that the import takes again: a record a line, in the order of created_dt and then session_id, all of one instant. The same calls are the same bytes at every export. `x-total-count` says how many there are. An answer that breaks off is not whole: the connection ends without its last chunk.',
  lines: callRecord,
  rows: answer => (answer instanceof StreamAnswer ? answer.total : 0),
  run: async ({ store }, { signal }, caller) => {
    const { total, lines } = await exportCalls(store, { caller, signal })
    return new StreamAnswer(total, lines)
  },
})
