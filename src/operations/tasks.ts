import { z } from 'zod'
import { newTask, taskPatch } from '../tasks/task-fields.js'
import { checkedTaskView, detailedTaskView, detailedTaskViewOf, nextRuns } from '../tasks/task-view.js'
import { taskRunView, taskRunViewOf, taskView, taskViewOf } from '../store/records/task.js'
import { operation } from './operation.js'

/** What a task of these does, it does again and again: to erase, and to write out everything. */
const CONFIRMED_KINDS: ReadonlySet<string> = new Set(['retention', 'export_tables'])

const TASKS = '/api/v1/tasks'
const TASK = `${TASKS}/:task_id`

/** What a task can't be checked against is a conflict, not a fault in how it is written. */
const CANNOT_WORK =
  'It can not work here: no language model is configured, or the rubric of the project can not be read any more'

const runsQuery = z.strictObject({
  limit: z.int().min(1).max(100).default(20).meta({ description: 'Most runs to give, 1–100' }),
  before: z.string().max(100).optional().meta({ description: 'Runs before this one: the next_before of a page' }),
})

export const listTasks = operation({
  method: 'GET',
  url: TASKS,
  access: 'overseer',
  summary: 'List tasks',
  table: 'tasks',
  answer: z.strictObject({ tasks: z.array(taskView), count: z.int() }),
  run: ({ tasks }, _, caller) => {
    const found = tasks.list(caller.project_id).map(taskViewOf)
    return { tasks: found, count: found.length }
  },
})

export const createTask = operation({
  method: 'POST',
  url: TASKS,
  access: 'administrator',
  secondPerson: (_, request) => CONFIRMED_KINDS.has(newTask.parse(request.body()).kind),
  summary: 'Create a task',
  example: { body: { kind: 'retention', schedule: '0 3 * * *', parameters: { calls_after_days: 365 } } },
  description:
    'A schedule is a cron expression, in the project’s time zone unless one is given. Parameters are those of the kind. The answer shows the next five times.',
  answer: detailedTaskView,
  status: 201,
  conflicts: `${CANNOT_WORK}; or the project has as many tasks as it may`,
  body: newTask,
  run: async ({ tasks }, request, caller) => {
    return detailedTaskViewOf(await tasks.create(caller.project_id, request.body(), caller.app_name), Date.now())
  },
})

export const checkTask = operation({
  method: 'POST',
  url: `${TASKS}/check`,
  access: 'administrator',
  summary: 'Check a task',
  example: { body: { kind: 'retention', schedule: '0 3 * * *', parameters: { calls_after_days: 365 } } },
  description: 'Takes what creating a task takes, refuses what that refuses, and keeps nothing.',
  conflicts: CANNOT_WORK,
  answer: checkedTaskView,
  body: newTask,
  run: async ({ tasks }, request, caller) => {
    const { cron, time_zone, kind, parameters } = await tasks.check(caller.project_id, request.body())
    const next_runs = nextRuns({ cron, time_zone }, Date.now())
    return { kind, schedule: { cron, time_zone }, parameters, next_runs }
  },
})

export const getTask = operation({
  method: 'GET',
  url: TASK,
  access: 'overseer',
  summary: 'Get one task',
  answer: detailedTaskView,
  run: ({ tasks }, request, caller) =>
    detailedTaskViewOf(tasks.get(caller.project_id, request.param('task_id')), Date.now()),
})

export const changeTask = operation({
  method: 'PATCH',
  url: TASK,
  access: 'administrator',
  secondPerson: ({ tasks }, request, who) =>
    who !== undefined &&
    'access_scope' in who &&
    CONFIRMED_KINDS.has(tasks.get(who.project_id, request.param('task_id' as never)).kind),
  summary: 'Change a task',
  example: { body: { schedule: { cron: '30 4 * * 1', time_zone: 'Europe/Berlin' } } },
  description: 'Name, schedule, parameters (replaced as a whole) or enabled; a run under way goes on as it began.',
  conflicts: CANNOT_WORK,
  answer: detailedTaskView,
  body: taskPatch,
  run: async ({ tasks }, request, caller) => {
    const { task_id: taskId, project_id: projectId } = tasks.get(caller.project_id, request.param('task_id'))
    return detailedTaskViewOf(await tasks.patch(projectId, taskId, request.body()), Date.now())
  },
})

export const deleteTask = operation({
  method: 'DELETE',
  url: TASK,
  access: 'administrator',
  status: 204,
  summary: 'Delete a task',
  description: 'Its history goes too, and a run under way is interrupted.',
  run: async ({ tasks }, request, caller) => {
    await tasks.remove(caller.project_id, request.param('task_id'))
    return {}
  },
})

export const runTask = operation({
  method: 'POST',
  url: `${TASK}/run`,
  access: 'administrator',
  status: 202,
  summary: 'Run a task',
  description: 'Begins a run now, also of a disabled task; its runs say how it ends.',
  conflicts: 'The task is running',
  answer: taskRunView,
  run: async ({ scheduler }, request, caller) =>
    taskRunViewOf(await scheduler.runNow(caller.project_id, request.param('task_id'))),
})

export const listTaskRuns = operation({
  method: 'GET',
  url: `${TASK}/runs`,
  access: 'overseer',
  summary: 'List the runs of a task',
  example: { query: { limit: 5 } },
  description: 'Newest first; of each task the last 100 are kept.',
  query: runsQuery,
  table: 'runs',
  answer: z.strictObject({
    runs: z.array(taskRunView),
    count: z.int(),
    next_before: z.string().optional().meta({ description: 'Where the next page begins, while there is more' }),
  }),
  run: async ({ tasks }, request, caller) => {
    const { task_id: taskId, project_id: projectId } = tasks.get(caller.project_id, request.param('task_id'))
    const { limit, before } = request.query()
    const page = { limit: limit + 1, ...(before === undefined ? {} : { before }) }
    const found = await tasks.runs(projectId, taskId, page)
    const runs = found.slice(0, limit).map(taskRunViewOf)
    const last = found.length > limit ? runs.at(-1) : undefined
    return { runs, count: runs.length, ...(last === undefined ? {} : { next_before: last.run_id }) }
  },
})

/** Scheduled tasks: made and changed by administrators, seen by whoever oversees the project. What a handler looks up before it reads the body decides that 404 comes before 422. */
export const taskOperations = [
  listTasks,
  createTask,
  checkTask,
  getTask,
  changeTask,
  deleteTask,
  runTask,
  listTaskRuns,
] as const
