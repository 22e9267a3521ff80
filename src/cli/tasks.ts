import { setTimeout } from 'node:timers/promises'
import { z } from 'zod'
import { Problem } from '../base/problem.js'
import {
  changeTask,
  checkTask,
  createTask,
  deleteTask,
  getTask,
  listTaskRuns,
  listTasks,
  runTask,
} from '../operations/tasks.js'
import type { TaskRunView } from '../store/records/task.js'
import { newTask, taskPatch, taskSchedule } from '../tasks/task-fields.js'
import { commandGroup } from './command-group.js'
import type { Ask } from './connection.js'
import { exitCode } from './exit-code.js'
import { operationCommand } from './operation-command.js'
import { table } from './print.js'
import { checkedTaskLines, taskLines, taskRunLines } from './task-lines.js'
import { untilInterrupted } from './until-signal.js'
import { UsageError } from './usage-error.js'

const words = { task_id: 'Task, as "tasks list" shows it' }
const spelled = { cron: 'schedule', parameters: 'parameter' }

/** Parameters of a kind are written one by one. */
const parameters = z.array(z.string()).optional().meta({ description: 'Parameter of the kind, as name=value' })

const create = operationCommand({
  command: 'create <kind>',
  describe: 'Create a task and show when it is due',
  operation: createTask,
  line: newTask
    .omit({ schedule: true, enabled: true })
    .extend(taskSchedule.shape)
    .extend({
      parameters,
      disabled: z.boolean().default(false).meta({ description: 'Run only when asked to' }),
      dry_run: z.boolean().default(false).meta({ description: 'Check it, show when it would be due, keep nothing' }),
    }),
  spelled,
  read: ({ kind, name, cron, time_zone, parameters: written, disabled = false }) => ({
    kind,
    name,
    schedule: { cron, time_zone },
    parameters: parametersOf(written),
    enabled: !disabled,
  }),
  run: (ask, fields, { dry_run: dryRun }) => ask(dryRun === true ? checkTask : createTask, fields),
  examples: [
    ['tasks create retention --project demo --schedule "0 3 * * *" --parameter calls_after_days=365', ''],
    ['tasks create import_folder --project demo --schedule "*/5 * * * *" --parameter folder=drop', ''],
  ],
  text: task => ('task_id' in task ? taskLines(task) : checkedTaskLines(task)),
})

const list = operationCommand({
  command: 'list',
  describe: 'List the tasks of a project',
  operation: listTasks,
  examples: [['tasks list --project shop --json', '']],
  text: ({ tasks }) =>
    table(
      ['Task', 'Name', 'Kind', 'Schedule', 'Last run', 'State', 'Next run'],
      tasks.map(task => [
        task.task_id,
        task.name,
        task.kind,
        `${task.schedule.cron} (${task.schedule.time_zone})`,
        task.last_run ?? '',
        task.last_state ?? '',
        task.enabled ? (task.next_run ?? 'never') : 'disabled',
      ]),
    ),
})

const show = operationCommand({
  command: 'show <task_id>',
  describe: 'Show a task and when it is due',
  operation: getTask,
  words,
  examples: [['tasks show task_7f3a --project shop', '']],
  text: taskLines,
})

const set = operationCommand({
  command: 'set <task_id>',
  describe: 'Change a task; parameters are replaced as a whole',
  operation: changeTask,
  words,
  line: taskPatch.omit({ schedule: true }).extend(taskSchedule.partial().shape).extend({ parameters }),
  spelled,
  read: ({ parameters: written, ...fields }) => ({
    ...fields,
    ...(written === undefined ? {} : { parameters: parametersOf(written) }),
  }),
  run: async (ask, { cron, time_zone, ...fields }) => {
    const { task_id } = fields
    const isMoved = cron !== undefined || time_zone !== undefined
    const { schedule } = isMoved ? await ask(getTask, { task_id }) : {}
    // What is not said of a schedule stays.
    const moved = schedule && { cron: cron ?? schedule.cron, time_zone: time_zone ?? schedule.time_zone }
    return await ask(changeTask, { ...fields, ...(moved && { schedule: moved }) })
  },
  examples: [['tasks set task_7f3a --schedule "0 6 * * 1" --project shop', 'Mondays at six']],
  text: taskLines,
})

