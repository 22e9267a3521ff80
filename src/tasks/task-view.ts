import { isoInstant } from '../base/window.js'
import type { TaskRecord, TaskRunRecord, TaskRunState } from '../store/task-store.js'
import { Schedule } from './schedule.js'

/** How many times of a schedule are shown. */
const SHOWN = 5

/** A task as it is shown. Instants are ISO 8601 in UTC. */
export interface TaskView {
  readonly task_id: string
  readonly project_id: string
  readonly name: string
  readonly kind: string
  readonly schedule: { readonly cron: string; readonly time_zone: string }
  readonly parameters: Readonly<Record<string, unknown>>
  readonly enabled: boolean
  readonly created_at: string
  readonly created_by: string
  /** When the last run began. */
  readonly last_run?: string
  readonly last_state?: TaskRunState
  readonly next_run?: string
}

/** A task with the times it is due next, whether it is enabled or not. */
export interface DetailedTaskView extends TaskView {
  readonly next_runs: readonly string[]
}

export interface TaskRunView extends TaskRunRecord {
  readonly duration_ms?: number
}

export function taskView(task: TaskRecord): TaskView {
  const { task_id, project_id, name, kind, cron, time_zone, owed: _, ...rest } = task
  return { task_id, project_id, name, kind, schedule: { cron, time_zone }, ...rest }
}

/** @param now milliseconds since 1970 */
export function detailedTaskView(task: TaskRecord, now: number): DetailedTaskView {
  return { ...taskView(task), next_runs: nextRuns(task, now) }
}

/** The next five times of a task's schedule. */
export function nextRuns({ cron, time_zone }: Pick<TaskRecord, 'cron' | 'time_zone'>, now: number): readonly string[] {
  try {
    return Schedule.read(cron, time_zone, now).nextTimes(SHOWN, now)
  } catch {
    // A schedule that has run out.
    return []
  }
}

export function taskRunView(run: TaskRunRecord): TaskRunView {
  if (run.ended_at === undefined) return run
  return { ...run, duration_ms: Date.parse(run.ended_at) - Date.parse(run.started_at) }
}

/** The instant after `now` at which a task is due; absent when there is none. */
export function nextRunOf(task: Pick<TaskRecord, 'cron' | 'time_zone'>, now: number): { readonly next_run?: string } {
  try {
    const next = Schedule.read(task.cron, task.time_zone, now).next(now)
    return next === undefined ? {} : { next_run: isoInstant(next) }
  } catch {
    return {}
  }
}
