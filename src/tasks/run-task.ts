import type { Logger } from 'pino'
import { operator } from '../access/operator.js'
import { audited, type Trail } from '../activity/audited.js'
import { parseInput } from '../base/parse-input.js'
import { shapeError } from '../base/shape-error.js'
import type { TaskRecord, TaskRunRecord } from '../store/records/task.js'
import { knownKind } from './known-kind.js'
import type { TaskResult } from './task-kind.js'
import type { TaskServices } from './task-services.js'

export interface RunTaskParts {
  readonly services: TaskServices
  readonly trail: Trail
  readonly log: Logger
  readonly clock: () => number
}

/** How a run ended. */
export type RunEnd =
  | ({ readonly state: 'ok' } & TaskResult)
  | { readonly state: 'failed' | 'interrupted'; readonly error: string; readonly code: string }

/**
 * Does a task's work once, with its line in the audit trail. Never rejects: what went wrong is how it ended. What nobody
 * foresaw is told by a reference, under which the log has the cause.
 */
export async function runTask(
  { services, trail, log, clock }: RunTaskParts,
  task: TaskRecord,
  run: TaskRunRecord,
  signal: AbortSignal,
): Promise<RunEnd> {
  const work = async (): Promise<TaskResult> => {
    const kind = knownKind(task.kind)
    const project = services.projects.get(task.project_id)
    // Schema and surroundings may have changed since the task was made.
    const parameters = parseInput(kind.parameters, task.parameters, 'parameter')
    const setting = { services, project, now: clock(), isRun: true }
    await kind.check(parameters, setting)
    signal.throwIfAborted()
    return await kind.run(parameters, { ...setting, taskId: task.task_id, runId: run.run_id, signal, log })
  }
  const line = {
    request_id: run.run_id,
    source: 'operator',
    credential_id: task.task_id,
    name: 'task',
    roles: [operator.role],
    transport: 'task',
    page: `task ${task.kind}`,
    project_id: task.project_id,
  } as const
  try {
    return { state: 'ok', ...(await audited(trail, line, work, { measure: () => ({ status: 200 }) })) }
  } catch (error) {
    const { body } = shapeError(error, (reference, cause) => log.error({ err: cause, reference }, 'Internal error'))
    const told = body.reference === undefined ? body.error : `${body.error} (reference ${body.reference})`
    return { state: signal.aborted ? 'interrupted' : 'failed', error: told, code: body.code }
  }
}
