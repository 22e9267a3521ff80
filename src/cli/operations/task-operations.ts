import type { Door } from '../../control/door.js'
import type { CheckedTask } from '../../tasks/tasks.js'
import type { DetailedTaskView, TaskRunView, TaskView } from '../../tasks/task-view.js'

const TASKS = '/api/v1/tasks'
const TASK = `${TASKS}/:task_id`

/** A task as a command writes it down; the routes check it. */
export interface TaskFields {
  readonly name?: string | undefined
  readonly kind?: string | undefined
  readonly schedule?: { readonly cron: string; readonly time_zone?: string | undefined } | undefined
  readonly parameters?: Readonly<Record<string, unknown>> | undefined
  readonly enabled?: boolean | undefined
}

export type CheckedTaskView = Pick<CheckedTask, 'kind' | 'parameters'> &
  Pick<DetailedTaskView, 'schedule' | 'next_runs'>

interface RunPage {
  readonly runs: readonly TaskRunView[]
  readonly next_before?: string
}

/** What commands do with scheduled tasks, through whichever door is open. All reject with the Problems of the routes. */
export class TaskOperations {
  readonly #door: Door

  constructor(door: Door) {
    this.#door = door
  }

  async list(project: string): Promise<readonly TaskView[]> {
    const answer = await this.#door.ask({ method: 'GET', url: TASKS, project })
    return (answer as { tasks: readonly TaskView[] }).tasks
  }

  async get(project: string, task_id: string): Promise<DetailedTaskView> {
    return (await this.#door.ask({ method: 'GET', url: TASK, params: { task_id }, project })) as DetailedTaskView
  }

  async create(project: string, body: TaskFields): Promise<DetailedTaskView> {
    return (await this.#door.ask({ method: 'POST', url: TASKS, body, project })) as DetailedTaskView
  }

  async check(project: string, body: TaskFields): Promise<CheckedTaskView> {
    return (await this.#door.ask({ method: 'POST', url: `${TASKS}/check`, body, project })) as CheckedTaskView
  }

  async change(project: string, task_id: string, body: TaskFields): Promise<DetailedTaskView> {
    return (await this.#door.ask({
      method: 'PATCH',
      url: TASK,
      params: { task_id },
      body,
      project,
    })) as DetailedTaskView
  }

  async remove(project: string, task_id: string): Promise<void> {
    await this.#door.ask({ method: 'DELETE', url: TASK, params: { task_id }, project })
  }

  async run(project: string, task_id: string): Promise<TaskRunView> {
    return (await this.#door.ask({ method: 'POST', url: `${TASK}/run`, params: { task_id }, project })) as TaskRunView
  }

  async runs(project: string, task_id: string, limit: number): Promise<RunPage> {
    const query = { limit: String(limit) }
    return (await this.#door.ask({
      method: 'GET',
      url: `${TASK}/runs`,
      params: { task_id },
      query,
      project,
    })) as RunPage
  }
}
