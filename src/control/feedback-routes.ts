import { z } from 'zod'
import type { Projects } from '../access/projects.js'
import { keptFeedback } from '../events/feedback-fields.js'
import type { FeedbackIntake } from '../ingest/feedback-intake.js'
import { type Route, route } from '../rest/route.js'
import type { FeedbackRecord, FeedbackStore, KeptFeedback } from '../store/event-store.js'

export const FEEDBACK_URL = '/control/projects/:project_id/feedback'

/** Most feedback of one request, and of one answer. */
export const FEEDBACK_PAGE = 500
/** Each may have some kilobytes, and twice that as JSON. */
const BODY_BYTES = 16 * 1024 * 1024

const place = z.strictObject({
  created_at: keptFeedback.shape.created_at.optional(),
  feedback_id: keptFeedback.shape.feedback_id.optional(),
})
const given = z.strictObject({
  feedback: z.array(keptFeedback).max(FEEDBACK_PAGE),
  redact: z.boolean().meta({ description: 'The import masks personal data' }),
})

function kept(record: FeedbackRecord): KeptFeedback {
  const { project_id: _, ...feedback } = record
  return feedback
}

interface FeedbackTransferParts {
  readonly feedback: Pick<FeedbackStore, 'page'>
  readonly intake: Pick<FeedbackIntake, 'restore'>
  readonly projects: Pick<Projects, 'get'>
}

/** All feedback of a project on its way out of it and into another, by the operator alone: nobody is told of it. */
export function feedbackTransferRoutes({ feedback, intake, projects }: FeedbackTransferParts): readonly Route[] {
  return [
    route({
      method: 'GET',
      url: FEEDBACK_URL,
      access: 'super_admin',
      query: place,
      handle: async request => {
        const { project_id: projectId } = projects.get(request.param('project_id'))
        const { created_at, feedback_id } = request.query()
        const after = created_at === undefined || feedback_id === undefined ? undefined : { created_at, feedback_id }
        const page = await feedback.page(projectId, after, FEEDBACK_PAGE)
        return { feedback: page.map(kept) }
      },
    }),
    route({
      method: 'POST',
      url: FEEDBACK_URL,
      access: 'super_admin',
      body: given,
      bodyBytes: BODY_BYTES,
      handle: async request => {
        const { project_id: projectId } = projects.get(request.param('project_id'))
        const { feedback: restored, redact } = request.body()
        return await intake.restore(projectId, restored, redact)
      },
    }),
  ]
}
