import type { z } from 'zod'
import type { alertCondition } from '../../src/events/alerts/alert-condition.js'
import type { Rubric } from '../../src/evaluation/rubric/rubric.js'
import type { listedApproval } from '../../src/operations/approvals.js'
import type { healthAnswer } from '../../src/operations/health-answer.js'
import type { AboutRubricVersion, RubricVersionAnswer } from '../../src/operations/rubric-answer.js'
import type { RubricTrial } from '../../src/questions/try-rubric.js'
import type { activityOutput } from '../../src/questions/user-activity/activity-output.js'
import type { alert } from '../../src/store/records/alert.js'
import type { ChangedKeyView, KeyView } from '../../src/store/records/key.js'
import type { documentView } from '../../src/store/records/knowledge-document.js'
import type { teamView } from '../../src/store/records/team.js'
import type { taskRunView, taskView } from '../../src/store/records/task.js'
import type { delivery, webhookView } from '../../src/store/records/webhook.js'
import { send } from './ask.js'

/** What administrators are listed. */
export type Task = z.output<typeof taskView>
export type TaskRun = z.output<typeof taskRunView>
export type Webhook = z.output<typeof webhookView>
export type Delivery = z.output<(typeof delivery)['view']>
export type Alert = z.output<(typeof alert)['view']> & { readonly condition: z.output<typeof alertCondition> }
export type Key = KeyView
export type EndedKey = ChangedKeyView
export type Team = z.output<typeof teamView>
export type Approval = z.output<typeof listedApproval>
export type ActiveUser = Extract<z.output<typeof activityOutput>['users'], readonly unknown[]>[number]
export type AuditEvent = NonNullable<z.output<typeof activityOutput>['events']>[number]
export type UserDetail = Pick<z.output<typeof activityOutput>, 'user' | 'pages' | 'next_cursor'>
export type Health = z.output<typeof healthAnswer>
export type AboutRubric = AboutRubricVersion
export type RubricText = RubricVersionAnswer
export type { Rubric, RubricTrial }
export type Document = z.output<typeof documentView>

/** @throws Refusal, Unreachable */
export async function read<Answer>(path: string, signal?: AbortSignal): Promise<Answer> {
  return (await (await send(path, { signal })).json()) as Answer
}

/** Changes something, or has it done. @throws Refusal, Unreachable */
export async function change(
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  body?: object,
): Promise<Response> {
  return await send(path, { method, ...(body !== undefined && { body }) })
}
