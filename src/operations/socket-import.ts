import { z } from 'zod'
import { rubric } from '../evaluation/rubric/rubric.js'
import { readableRubric } from '../evaluation/run/import-rubric.js'
import { masking } from '../redact/mask.js'
import { evaluationSettings, maskingOf } from '../store/records/project.js'
import { type ImportEnd, importEnd, placedId, readFrames } from './import-frames.js'
import { operation } from './operation.js'

/** What an import has to know of its project. */
export const getImportStart = operation({
  method: 'GET',
  url: '/control/projects/:project_id/agent-ids',
  access: 'super_admin',
  answer: z.strictObject({
    agents: z.array(z.tuple([z.string(), z.string()])).meta({ description: 'Ids and names' }),
    redact: masking.meta({ description: 'Which personal data is masked in all calls that come into it' }),
    evaluation: z.enum(evaluationSettings).meta({ description: 'How calls get an evaluation that bring none' }),
    rubric: z
      .object({ rubric, version: z.string(), verticals: z.array(z.string()), others: z.array(rubric).exactOptional() })
      .exactOptional()
      .meta({ description: 'What rules evaluate them by; absent where it can not be read' }),
  }),
  run: async ({ projects, rubrics, store }, request) => {
    const project = projects.get(request.param('project_id'))
    const { evaluation = 'rules' } = project
    const redact = maskingOf(project)
    const agents = [...(await store.calls.agentIds(project.project_id))]
    const used = await readableRubric(rubrics, project)
    return { agents, redact, evaluation, ...(used && { rubric: used }) }
  },
})

const sessionIds = z.array(z.string())

/** Calls that one request asks about: their ids and hashes stay well below the limit of a body. */
export const MOST_PREVIEWED = 500

/** What an import would come to, some calls at a time: a dry run asks. */
export const previewImport = operation({
  method: 'POST',
  url: '/control/projects/:project_id/import/preview',
  access: 'super_admin',
  body: z.strictObject({
    restore_erased: z.boolean(),
    calls: z
      .array(z.strictObject({ session_id: z.string(), agent_name: z.string(), placed: placedId.optional() }))
      .max(MOST_PREVIEWED),
  }),
  answer: z.strictObject({
    replaced: sessionIds,
    erased: sessionIds,
    taken: sessionIds,
    held: sessionIds,
    besideBare: sessionIds,
  }),
  run: async ({ projects, store }, request) => {
    const { project_id: projectId } = projects.get(request.param('project_id'))
    const { calls, restore_erased: restoreErased } = request.body()
    return await store.calls.preview(projectId, calls, { restoreErased })
  },
})

/** Calls that a command has read and checked, on their way to the server that holds the store. */
export const importOverSocket = operation({
  method: 'POST',
  url: '/control/projects/:project_id/import',
  access: 'super_admin',
  query: z.strictObject({ restore_erased: z.boolean().default(false) }),
  streams: true,
  answer: importEnd,
  rows: answer => ('stored' in answer && typeof answer.stored === 'number' ? answer.stored : 0),
  run: async ({ projects, store, imports, importLimits }, request) => {
    const { project_id: projectId } = projects.get(request.param('project_id'))
    const options = { restoreErased: request.query().restore_erased }
    let came: ImportEnd = { stored: 0, duplicates: 0, rejected: 0 }
    try {
      for await (const frame of readFrames(request.stream, importLimits.frames)) {
        request.signal.throwIfAborted()
        if ('end' in frame) {
          came = frame.end
          break
        }
        const result = await store.calls.upsert(projectId, frame.calls, options)
        came = { ...came, stored: came.stored + result.stored }
        await request.say(result)
      }
      return came
    } finally {
      imports.imported(came)
    }
  },
})

export const socketImportOperations = [getImportStart, previewImport, importOverSocket] as const
