import { z } from 'zod'
import { Problem } from '../../base/problem.js'
import { task, type TaskRecord, taskRun, type TaskRunRecord } from '../records/task.js'
import type { RunWriting, TaskStore } from '../task-store.js'
import { type MongoDatabase, TakenOver, upTo } from './mongodb-database.js'

/** A task with its runs, the oldest first: few, so that a run and what it changes about its task are one write. */
interface KeptTask {
  readonly _id: string
  readonly record: string
  readonly runs: readonly { readonly run_id: string; readonly record: string }[]
  /** Of the lease under which a run was last written. */
  readonly fence?: number
  /** The fence of the turn for tasks in which it was last written. */
  readonly turn?: number
}

const kept = z.object({ record: z.string(), runs: z.array(z.object({ run_id: z.string(), record: z.string() })) })
const runOf = ({ record }: { readonly record: string }): TaskRunRecord => taskRun.stored.parse(JSON.parse(record))

/** Keeps tasks and their runs. */
export class MongoTasks implements TaskStore {
  readonly #database: MongoDatabase

  constructor(database: MongoDatabase) {
    this.#database = database
  }

  async insert(record: TaskRecord): Promise<void> {
    await this.#writing.insertOne({ _id: record.task_id, record: JSON.stringify(record), runs: [] })
    await this.#changed()
  }

  async update(record: TaskRecord): Promise<void> {
    const { inTurn, turn } = this.#turn()
    const _id = record.task_id
    const set = { $set: { record: JSON.stringify(record), ...turn } }
    const { matchedCount } = await this.#writing.updateOne({ _id, ...inTurn }, set)
    if (matchedCount === 0)
      throw (await this.#isThere(_id)) ? new TakenOver() : new Problem('not_found', 'Task not found')
    await this.#changed()
  }

  async remove(taskId: string): Promise<boolean> {
    const { deletedCount } = await this.#writing.deleteOne({ _id: taskId })
    await this.#changed()
    return deletedCount > 0
  }

  async all(): Promise<readonly TaskRecord[]> {
    const found = await this.#reading.find({}, { sort: { _id: 1 } }).toArray()
    return found.map(one => task.stored.parse(JSON.parse(kept.parse(one).record)))
  }

  async putRun(run: TaskRunRecord, changed: TaskRecord, { keep, fence }: RunWriting): Promise<void> {
    const id = { $literal: run.run_id }
    const put = { run_id: id, record: { $literal: JSON.stringify(run) } }
    const replaced = {
      $map: { input: '$runs', as: 'one', in: { $cond: [{ $eq: ['$$one.run_id', id] }, put, '$$one'] } },
    }
    const added = { $slice: [{ $concatArrays: ['$runs', [put]] }, -keep] }
    // One step, as a pipeline: whether the run is there is found out where it is written.
    const _id = changed.task_id
    const { inTurn, turn } = this.#turn()
    const ours = { _id, ...inTurn, ...(fence !== undefined && upTo(fence)) }
    const { matchedCount } = await this.#writing.updateOne(ours, [
      {
        $set: {
          record: { $literal: JSON.stringify(changed) },
          runs: { $cond: [{ $in: [id, '$runs.run_id'] }, replaced, added] },
          ...(fence !== undefined && { fence }),
          ...turn,
        },
      },
    ])
    if (matchedCount === 0 && (await this.#isThere(_id))) throw new TakenOver()
    await this.#changed()
  }

  async runs(
    taskId: string,
    { limit, before }: { readonly limit: number; readonly before?: string },
  ): Promise<readonly TaskRunRecord[]> {
    const found = await this.#reading.findOne({ _id: taskId })
    if (found === null) return []
    const { runs } = kept.parse(found)
    const end = before === undefined ? runs.length : runs.findIndex(one => one.run_id === before)
    return runs.slice(0, Math.max(end, 0)).slice(-limit).toReversed().map(runOf)
  }

  async unfinished(): Promise<readonly TaskRunRecord[]> {
    const found = await this.#reading.find({ 'runs.0': { $exists: true } }).toArray()
    return found
      .flatMap(one => kept.parse(one).runs.map(runOf))
      .filter(({ state }) => state === 'running')
      .toSorted((a, b) => (a.started_at < b.started_at ? -1 : 1))
  }

  /** What was not written in a later turn for tasks than this is in, and what says of it that it was in this. */
  #turn(): { readonly inTurn: object; readonly turn: { readonly turn?: number } } {
    const turn = this.#database.fenceOf('tasks')
    return turn === undefined ? { inTurn: {}, turn: {} } : { inTurn: { turn: { $not: { $gt: turn } } }, turn: { turn } }
  }

  async #isThere(_id: string): Promise<boolean> {
    return (await this.#reading.countDocuments({ _id })) > 0
  }

  async #changed(): Promise<void> {
    await this.#database.versions.raise('tasks')
  }

  get #reading() {
    return this.#database.reading<KeptTask>('tasks')
  }

  get #writing() {
    return this.#database.writing<KeptTask>('tasks')
  }
}
