import { z } from 'zod'
import type { Projects } from '../access/projects.js'
import { parseInput } from '../base/parse-input.js'
import { type ErasureParts, eraseCalls } from '../ingest/erase-calls.js'
import { sessionId } from '../questions/arguments.js'
import { callNotFound } from '../questions/call-not-found.js'
import { type Route, route } from './route.js'

interface EraseRouteParts extends ErasureParts {
  readonly projects: Pick<Projects, 'get'>
}

export const CALL_URL = '/api/v1/interactions/:interaction_id'

const path = z.strictObject({ interaction_id: sessionId })

/** Erasing calls: by an administrator, or a key with role Admin and the full project. */
export function eraseRoutes({ projects, ...erasure }: EraseRouteParts): readonly Route[] {
  return [
    route({
      method: 'DELETE',
      url: CALL_URL,
      access: 'overseer',
      status: 204,
      summary: 'Erase a call',
      description: 'Erases the call for good. A later import of its id is refused, so that it does not come back.',
      handle: async (request, caller) => {
        const { project_id: projectId } = projects.get(caller.project_id)
        const { interaction_id: id } = parseInput(
          path,
          { interaction_id: request.param('interaction_id') },
          'parameter',
        )
        if ((await eraseCalls(erasure, projectId, [id])) === 0) throw callNotFound(id)
        return {}
      },
    }),
  ]
}
