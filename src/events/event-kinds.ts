import type { z } from 'zod'
import { alertTriggered } from './kinds/alert-triggered.js'
import { changesReported } from './kinds/changes-reported.js'
import { feedbackCreated } from './kinds/feedback-created.js'
import { interactionEvaluated } from './kinds/interaction-evaluated.js'
import { keyMinted } from './kinds/key-minted.js'
import { keyRevoked } from './kinds/key-revoked.js'
import { projectDigest } from './kinds/project-digest.js'
import { taskFailed } from './kinds/task-failed.js'

/** Every kind of event there is: the list that webhooks choose from. A new kind is a file and a line here. */
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
  }
}[EventName]
