import { z } from 'zod'
import type { Immutable } from '../../base/immutable.js'
import { hidden, record, shown } from './record.js'

/** How a run of a task stands: `interrupted` by the end of the process, or by an administrator. */
const runState = z.enum(['running', 'ok', 'failed', 'interrupted']).meta({
  description: 'interrupted: cut off by the end of the process or by its stop; such a run is repeated',
})

/** What a project wants done again and again. Instants are ISO 8601 in UTC with milliseconds. */
export const task = record({
  task_id: shown(z.string()),
  project_id: shown(z.string()),
  name: shown(z.string()),
  kind: shown(z.string()),
  /** A cron expression of five fields, or six with seconds first. Shown together with its zone, as `schedule`. */
  cron: hidden(z.string()),
  time_zone: hidden(z.string().meta({ description: 'IANA name of the zone the expression is read in' })),
  parameters: shown(z.record(z.string(), z.unknown()).meta({ description: 'As the kind takes them, with defaults' })),
  enabled: shown(z.boolean()),
  created_at: shown(z.string()),
  created_by: shown(z.string()),
  last_run: shown(z.string().exactOptional().meta({ description: 'When the last run began' })),
  last_state: shown(runState.exactOptional()),
  /** Absent while it is disabled or when no time is left. */
  next_run: shown(z.string().exactOptional().meta({ description: 'When it is due; absent while it is disabled' })),
  /** A run was cut off and is owed, whatever `next_run` says. */
  owed: hidden(z.literal(true).exactOptional()),
})
export type TaskRecord = Immutable<z.output<typeof task.stored>>

const { task_id, project_id, name, kind, ...more } = task.view.shape
const { cron, time_zone } = task.stored.shape

/** A task as it is shown. */
export const taskView = z.strictObject({
  task_id,
  project_id,
  name,
  kind,
  schedule: z.strictObject({ cron, time_zone }),
  ...more,
})
export type TaskView = Immutable<z.output<typeof taskView>>

export function taskViewOf(kept: TaskRecord): TaskView {
  const { task_id: id, project_id: projectId, name: label, kind: what, ...rest } = task.show(kept)
  const schedule = { cron: kept.cron, time_zone: kept.time_zone }
  return { task_id: id, project_id: projectId, name: label, kind: what, schedule, ...rest }
}

/** One run of a task. */
export const taskRun = record({
  run_id: shown(z.string()),
  task_id: shown(z.string()),
  trigger: shown(
    z.enum(['schedule', 'missed', 'repeat', 'manual']).meta({
      description:
        'Why it began: its time had come; its time had passed while nothing ran; the run before was cut off; somebody asked',
    }),
  ),
  state: shown(runState),
  started_at: shown(z.string()),
  ended_at: shown(z.string().exactOptional()),
  summary: shown(z.string().exactOptional().meta({ description: 'What came of it' })),
  error: shown(z.string().exactOptional().meta({ description: 'Why it failed or was cut off' })),
  /** Never text of calls, names of agents or ids of sessions. */
  result: shown(
    z.record(z.string(), z.unknown()).exactOptional().meta({ description: 'Counts, and names of files written' }),
  ),
})
export type TaskRunRecord = Immutable<z.output<typeof taskRun.stored>>
export type TaskTrigger = TaskRunRecord['trigger']

const { summary, error, result, ...begun } = taskRun.view.shape

/** A run as it is shown. */
export const taskRunView = z.strictObject({
  ...begun,
  duration_ms: z.int().exactOptional(),
  summary,
  error,
  result,
})
export type TaskRunView = Immutable<z.output<typeof taskRunView>>

export function taskRunViewOf(run: TaskRunRecord): TaskRunView {
  if (run.ended_at === undefined) return run
  return { ...run, duration_ms: Date.parse(run.ended_at) - Date.parse(run.started_at) }
}
