import type { Projects } from '../access/projects.js'
import type { Rubrics } from '../evaluation/rubrics.js'
import { type Route, route } from '../rest/route.js'
import { GIVEN_RUBRIC_BYTES, givenOf, givenRubric } from '../rest/rubric-routes.js'

export const RUBRIC_VERSIONS_URL = '/control/projects/:project_id/rubric-versions'

/** A version as it was added. */
export interface RestoredRubric {
  readonly version: string
  /** Why it can't be read; absent when it can. */
  readonly unreadable?: string
}

interface Parts {
  readonly rubrics: Pick<Rubrics, 'restore'>
  readonly projects: Pick<Projects, 'get'>
}

/** Versions of a project's rubric on their way into another, by the operator alone: what can't be read is kept too. */
export function rubricTransferRoutes({ rubrics, projects }: Parts): readonly Route[] {
  return [
    route({
      method: 'POST',
      url: RUBRIC_VERSIONS_URL,
      access: 'super_admin',
      body: givenRubric,
      bodyBytes: GIVEN_RUBRIC_BYTES,
      handle: async (request, { name: by }): Promise<RestoredRubric> => {
        const { project_id: projectId } = projects.get(request.param('project_id'))
        const kept = await rubrics.restore(projectId, givenOf(request.body()), by)
        return { version: kept.version, ...('unreadable' in kept && { unreadable: kept.unreadable }) }
      },
    }),
  ]
}
