import { z } from 'zod'
import { parseInput } from '../base/parse-input.js'
import { Problem } from '../base/problem.js'
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
  secondPerson: true,
  status: 204,
  summary: 'Erase a call',
  description: 'Erases the call for good. A later import of its id is refused, so that it does not come back.',
  conflicts: 'The call is under a legal hold',
  run: async ({ store, events, reports, recordings, projects }, request, { project_id: projectId, app_name: by }) => {
    const asked = { interaction_id: request.param('interaction_id') }
    const { interaction_id: id } = parseInput(path, asked, 'parameter')
    const { calls, privacy } = store
    const erased = await projects.takingAway(
      projectId,
      () => eraseCalls({ calls, privacy, events, reports, recordings }, projectId, [id], { by, how: 'call' }),
      count => count > 0,
    )
    if (erased > 0) return {}
    if ((await privacy.heldAmong(projectId, [id])).length === 0) throw callNotFound(id)
    throw new Problem('conflict', 'The call is under a legal hold and stays until an administrator releases that')
  },
})
