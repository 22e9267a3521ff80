import { z } from 'zod'
import type { Immutable } from '../base/immutable.js'
import { isoInstant } from '../base/window.js'
import { type TaskRecord, taskView, taskViewOf } from '../store/records/task.js'
import { Schedule } from './schedule.js'

/** How many times of a schedule are shown. */
const TIMES_SHOWN = 5

const nextTimes = z.array(z.string()).meta({ description: 'The next five times of the schedule' })

/** A task with the times it is due next, whether it is enabled or not. */
export const detailedTaskView = taskView.extend({ next_runs: nextTimes })
export type DetailedTaskView = Immutable<z.output<typeof detailedTaskView>>

/** What a task would be: nothing was kept. */
export const checkedTaskView = taskView
  .pick({ kind: true, schedule: true, parameters: true })
  .extend({ next_runs: nextTimes })
export type CheckedTaskView = Immutable<z.output<typeof checkedTaskView>>

/** @param now milliseconds since 1970 */
export function detailedTaskViewOf(task: TaskRecord, now: number): DetailedTaskView {
  return { ...taskViewOf(task), next_runs: nextRuns(task, now) }
}

/** The next five times of a task's schedule. */
export function nextRuns({ cron, time_zone }: Pick<TaskRecord, 'cron' | 'time_zone'>, now: number): readonly string[] {
  try {
    return Schedule.read(cron, time_zone, now).nextTimes(TIMES_SHOWN, now)
  } catch {
    // A schedule that has run out.
    return []
  }
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
