import { z } from 'zod'
import { requesterOf } from '../access/requester-of.js'
import { Problem } from '../base/problem.js'
import type { ProjectRubric, UnreadableRubric } from '../evaluation/rubrics.js'
import { rubricTrial, tryRubric } from '../questions/try-rubric.js'
import { operation } from './operation.js'
import {
  type about,
  type AboutRubricVersion,
  aboutVersion,
  type RubricAnswer,
  rubricAnswer,
  rubricText as text,
  type RubricVersionAnswer,
  versionAnswer,
} from './rubric-answer.js'

const RUBRIC = '/api/v1/rubric'

/** Bytes of a body: a rubric's text and what JSON adds to it. */
const GIVEN_RUBRIC_BYTES = 4 * 1024 * 1024

const builtIn = z.string().max(64).meta({ description: 'Name of a built-in rubric, in place of a text' })

const givenRubric = z
  .strictObject({ text: text.optional(), built_in: builtIn.optional() })
  .refine(one => (one.text === undefined) !== (one.built_in === undefined), 'must have either text or built_in')

const tried = z
  .strictObject({ text: text.optional(), built_in: builtIn.optional(), sample: z.int().min(1).max(500).default(50) })
  .refine(one => (one.text === undefined) !== (one.built_in === undefined), 'must have either text or built_in')

export type GivenRubric = z.infer<typeof givenRubric>

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

function aboutVersionOf(one: ProjectRubric | UnreadableRubric): AboutRubricVersion {
  if (!('unreadable' in one)) return aboutOf(one)
  const { text: _, built_in: name, ...shown } = one
  return { ...shown, ...(name !== undefined && { name }) }
}

/** @throws Problem `conflict` for a built-in one that this program has not: there is nothing to show */
function versionAnswerOf(one: ProjectRubric | UnreadableRubric): RubricVersionAnswer {
  if (!('unreadable' in one)) return answerOf(one)
  if (one.text === undefined) throw new Problem('conflict', one.unreadable)
  return { ...aboutVersionOf(one), text: one.text }
}

const givenOf = ({ text: own, built_in: name }: GivenRubric) =>
  own === undefined ? { built_in: name ?? '' } : { text: own }

const UNREADABLE = 'It was set under another version of this program, and can not be read any more'

export const getRubric = operation({
  method: 'GET',
  url: RUBRIC,
  access: 'administrator',
  summary: 'Get the rubric',
  description:
    'The one calls are evaluated by; with version, an earlier one, as it was given also where it can not be read any more. The text is as it was given: with extends, what it changes. Of a built-in one it is a page that tells of it and extends it.',
  conflicts: UNREADABLE,
  query: z.strictObject({
    version: z
      .string()
      .max(100)
      .optional()
      .meta({ description: 'Such as project-2; built-in: the one of a project that has set none' }),
    full: z
      .boolean()
      .default(false)
      .meta({ description: 'The text is the whole rubric as JSON, with what it extends' }),
  }),
  answer: versionAnswer,
  run: async ({ rubrics }, request, { project_id: projectId }) => {
    const { version, full } = request.query()
    const found = version === undefined ? await rubrics.of(projectId) : await rubrics.version(projectId, version)
    return versionAnswerOf(full && !('unreadable' in found) ? { ...found, text: JSON.stringify(found.rubric) } : found)
  },
})

export const setRubric = operation({
  method: 'PUT',
  url: RUBRIC,
  access: 'administrator',
  summary: 'Set the rubric',
  example: { body: { built_in: 'support-calls' } },
  description:
    'Checked whole before; a fault is told with its line and column. Every version is kept. Calls keep their evaluation until they are evaluated again.',
  body: givenRubric,
  bodyBytes: GIVEN_RUBRIC_BYTES,
  answer: rubricAnswer,
  run: async ({ rubrics }, request, { project_id: projectId, app_name: by }) => {
    return answerOf(await rubrics.set(projectId, givenOf(request.body()), by, request.signal))
  },
})

export const listRubricVersions = operation({
  method: 'GET',
  url: `${RUBRIC}/versions`,
  access: 'administrator',
  summary: 'List the versions of the rubric',
  table: 'versions',
  answer: z.strictObject({ versions: z.array(aboutVersion) }),
  run: async ({ rubrics }, _, { project_id: projectId }) => {
    return { versions: (await rubrics.versions(projectId)).map(aboutVersionOf) }
  },
})

export const tryRubricOnCalls = operation({
  method: 'POST',
  url: `${RUBRIC}/try`,
  access: 'administrator',
  summary: 'Try a rubric',
  example: { body: { built_in: 'sales-calls', sample: 100 } },
  description: 'Old against new scores on a sample of calls, a share of each score band. Nothing is saved.',
  body: tried,
  bodyBytes: GIVEN_RUBRIC_BYTES,
  answer: rubricTrial,
  run: async ({ answering, rubrics, threads }, request, caller) => {
    const { sample, ...one } = request.body()
    const turn = { requester: requesterOf(caller), signal: request.signal }
    const trial = tryRubric(await rubrics.read(givenOf(one), turn), threads, turn)
    return rubricTrial.parse(await answering.answer(trial, caller, { sample }, request))
  },
})

/** A version as it was set elsewhere, on its way into a project: what can't be read here is kept too. For the operator. */
export const restoreRubric = operation({
  method: 'POST',
  url: '/control/projects/:project_id/rubric-versions',
  access: 'super_admin',
  body: givenRubric,
  bodyBytes: GIVEN_RUBRIC_BYTES,
  answer: z.strictObject({
    version: z.string(),
    unreadable: z.string().exactOptional().meta({ description: 'Why it can not be read; absent when it can' }),
  }),
  run: async ({ projects, rubrics }, request, { name: by }) => {
    const { project_id: projectId } = projects.get(request.param('project_id'))
    const kept = await rubrics.restore(projectId, givenOf(request.body()), by)
    return { version: kept.version, ...('unreadable' in kept && { unreadable: kept.unreadable }) }
  },
})

/** The rubric of a project, by an administrator. */
export const rubricOperations = [getRubric, setRubric, listRubricVersions, tryRubricOnCalls, restoreRubric] as const
