import { z } from 'zod'
import { parseInput } from '../base/parse-input.js'
import { eraseCalls } from '../ingest/erase-calls.js'
import { sessionId } from '../questions/arguments.js'
import { callNotFound } from '../questions/call-not-found.js'
import { operation } from './operation.js'

const path = z.strictObject({ interaction_id: sessionId })

/** Erasing a call: by an administrator, or a key with role Admin and the full project. */
export const eraseCall = operation({
  method: 'DELETE',
  url: '/api/v1/interactions/:interaction_id',
  access: 'overseer',
  textFree: true,
  status: 204,
  summary: 'Erase a call',
  description: 'Erases the call for good. A later import of its id is refused, so that it does not come back.',
  run: async ({ store, events, reports }, request, { project_id: projectId }) => {
    const asked = { interaction_id: request.param('interaction_id') }
    const { interaction_id: id } = parseInput(path, asked, 'parameter')
    if ((await eraseCalls({ calls: store.calls, events, reports }, projectId, [id])) === 0) throw callNotFound(id)
    return {}
  },
})
