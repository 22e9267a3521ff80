import { z } from 'zod'
import { newProject, projectPatch } from '../access/project-fields.js'
import { evaluationSettings, type ProjectRecord } from '../store/records.js'
import type { ApiServerParts } from './api-server-parts.js'
import { type Route, route } from './route.js'

const PROJECTS = '/api/v1/projects'
const PROJECT = `${PROJECTS}/:project_id`

const projectAnswer = z.strictObject({
  project_id: z.string(),
  id: z.string().meta({ description: 'The same as project_id' }),
  name: z.string(),
  timezone: z.string().meta({ description: 'IANA name; days, weeks and months are cut in it' }),
  verticals: z.array(z.string()).meta({ description: 'Narrow the catalogs; empty means all' }),
  redact: z.boolean().meta({ description: 'Personal data is masked in all calls and feedback that come in' }),
  evaluation: z.enum(evaluationSettings).meta({
    description:
      'How calls that come in without an evaluation get one: rules as they come in, model in a later run, imported: they get none',
  }),
  created_at: z.string(),
})

/** A project as REST shows it: like a key, with its id under both names. */
function projectView(project: ProjectRecord): object {
  const { project_id, name, timezone, verticals, redact = false, evaluation = 'rules', created_at } = project
  return { project_id, id: project_id, name, timezone, verticals, redact, evaluation, created_at }
}

/** Projects, by a SuperAdmin. */
export function projectRoutes({ projects }: Pick<ApiServerParts, 'projects'>): readonly Route[] {
  return [
    route({
      method: 'GET',
      url: PROJECTS,
      access: 'super_admin',
      summary: 'List projects',
      answer: z.strictObject({ projects: z.array(projectAnswer) }),
      handle: () => ({ projects: projects.list().map(projectView) }),
    }),
    route({
      method: 'POST',
      url: PROJECTS,
      access: 'super_admin',
      summary: 'Create a project',
      answer: projectAnswer,
      status: 201,
      conflicts: 'There is a project of this id',
      body: newProject,
      handle: async request => projectView(await projects.create(request.body())),
    }),
    route({
      method: 'GET',
      url: PROJECT,
      access: 'super_admin',
      summary: 'Get one project',
      answer: projectAnswer,
      handle: request => projectView(projects.get(request.param('project_id'))),
    }),
    route({
      method: 'PATCH',
      url: PROJECT,
      access: 'super_admin',
      summary: 'Change a project',
      answer: projectAnswer,
      body: projectPatch,
      handle: async request => {
        const { project_id: projectId } = projects.get(request.param('project_id'))
        return projectView(await projects.patch(projectId, request.body()))
      },
    }),
  ]
}
