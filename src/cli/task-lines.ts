import type { CheckedTaskView, DetailedTaskView } from '../tasks/task-view.js'
import type { TaskRunView } from '../store/records/task.js'

/** A task for a reader. */
export function taskLines(task: DetailedTaskView): string {
  return [
    `Task        ${task.task_id}`,
    `Name        ${task.name}`,
    ...checkedLines(task),
    `Enabled     ${task.enabled ? 'yes' : 'no'}`,
    `Created     ${task.created_at} by ${task.created_by}`,
    ...(task.last_run === undefined ? [] : [`Last run    ${task.last_run}, ${task.last_state ?? 'unknown'}`]),
    ...nextLines(task),
    '',
  ].join('\n')
}

/** What a task would be, for a reader. */
export function checkedTaskLines(task: CheckedTaskView): string {
  return [...checkedLines(task), ...nextLines(task), '', 'Nothing was kept.', ''].join('\n')
}

/** A run for a reader. */
export function taskRunLines(run: TaskRunView): string {
  const took = run.duration_ms === undefined ? '' : ` after ${(run.duration_ms / 1000).toFixed(1)} s`
  return [
    `Run         ${run.run_id}`,
    `State       ${run.state}${took}`,
    ...(run.summary === undefined ? [] : [`Result      ${run.summary}`]),
    ...(run.error === undefined ? [] : [`Error       ${run.error}`]),
    '',
  ].join('\n')
}

function checkedLines({ kind, schedule, parameters }: CheckedTaskView): readonly string[] {
  const written = Object.entries(parameters).map(([name, value]) => `${name}=${JSON.stringify(value)}`)
  return [
    `Kind        ${kind}`,
    `Parameters  ${written.length === 0 ? 'none' : written.join(' ')}`,
    `Schedule    ${schedule.cron} (${schedule.time_zone})`,
  ]
}

function nextLines({ next_runs: next }: Pick<CheckedTaskView, 'next_runs'>): readonly string[] {
  const [first = 'none', ...rest] = next
  return [`Next runs   ${first}`, ...rest.map(one => `            ${one}`)]
}
