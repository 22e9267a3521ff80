import { z } from 'zod'
import type { Caller } from '../access/caller.js'
import { keptFeedback, newFeedback } from '../events/feedback-fields.js'
import { callNotFound } from '../questions/call-not-found.js'
import { findCall } from '../questions/find-call.js'
import { feedback } from '../store/records/feedback.js'
import { maskCounts } from './import-answer.js'
import { operation } from './operation.js'
import type { Services } from './services.js'

const FEEDBACK = '/api/v1/interactions/:interaction_id/feedback'
const ALL_FEEDBACK = '/control/projects/:project_id/feedback'

/** Most feedback of one transfer, and of one answer. */
export const FEEDBACK_PAGE = 500
/** Each may have some kilobytes, and twice that as JSON. */
const TRANSFER_BYTES = 16 * 1024 * 1024

type Asked = Parameters<Services['answering']['answer']>[3]

/** The call that feedback is about, when the caller may see it. @throws Problem `not_found` */
async function callOf({ answering }: Services, id: string, caller: Caller, asked: Asked) {
  return findCall.output.parse(await answering.answer(findCall, caller, { interaction_id: id }, asked))
}

export const giveFeedback = operation({
  method: 'POST',
  url: FEEDBACK,
  access: 'caller',
  summary: 'Give feedback on an interaction',
  example: { body: { rating: 4, text: 'Kind, but slow to find the card.' } },
  description:
    'It takes the place of what the same key gave on this call before. In a project with `redact` personal data in the text is masked before it is stored.',
  status: 201,
  body: newFeedback,
  answer: feedback.view,
  run: async (services, request, caller) => {
    const { session_id, agent_id } = await callOf(services, request.param('interaction_id'), caller, request)
    const { rating, text } = request.body()
    const given = await services.feedbackIntake.give({
      project_id: caller.project_id,
      session_id,
      agent_id,
      rating,
      text: text === '' ? undefined : text,
      created_by: caller.app_name,
      given_with: caller,
    })
    // Erased since it was looked up.
    if (given === undefined) throw callNotFound(session_id)
    return feedback.show(given)
  },
})

export const listFeedback = operation({
  method: 'GET',
  url: FEEDBACK,
  access: 'caller',
  summary: 'List feedback on an interaction',
  description: 'Oldest first.',
  table: 'feedback',
  answer: z.strictObject({ feedback: z.array(feedback.view), count: z.int() }),
  run: async (services, request, caller) => {
    const { session_id } = await callOf(services, request.param('interaction_id'), caller, request)
    const found = (await services.events.feedback(caller.project_id, session_id)).map(feedback.show)
    return { feedback: found, count: found.length }
  },
})

export const deleteFeedback = operation({
  method: 'DELETE',
  url: `${FEEDBACK}/:feedback_id`,
  access: 'overseer',
  status: 204,
  summary: 'Delete feedback on an interaction',
  description: 'Whoever gave it may give it again.',
  run: async (services, request, caller) => {
    const { session_id } = await callOf(services, request.param('interaction_id'), caller, request)
    await services.events.removeFeedback(caller.project_id, session_id, request.param('feedback_id'))
    return {}
  },
})

/** All feedback of a project on its way out of it, page by page; for the operator. */
export const exportFeedback = operation({
  method: 'GET',
  url: ALL_FEEDBACK,
  access: 'super_admin',
  query: z.strictObject({
    created_at: keptFeedback.shape.created_at.optional(),
    feedback_id: keptFeedback.shape.feedback_id.optional(),
  }),
  answer: z.strictObject({ feedback: z.array(keptFeedback) }),
  run: async ({ projects, store }, request) => {
    const { project_id: projectId } = projects.get(request.param('project_id'))
    const { created_at, feedback_id } = request.query()
    const after = created_at === undefined || feedback_id === undefined ? undefined : { created_at, feedback_id }
    const page = await store.events.feedback.page(projectId, after, FEEDBACK_PAGE)
    return { feedback: page.map(feedback.show) }
  },
})

/** Feedback on its way into a project: kept as it was given once, and nobody is told of it. For the operator. */
export const restoreFeedback = operation({
  method: 'POST',
  url: ALL_FEEDBACK,
  access: 'super_admin',
  body: z.strictObject({
    feedback: z.array(keptFeedback).max(FEEDBACK_PAGE),
    redact: z.boolean().meta({ description: 'The import masks personal data' }),
  }),
  bodyBytes: TRANSFER_BYTES,
  answer: z.strictObject({
    added: z.int().meta({ description: 'How many were not there before' }),
    without_call: z.array(z.string()).meta({ description: 'Ids of feedback on calls that are not there' }),
    masked: maskCounts.exactOptional(),
  }),
  run: async ({ projects, feedbackIntake }, request) => {
    const { project_id: projectId } = projects.get(request.param('project_id'))
    const { feedback: restored, redact } = request.body()
    return await feedbackIntake.restore(projectId, restored, redact)
  },
})

/** Feedback on calls, by and for whoever may see the call; out of scope reads as not found. */
export const feedbackOperations = [giveFeedback, listFeedback, deleteFeedback, exportFeedback, restoreFeedback] as const
