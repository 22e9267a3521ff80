import { z } from 'zod'
import { feedback } from '../store/records/feedback.js'
import { alertTriggered } from './kinds/alert-triggered.js'
import { changesReported } from './kinds/changes-reported.js'
import { projectDigest } from './kinds/project-digest.js'
import { callSubject, eventKind } from './kinds/event-kind.js'

/** A scheduled task ran and failed. */
const taskFailed = eventKind({
  name: 'task.failed',
  description: 'A run of a scheduled task failed. Its history says why.',
  data: z.strictObject({
    task_id: z.string(),
    kind: z.string(),
    run_id: z.string().optional(),
    failed_at: z.string(),
    code: z.string().optional().meta({ description: 'The stable word of the failure' }),
  }),
  subject: ({ task_id }) => `task/${task_id}`,
})

/** An application key is accepted no more. */
const keyRevoked = eventKind({
  name: 'key.revoked',
  description: 'An application key was revoked, or the grace of a rotated one ended.',
  data: z.strictObject({ key_id: z.string() }),
  subject: ({ key_id }) => `key/${key_id}`,
})

/** There is a new application key. */
const keyMinted = eventKind({
  name: 'key.minted',
  description: 'An application key was minted, also by rotation.',
  data: z.strictObject({
    key_id: z.string(),
    is_supervisor: z.boolean(),
    roles: z.array(z.string()),
    require_mapping: z.boolean(),
    full_project: z.boolean().meta({ description: 'Whether it hears every call of the project' }),
  }),
  subject: ({ key_id }) => `key/${key_id}`,
})

/** A call has an evaluation it did not have before. */
const interactionEvaluated = eventKind({
  name: 'interaction.evaluated',
  description: 'A call with an evaluation was stored, or its evaluation changed.',
  data: z.strictObject({
    session_id: z.string(),
    agent_id: z.string().optional(),
    created_dt: z.string(),
    score: z.number().optional(),
    predicted_csat: z.number().optional(),
    lift: z.number().optional(),
    lift_band: z.string().optional(),
    signals: z.array(z.string()).meta({ description: 'Keys of the signals that are present' }),
    guidance: z.array(z.string()).meta({ description: 'Keys of the guidance' }),
    evaluated_at: z.string().optional(),
  }),
  subject: ({ session_id }) => callSubject(session_id),
})

const { about, verdict, signal_key, turn } = feedback.view.shape

/** Somebody said something of a call. */
const feedbackCreated = eventKind({
  name: 'feedback.created',
  description: 'Feedback on a call was given. Its text stays in the service.',
  data: z.strictObject({
    feedback_id: z.string(),
    session_id: z.string(),
    agent_id: z.string().optional(),
    about,
    rating: z.int().min(1).max(5).optional(),
    verdict: verdict.unwrap().optional(),
    signal_key: signal_key.unwrap().optional(),
    turn: turn.unwrap().optional(),
  }),
  subject: ({ session_id }) => callSubject(session_id),
})

/** Every kind of event there is: the list that webhooks choose from. A new kind is defined above and has a line here. */
export const eventKinds = {
  [interactionEvaluated.name]: interactionEvaluated,
  [alertTriggered.name]: alertTriggered,
  [feedbackCreated.name]: feedbackCreated,
  [taskFailed.name]: taskFailed,
  [changesReported.name]: changesReported,
  [projectDigest.name]: projectDigest,
  [keyMinted.name]: keyMinted,
  [keyRevoked.name]: keyRevoked,
} as const

export type EventName = keyof typeof eventKinds

export const eventNames = Object.keys(eventKinds) as EventName[]

/** Something that happened in a project, as whoever knows of it tells. */
export type NewEvent = {
  readonly [Name in EventName]: {
    readonly event: Name
    readonly project_id: string
    readonly data: z.input<(typeof eventKinds)[Name]['data']>
    /** What it is told of, where it may be raised again by who was cut off: it has the same id then. Absent: each is another. */
    readonly occasion?: string
  }
}[EventName]
