import { z } from 'zod'
import { newProject, projectPatch } from '../access/project-fields.js'
import { refitLift } from '../evaluation/lift/refit-lift.js'
import { runRubricOf } from '../evaluation/run/run-rubric.js'
import { projectView, projectViewOf } from '../store/records/project.js'
import { newTask } from '../tasks/task-fields.js'
import { operation } from './operation.js'

/** In the project's time zone. */
const NIGHTLY = '0 3 * * *'

const PROJECTS = '/api/v1/projects'
const PROJECT = `${PROJECTS}/:project_id`

export const listProjects = operation({
  method: 'GET',
  url: PROJECTS,
  access: 'super_admin',
  summary: 'List projects',
  table: 'projects',
  answer: z.strictObject({ projects: z.array(projectView) }),
  run: ({ projects }) => ({ projects: projects.list().map(projectViewOf) }),
})

export const createProject = operation({
  method: 'POST',
  url: PROJECTS,
  access: 'super_admin',
  summary: 'Create a project',
  example: { body: { project_id: 'shop', name: 'Shop', timezone: 'Europe/Berlin' } },
  answer: projectView,
  status: 201,
  conflicts: 'There is a project of this id',
  body: newProject,
  description: 'Where EARSHOT_RETENTION_DAYS is set, it begins with a task that erases calls older than that.',
  run: async (services, request, who) => {
    const created = await services.projects.create(request.body())
    const { retentionDays: days } = services
    if (days !== undefined) {
      const task = { name: 'Retention', kind: 'retention', schedule: NIGHTLY, parameters: { calls_after_days: days } }
      await services.tasks.create(created.project_id, newTask.parse(task), who.name)
    }
    return projectViewOf(created)
  },
})

export const getProject = operation({
  method: 'GET',
  url: PROJECT,
  access: 'super_admin',
  summary: 'Get one project',
  answer: projectView,
  run: ({ projects }, request) => projectViewOf(projects.get(request.param('project_id'))),
})

export const changeProject = operation({
  method: 'PATCH',
  url: PROJECT,
  access: 'super_admin',
  summary: 'Change a project',
  example: { body: { redact: true } },
  answer: projectView,
  body: projectPatch,
  run: async (services, request) => {
    const { projects } = services
    const before = projects.get(request.param('project_id'))
    const { project_id: projectId } = before
    const patch = request.body()
    const { outcome } = patch
    if (outcome === undefined || outcome === projectViewOf(before).outcome) {
      return projectViewOf(await projects.patch(projectId, patch))
    }
    const { rubrics, store } = services
    // Says what is wrong with a rubric that can't be read any more before anything changes.
    await runRubricOf(rubrics, before)
    const after = await projects.patch(projectId, patch)
    // Lifts of another outcome would be told under the name of this one.
    const { signal } = request
    await refitLift({ store, projectId, rubric: await runRubricOf(rubrics, after), outcome, signal })
    return projectViewOf(after)
  },
})

/** Projects, by a SuperAdmin. */
export const projectOperations = [listProjects, createProject, getProject, changeProject] as const
