import { randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { parseInput } from '../base/parse-input.js'
import { Problem } from '../base/problem.js'
import { echo } from '../base/text.js'
import { isoInstant } from '../base/window.js'
import type { TaskRecord, TaskRunRecord } from '../store/records/task.js'
import { type Followed, SharedRecords, type Sharing } from '../store/shared-records.js'
import type { Lease } from '../store/leases.js'
import type { TaskStore } from '../store/task-store.js'
import { knownKind } from './known-kind.js'
import { Schedule } from './schedule.js'
import type { NewTask, TaskPatch } from './task-fields.js'
import type { TaskServices } from './task-services.js'
import { nextRunOf } from './task-view.js'

/** Runs of a task that are kept. */
const MOST_KEPT_RUNS = 100

/** Tasks a project may have. */
const MOST_TASKS = 200

export interface TasksParts {
  readonly store: TaskStore
  readonly sharing?: Sharing
  readonly services: TaskServices
  /** Milliseconds since 1970. */
  readonly clock: () => number
}

/** What of a task is checked. */
type CheckedFields = Pick<NewTask, 'kind' | 'schedule' | 'parameters'>

/** What a schedule and parameters come to once they are checked. */
export type CheckedTask = Pick<TaskRecord, 'kind' | 'cron' | 'time_zone' | 'parameters'>

/** The registry of tasks: in memory, every change in the store first. */
export class Tasks {
  readonly #parts: TasksParts
  readonly #records: SharedRecords<TaskRecord>
  readonly #listeners = new Set<(taskId: string) => void>()

  private constructor(parts: TasksParts) {
    this.#parts = parts
    const { store, sharing } = parts
    this.#records = new SharedRecords({
      kind: 'tasks',
      sharing,
      all: () => store.all(),
      idOf: one => one.task_id,
      kept: (after, before) => this.#tell((after ?? before)?.task_id ?? ''),
    })
  }

  /** Reads every task of the store. */
  static async load(parts: TasksParts): Promise<Tasks> {
    const tasks = new Tasks(parts)
    await tasks.#records.load()
    return tasks
  }

  /** What others change is taken up by. */
  get followed(): Followed {
    return this.#records
  }

  /** Every task of every project. */
  all(): readonly TaskRecord[] {
    return [...this.#records.values()]
  }

  /** The tasks of a project, in the order they were made. */
  list(projectId: string): readonly TaskRecord[] {
    return this.all()
      .filter(task => task.project_id === projectId)
      .sort((a, b) => (a.created_at + a.task_id < b.created_at + b.task_id ? -1 : 1))
  }

  find(taskId: string): TaskRecord | undefined {
    return this.#records.get(taskId)
  }

  /** @throws Problem `not_found`, also for a task of another project */
  get(projectId: string, taskId: string): TaskRecord {
    const task = this.#records.get(taskId)
    if (task?.project_id !== projectId) throw new Problem('not_found', `Task not found: ${echo(taskId)}`)
    return task
  }

  /** @throws Problem `invalid_input` for an unknown kind, a wrong schedule or parameters that can't work here */
  async check(projectId: string, fields: CheckedFields): Promise<CheckedTask> {
    const project = this.#parts.services.projects.get(projectId)
    const now = this.#parts.clock()
    const kind = knownKind(fields.kind)
    const { cron, time_zone: zone = project.timezone } = fields.schedule
    Schedule.read(cron, zone, now)
    const parameters = parseInput(kind.parameters, fields.parameters, 'parameter')
    await kind.check(parameters, { services: this.#parts.services, project, now, isRun: false })
    return { kind: kind.name, cron, time_zone: zone, parameters: parameters as Record<string, unknown> }
  }

  /** @throws Problem as `check`; `conflict` when the project has too many */
  async create(projectId: string, fields: NewTask, author: string): Promise<TaskRecord> {
    // Before the turn: it may ask a network, for which the tasks of others must not wait.
    const checked = await this.check(projectId, fields)
    return await this.#records.run(async () => {
      if (this.list(projectId).length >= MOST_TASKS) {
        throw new Problem('conflict', `A project has at most ${MOST_TASKS} tasks: delete one first`)
      }
      const now = this.#parts.clock()
      const task: TaskRecord = {
        task_id: `task_${randomBytes(8).toString('hex')}`,
        project_id: projectId,
        name: fields.name ?? checked.kind,
        ...checked,
        enabled: fields.enabled,
        created_at: isoInstant(now),
        created_by: author,
        ...(fields.enabled ? nextRunOf(checked, now) : {}),
      }
      await this.#records.put(task, () => this.#parts.store.insert(task))
      return task
    })
  }

  /** Changes the fields that are given. @throws Problem `not_found`, and as `check` */
  async patch(projectId: string, taskId: string, patch: TaskPatch): Promise<TaskRecord> {
    await this.#records.catchUp()
    for (;;) {
      const asked = askedOf(this.get(projectId, taskId), patch)
      // oxlint-disable-next-line no-await-in-loop -- until nobody changes it meanwhile
      const changed = await this.#patchChecked(projectId, taskId, patch, asked, await this.check(projectId, asked))
      if (changed !== undefined) return changed
    }
  }

  /** undefined where it is no longer the task that was checked. */
  #patchChecked(
    projectId: string,
    taskId: string,
    patch: TaskPatch,
    asked: CheckedFields,
    checked: CheckedTask,
  ): Promise<TaskRecord | undefined> {
    return this.#records.run(async () => {
      const task = this.get(projectId, taskId)
      if (!isDeepStrictEqual(askedOf(task, patch), asked)) return undefined
      const enabled = patch.enabled ?? task.enabled
      const { next_run: due, owed, ...rest } = task
      const sameTimes = task.enabled && checked.cron === task.cron && checked.time_zone === task.time_zone
      const next = sameTimes && due !== undefined ? { next_run: due } : nextRunOf(checked, this.#parts.clock())
      const changed: TaskRecord = {
        ...rest,
        ...checked,
        name: patch.name ?? task.name,
        enabled,
        ...(enabled ? next : {}),
        ...(enabled && owed !== undefined ? { owed } : {}),
      }
      await this.#records.put(changed, () => this.#parts.store.update(changed))
      return changed
    })
  }

  /** Deletes a task and its history. @throws Problem `not_found` */
  remove(projectId: string, taskId: string): Promise<void> {
    return this.#records.run(async () => {
      this.get(projectId, taskId)
      await this.#records.remove(taskId, () => this.#parts.store.remove(taskId))
    })
  }

  /** Runs of a task, newest first. @throws Problem `not_found` */
  async runs(projectId: string, taskId: string, page: { readonly limit: number; readonly before?: string }) {
    this.get(projectId, taskId)
    return await this.#parts.store.runs(taskId, page)
  }

  /** Runs that a process began and did not end. */
  unfinished(): Promise<readonly TaskRunRecord[]> {
    return this.#parts.store.unfinished()
  }

  /**
   * Writes a run and what it changes about its task, both or neither, under the task's lease. Gives back the task, or nothing
   * when it was deleted meanwhile.
   * @throws Problem `store_unavailable` where the lease is lost
   */
  note(
    run: TaskRunRecord,
    { mayWrite, fence }: Pick<Lease, 'mayWrite' | 'fence'>,
    change: (task: TaskRecord) => TaskRecord,
  ): Promise<TaskRecord | undefined> {
    return this.#records.run(async () => {
      const task = this.#records.get(run.task_id)
      if (task === undefined) return undefined
      mayWrite()
      const changed = change(task)
      const how = { keep: MOST_KEPT_RUNS, fence }
      await this.#records.put(changed, () => this.#parts.store.putRun(run, changed, how))
      return changed
    })
  }

  /** Hears of every task that is new, changed or gone. Gives back what ends that. */
  onChange(listener: (taskId: string) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  #tell(taskId: string): void {
    for (const listener of this.#listeners) listener(taskId)
  }
}

/** What of a task is to be checked where it is changed. */
function askedOf({ kind, cron, time_zone, parameters }: TaskRecord, patch: TaskPatch): CheckedFields {
  return { kind, schedule: patch.schedule ?? { cron, time_zone }, parameters: patch.parameters ?? parameters }
}
