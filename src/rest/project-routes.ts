import { newProject, projectPatch } from '../access/project-fields.js'
import type { ProjectRecord } from '../store/records.js'
import type { ApiServerParts } from './api-server-parts.js'
import { type Route, route } from './route.js'

const PROJECTS = '/api/v1/projects'
const PROJECT = `${PROJECTS}/:project_id`

/** A project as REST shows it: like a key, with its id under both names. */
function projectView({ project_id, name, timezone, verticals, created_at }: ProjectRecord): object {
  return { project_id, id: project_id, name, timezone, verticals, created_at }
}

/** Projects, by a SuperAdmin. */
export function projectRoutes({ projects }: Pick<ApiServerParts, 'projects'>): readonly Route[] {
  return [
    route({
      method: 'GET',
      url: PROJECTS,
      access: 'super_admin',
      handle: () => ({ projects: projects.list().map(projectView) }),
    }),
    route({
      method: 'POST',
      url: PROJECTS,
      access: 'super_admin',
      status: 201,
      body: newProject,
      handle: async request => projectView(await projects.create(request.body())),
    }),
    route({
      method: 'GET',
      url: PROJECT,
      access: 'super_admin',
      handle: request => projectView(projects.get(request.param('project_id'))),
    }),
    route({
      method: 'PATCH',
      url: PROJECT,
      access: 'super_admin',
      body: projectPatch,
      handle: async request => {
        const { project_id: projectId } = projects.get(request.param('project_id'))
        return projectView(await projects.patch(projectId, request.body()))
      },
    }),
  ]
}
