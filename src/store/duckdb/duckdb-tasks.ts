import { Problem } from '../../base/problem.js'
import { task, type TaskRecord, taskRun, type TaskRunRecord } from '../records/task.js'
import type { RunWriting, TaskStore } from '../task-store.js'
import type { Reading, Writing } from './engine.js'
import { AT_A_START } from './reading/reader.js'

const runOf = ([record]: readonly unknown[]): TaskRunRecord => taskRun.stored.parse(JSON.parse(String(record)))

/** Keeps tasks and runs, each as its JSON. That an id is there once is the work of the one lane for writes. */
export class DuckDbTasks implements TaskStore {
  readonly #writer: Writing
  readonly #reader: Reading

  constructor(writer: Writing, reader: Reading) {
    this.#writer = writer
    this.#reader = reader
  }

  async insert(task: TaskRecord): Promise<void> {
    await this.#writer.transaction(connection =>
      connection.run('insert into tasks values ($1, $2)', [task.task_id, JSON.stringify(task)]),
    )
  }

  async update(task: TaskRecord): Promise<void> {
    const { rowsChanged } = await this.#writer.transaction(connection =>
      connection.run('update tasks set record = $2 where task_id = $1', [task.task_id, JSON.stringify(task)]),
    )
    if (rowsChanged === 0) throw new Problem('not_found', 'Task not found')
  }

  async remove(taskId: string): Promise<boolean> {
    return await this.#writer.transaction(async connection => {
      await connection.run('delete from task_runs where task_id = $1', [taskId])
      const { rowsChanged } = await connection.run('delete from tasks where task_id = $1', [taskId])
      return rowsChanged > 0
    })
  }

  async all(): Promise<readonly TaskRecord[]> {
    const rows = await this.#reader.rows('select record from tasks order by task_id', [], AT_A_START)
    return rows.map(([record]) => task.stored.parse(JSON.parse(String(record))))
  }

  async putRun(run: TaskRunRecord, task: TaskRecord, { keep }: RunWriting): Promise<void> {
    await this.#writer.transaction(async connection => {
      const { rowsChanged } = await connection.run('update tasks set record = $2 where task_id = $1', [
        task.task_id,
        JSON.stringify(task),
      ])
      if (rowsChanged === 0) return
      const changed = await connection.run('update task_runs set record = $2 where run_id = $1', [
        run.run_id,
        JSON.stringify(run),
      ])
      if (changed.rowsChanged > 0) return
      await connection.run('insert into task_runs (task_id, run_id, record) values ($1, $2, $3)', [
        run.task_id,
        run.run_id,
        JSON.stringify(run),
      ])
      await connection.run(
        `delete from task_runs where task_id = $1 and seq <=
           (select seq from task_runs where task_id = $1 order by seq desc limit 1 offset $2)`,
        [run.task_id, keep],
      )
    })
  }

  async runs(
    taskId: string,
    { limit, before }: { readonly limit: number; readonly before?: string },
  ): Promise<readonly TaskRunRecord[]> {
    const rows = await this.#reader.rows(
      `select record from task_runs where task_id = $1
         and ($2 is null or seq < (select seq from task_runs where run_id = $2)) order by seq desc limit $3`,
      [taskId, before ?? null, limit],
    )
    return rows.map(runOf)
  }

  async unfinished(): Promise<readonly TaskRunRecord[]> {
    const rows = await this.#reader.rows(`select record from task_runs where record->>'state' = 'running' order by seq`)
    return rows.map(runOf)
  }
}
