import { z } from 'zod'
import type { Caller } from '../access/caller.js'
import { keptFeedback, newFeedback } from '../events/feedback-fields.js'
import { badField } from '../base/bad-field.js'
import { Problem } from '../base/problem.js'
import { callNotFound } from '../questions/call-not-found.js'
import { defined } from '../questions/defined.js'
import { findCall } from '../questions/find-call.js'
import { maySay } from '../questions/may-ask.js'
import { masking } from '../redact/mask.js'
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
async function callOf({ answering }: Services, id: string, caller: Caller, asked: Asked, more: { judged?: true } = {}) {
  return findCall.output.parse(await answering.answer(findCall, caller, { interaction_id: id, ...more }, asked))
}

type Found = z.output<typeof findCall.output>
type Said = Omit<z.output<typeof newFeedback>, 'text'>

/** The state of a signal of a call; `none` of one that it does not have, which may be what somebody misses. */
const stateOf = ({ signals }: Found, key: string | undefined) => signals.find(one => one.key === key)?.state ?? 'none'

/** Refuses what is said of something that the call does not have. */
async function refuseWithoutSubject({ events, rubrics }: Services, call: Found, caller: Caller, said: Said) {
  switch (said.about) {
    case 'call':
      return
    case 'score':
      if (call.score === undefined) throw badField('about', 'score: the call has none')
      return
    case 'turn':
      if (said.turn! >= call.turns) throw badField('turn', `must be below ${call.turns}, the turns of the call`)
      return
    case 'signal': {
      if (stateOf(call, said.signal_key) !== 'none') return
      const { signals } = await rubrics.catalogs(caller.project_id)
      if (!signals.has(said.signal_key!)) throw badField('signal_key', 'is no signal of the call or of the project')
      return
    }
    case 'feedback': {
      if (!maySay(caller.access_scope).answer) {
        throw new Problem(
          'forbidden',
          'Role Supervisor, Admin or SuperAdmin required to answer what somebody said of a call',
        )
      }
      const given = await events.feedback(caller.project_id, call.session_id)
      const answered = given.find(one => one.feedback_id === said.answers)
      if (answered === undefined || answered.about === 'feedback') {
        throw badField('answers', 'is no feedback on this call that can be answered')
      }
    }
  }
}

export const giveFeedback = operation({
  method: 'POST',
  url: FEEDBACK,
  access: 'caller',
  summary: 'Give feedback on an interaction',
  example: { body: { rating: 4, text: 'Kind, but slow to find the card.' } },
  description:
    'On the call as a whole, its score, a signal, a turn, or what somebody said of it, which a supervisor answers. It takes the place of what the same key gave on the same before. In a project with `redact` personal data in the text is masked before it is stored.',
  status: 201,
  body: newFeedback,
  answer: feedback.view,
  run: async (services, request, caller) => {
    const call = await callOf(services, request.param('interaction_id'), caller, request, { judged: true })
    const { session_id, agent_id } = call
    const { text, ...said } = request.body()
    await refuseWithoutSubject(services, call, caller, said)
    const given = await services.feedbackIntake.give({
      project_id: caller.project_id,
      session_id,
      agent_id,
      ...defined({
        ...said,
        state: said.about === 'signal' ? stateOf(call, said.signal_key) : undefined,
        score: said.about === 'score' ? call.score : undefined,
      }),
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
    redact: masking.meta({ description: 'Which personal data the import masks' }),
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
