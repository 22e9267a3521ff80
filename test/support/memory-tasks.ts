import { Problem } from '../../src/base/problem.js'
import type { TaskRecord, TaskRunRecord } from '../../src/store/records/task.js'
import type { RunWriting, TaskStore } from '../../src/store/task-store.js'

/** Tasks and runs as a store keeps them, in memory; `failing` makes every write fail. */
export class MemoryTasks implements TaskStore {
  readonly tasks = new Map<string, TaskRecord>()
  readonly runRecords = new Map<string, TaskRunRecord>()
  failing = false

  async insert(task: TaskRecord): Promise<void> {
    this.#check()
    this.tasks.set(task.task_id, task)
  }

  async update(task: TaskRecord): Promise<void> {
    this.#check()
    if (!this.tasks.has(task.task_id)) throw new Problem('not_found', 'Task not found')
    this.tasks.set(task.task_id, task)
  }

  async remove(taskId: string): Promise<boolean> {
    this.#check()
    for (const run of await this.runs(taskId, { limit: Infinity })) this.runRecords.delete(run.run_id)
    return this.tasks.delete(taskId)
  }

  async all(): Promise<readonly TaskRecord[]> {
    return [...this.tasks.values()]
  }

  async putRun(run: TaskRunRecord, task: TaskRecord, { keep }: RunWriting): Promise<void> {
    this.#check()
    if (!this.tasks.has(task.task_id)) return
    this.tasks.set(task.task_id, task)
    this.runRecords.set(run.run_id, run)
    for (const old of (await this.runs(task.task_id, { limit: Infinity })).slice(keep)) {
      this.runRecords.delete(old.run_id)
    }
  }

  async runs(
    taskId: string,
    { limit, before }: { readonly limit: number; readonly before?: string },
  ): Promise<readonly TaskRunRecord[]> {
    const runs = [...this.runRecords.values()].filter(run => run.task_id === taskId).toReversed()
    if (before === undefined) return runs.slice(0, limit)
    const at = runs.findIndex(run => run.run_id === before)
    return at === -1 ? [] : runs.slice(at + 1).slice(0, limit)
  }

  async unfinished(): Promise<readonly TaskRunRecord[]> {
    return [...this.runRecords.values()].filter(({ state }) => state === 'running')
  }

  #check(): void {
    if (this.failing) throw new Error('disk full')
  }
}
