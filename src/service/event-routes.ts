import { join } from 'node:path'
import type { Caller } from '../access/caller.js'
import { CursorSeal } from '../access/cursor-seal.js'
import { secretFile } from '../access/secret-file.js'
import type { Config } from '../config.js'
import { FeedbackIntake } from '../ingest/feedback-intake.js'
import type { Answering } from '../questions/answering.js'
import { alertRoutes } from '../rest/alert-routes.js'
import { feedbackRoutes } from '../rest/feedback-routes.js'
import type { Route } from '../rest/route.js'
import { webhookRoutes } from '../rest/webhook-routes.js'
import type { Installation } from './open-installation.js'

interface Given {
  readonly installation: Installation
  readonly config: Config
  readonly answering: Answering
}

/** Webhooks, alerts and feedback: the same routes for the listener, the control socket and commands. */
export function eventRoutes({ installation, config, answering }: Given): readonly Route[] {
  const { events, projects } = installation
  const cursors = async (caller: Caller) =>
    new CursorSeal(await secretFile(join(config.dataDir, 'cursor.key'))).of(caller)
  return [
    ...webhookRoutes({ events, projects, cursors }),
    ...alertRoutes({ events, projects }),
    ...feedbackRoutes({ intake: new FeedbackIntake(installation), events, projects, answering }),
  ]
}
