import { z } from 'zod'
import type { Projects } from '../access/projects.js'
import type { ProjectRubric, Rubrics } from '../evaluation/rubrics.js'
import type { Answering } from '../questions/answering.js'
import { tryRubric } from '../questions/try-rubric.js'
import { type Route, route } from './route.js'

const RUBRIC = '/api/v1/rubric'
/** Bytes of a body: a rubric's text and what JSON adds to it. */
const BODY_BYTES = 4 * 1024 * 1024

const text = z.string().max(1_000_000).meta({ description: 'The rubric as YAML or JSON' })
const builtIn = z.string().max(64).meta({ description: 'Name of a built-in rubric, in place of a text' })

const given = z
  .strictObject({ text: text.optional(), built_in: builtIn.optional() })
  .refine(one => (one.text === undefined) !== (one.built_in === undefined), 'must have either text or built_in')

const tried = z
  .strictObject({ text: text.optional(), built_in: builtIn.optional(), sample: z.int().min(1).max(500).default(50) })
  .refine(one => (one.text === undefined) !== (one.built_in === undefined), 'must have either text or built_in')

const about = z.strictObject({
  name: z.string(),
  title: z.string(),
  language: z.string(),
  version: z.string().meta({ description: 'What evaluations keep as rubric_version' }),
  source: z.enum(['project', 'built-in']),
  set_at: z.string().optional().meta({ description: 'Absent while the project has never set one' }),
  set_by: z.string().optional(),
})

const rubricAnswer = about.extend({ text })

export type RubricAnswer = z.infer<typeof rubricAnswer>
export type GivenRubric = z.infer<typeof given>

function aboutOf({ rubric, version, source, set_at, set_by }: ProjectRubric): z.infer<typeof about> {
  const { name, title, language } = rubric
  return {
    name,
    title,
    language,
    version,
    source,
    ...(set_at !== undefined && { set_at }),
    ...(set_by !== undefined && { set_by }),
  }
}

const answerOf = (one: ProjectRubric): RubricAnswer => ({ ...aboutOf(one), text: one.text })

const readable = ({ text: own, built_in: name }: GivenRubric) =>
  own === undefined ? { built_in: name ?? '' } : { text: own }

const UNREADABLE = 'It was set under another version of this program, and can not be read any more'

interface RubricRoutesParts {
  readonly answering: Pick<Answering, 'answer'>
  readonly projects: Pick<Projects, 'get'>
  readonly rubrics: Rubrics
}

/** The rubric of a project, by an administrator. */
export function rubricRoutes({ answering, projects, rubrics }: RubricRoutesParts): readonly Route[] {
  return [
    route({
      method: 'GET',
      url: RUBRIC,
      access: 'administrator',
      summary: 'Get the rubric',
      description: 'The one calls are evaluated by; with version, an earlier one.',
      conflicts: UNREADABLE,
      query: z.strictObject({ version: z.string().max(100).optional().meta({ description: 'Such as project-2' }) }),
      answer: rubricAnswer,
      handle: (request, { project_id: projectId }) => {
        projects.get(projectId)
        const { version } = request.query()
        return answerOf(version === undefined ? rubrics.of(projectId) : rubrics.version(projectId, version))
      },
    }),
    route({
      method: 'PUT',
      url: RUBRIC,
      access: 'administrator',
      summary: 'Set the rubric',
      description:
        'Checked whole before; a fault is told with its line and column. Every version is kept. Calls keep their evaluation until they are evaluated again.',
      body: given,
      bodyBytes: BODY_BYTES,
      answer: rubricAnswer,
      handle: async (request, { project_id: projectId, app_name: by }) => {
        projects.get(projectId)
        return answerOf(await rubrics.set(projectId, readable(request.body()), by))
      },
    }),
    route({
      method: 'GET',
      url: `${RUBRIC}/versions`,
      access: 'administrator',
      summary: 'List the versions of the rubric',
      conflicts: UNREADABLE,
      answer: z.strictObject({ versions: z.array(about) }),
      handle: (_, { project_id: projectId }) => {
        projects.get(projectId)
        return { versions: rubrics.versions(projectId).map(aboutOf) }
      },
    }),
    route({
      method: 'POST',
      url: `${RUBRIC}/try`,
      access: 'administrator',
      summary: 'Try a rubric',
      description: 'Old against new scores on a sample of calls, a share of each score band. Nothing is saved.',
      body: tried,
      bodyBytes: BODY_BYTES,
      answer: z.looseObject({ rubric: z.string() }),
      handle: async (request, caller) => {
        projects.get(caller.project_id)
        const { sample, ...one } = request.body()
        return await answering.answer(tryRubric(rubrics.read(readable(one))), caller, { sample }, request)
      },
    }),
  ]
}
