import type { TaskRecord, TaskRunRecord } from './records/task.js'

export interface RunWriting {
  /** Runs of the task that stay, the newest. */
  readonly keep: number
  /** That of the task's lease; absent where nothing runs. A store of one process has its leases in it, and needs none. */
  readonly fence?: number
}

/** Keeps the tasks of every project and the history of their runs; running them is not the store's work. */
export interface TaskStore {
  insert(task: TaskRecord): Promise<void>
  /** Rejects with a Problem (not_found) when it is gone. */
  update(task: TaskRecord): Promise<void>
  /** Removes a task and its runs; `false` when it was not there. */
  remove(taskId: string): Promise<boolean>
  /** Every task of every project. */
  all(): Promise<readonly TaskRecord[]>
  /**
   * Writes a run, new or changed, and what it changes about its task, both or neither; durable when it resolves. Of the
   * task's runs the newest `keep` stay. Nothing is written when the task is gone.
   * @throws Problem `store_unavailable` where another process wrote a run of it under a higher fence
   */
  putRun(run: TaskRunRecord, task: TaskRecord, how: RunWriting): Promise<void>
  /** Runs of a task, newest first; of those before a run when `before` names one. */
  runs(taskId: string, page: { readonly limit: number; readonly before?: string }): Promise<readonly TaskRunRecord[]>
  /** Runs that a process began and did not end. */
  unfinished(): Promise<readonly TaskRunRecord[]>
}