const run = operationCommand({
  command: 'run <task_id>',
  describe: 'Run a task now and wait for its end',
  operation: runTask,
  words,
  line: z.strictObject({
    wait: z.boolean().default(true).meta({ description: '--no-wait: leave it to the running server' }),
  }),
  run: async (ask, { task_id }, { wait = true }) => {
    const interrupted = untilInterrupted().then(() => true)
    const begun = await ask(runTask, { task_id })
    const last = wait ? await ended(ask, begun, interrupted) : begun
    // The command ends well only when the run did.
    if (last.state === 'failed' || last.state === 'interrupted') process.exitCode = exitCode.failed
    return last
  },
  examples: [['tasks run task_7f3a --project shop', 'exits with 0 when the run ended well']],
  text: taskRunLines,
})

/** After how long it is asked again whether a run has ended: at first, and at most. Milliseconds. */
const FIRST_POLL_MS = 200
const LONGEST_POLL_MS = 5_000
/** Runs among which it is looked for. */
const LOOKED_AT = 20

async function ended(
  ask: Ask,
  { run_id: runId, task_id }: TaskRunView,
  interrupted: Promise<boolean>,
): Promise<TaskRunView> {
  for (let pause = FIRST_POLL_MS; ; pause = Math.min(LONGEST_POLL_MS, pause * 1.5)) {
    if (await Promise.race([interrupted, setTimeout(pause, false)])) {
      throw new Problem('cancelled', `No longer waiting for run ${runId}: a running server goes on with it`)
    }
    const { runs } = await ask(listTaskRuns, { task_id, limit: LOOKED_AT })
    const found = runs.find(one => one.run_id === runId)
    if (found === undefined) throw new Problem('not_found', `Run ${runId} is no longer in the history of its task`)
    if (found.state !== 'running') return found
  }
}

const runs = operationCommand({
  command: 'runs <task_id>',
  describe: 'List the runs of a task, newest first',
  operation: listTaskRuns,
  words,
  examples: [['tasks runs task_7f3a --limit 5 --project shop', '']],
  text: page =>
    table(
      ['Began', 'Why', 'State', 'Took', 'Result'],
      page.runs.map(one => [
        one.started_at,
        one.trigger,
        one.state,
        one.duration_ms === undefined ? '' : `${(one.duration_ms / 1000).toFixed(1)} s`,
        one.summary ?? one.error ?? '',
      ]),
    ),
})

const remove = operationCommand({
  command: 'delete <task_id>',
  describe: 'Delete a task and its history',
  operation: deleteTask,
  words,
  run: async (ask, fields) => {
    await ask(deleteTask, fields)
    return { ...fields, deleted: true }
  },
  examples: [['tasks delete task_7f3a --project shop', '']],
  text: (_, __, said) => `${String(said['task_id'])} is deleted\n`,
})

/** `earshot tasks …` */
export const tasksCommand = commandGroup({
  name: 'tasks',
  describe: 'Scheduled tasks: reports, drop folders, retention',
  commands: yargs =>
    yargs.command(list).command(create).command(show).command(set).command(run).command(runs).command(remove),
  example: 'list --project shop',
})

/** Parameters as they were written: what reads as JSON is that, all else is text. */
function parametersOf(written: readonly string[] = []): Record<string, unknown> {
  const entries = written.map(one => {
    const at = one.indexOf('=')
    if (at < 1) throw new UsageError(`--parameter takes name=value, not ${JSON.stringify(one)}`)
    return [one.slice(0, at), valueOf(one.slice(at + 1))] as const
  })
  const names = entries.map(([name]) => name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw new UsageError(`--parameter ${twice} was given more than once`)
  return Object.fromEntries(entries)
}

function valueOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
