import type { TaskRecord, TaskRunRecord } from '../../src/store/records/task.js'
import type { TaskStore } from '../../src/store/task-store.js'

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
    this.tasks.set(task.task_id, task)
  }

  async remove(taskId: string): Promise<boolean> {
    this.#check()
    return this.tasks.delete(taskId)
  }

  async all(): Promise<readonly TaskRecord[]> {
    return [...this.tasks.values()]
  }

  async putRun(run: TaskRunRecord, task: TaskRecord): Promise<void> {
    this.#check()
    if (!this.tasks.has(task.task_id)) return
    this.tasks.set(task.task_id, task)
    this.runRecords.set(run.run_id, run)
  }

  async runs(taskId: string, { limit }: { readonly limit: number }): Promise<readonly TaskRunRecord[]> {
    return [...this.runRecords.values()]
      .filter(run => run.task_id === taskId)
      .toReversed()
      .slice(0, limit)
  }

  async unfinished(): Promise<readonly TaskRunRecord[]> {
    return [...this.runRecords.values()].filter(({ state }) => state === 'running')
  }

  #check(): void {
    if (this.failing) throw new Error('disk full')
  }
}
