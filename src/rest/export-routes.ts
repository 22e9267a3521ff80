import type { Projects } from '../access/projects.js'
import { callRecord } from '../calls/call-record.js'
import { exportCalls } from '../questions/export/export-calls.js'
import type { Store } from '../store/store.js'
import { type Route, route } from './route.js'
import { StreamAnswer } from './stream-answer.js'

interface ExportRouteParts {
  readonly store: Pick<Store, 'run' | 'stream'>
  readonly projects: Pick<Projects, 'get'>
}

export const EXPORT_URL = '/api/v1/export'

/** All calls of a project, for an administrator. */
export function exportRoutes({ store, projects }: ExportRouteParts): readonly Route[] {
  return [
    route({
      method: 'GET',
      url: EXPORT_URL,
      access: 'administrator',
      summary: 'Export calls',
      description:
        'Every call of the project, whole, as NDJSON that the import takes again: a record a line, in the order of created_dt and then session_id, all of one instant. The same calls are the same bytes at every export. `x-total-count` says how many there are. An answer that breaks off is not whole: the connection ends without its last chunk.',
      lines: callRecord,
      rows: answer => (answer instanceof StreamAnswer ? answer.total : 0),
      handle: async (request, caller) => {
        projects.get(caller.project_id)
        const { total, lines } = await exportCalls(store, { caller, signal: request.signal })
        return new StreamAnswer(total, lines)
      },
    }),
  ]
}
