import type { Document as BsonDocument } from 'bson'
import type { AnsweredQuestion, ModelAnswerStore, ModelQuestion } from '../model-answer-store.js'
import type { BatchCall, ModelBatchStore } from '../model-batch-store.js'
import { modelBatch, type ModelBatchRecord } from '../records/model-batch.js'
import { idOf } from './call-document.js'
import type { MongoDatabase } from './mongodb-database.js'
import { inProject, MongoRecords } from './mongodb-records.js'
import type { Unfinished, WriteLane } from './write-lane.js'

const ANSWERS = 'model_answers'

/** A hash has no colon in it; ids of calls may. */
export const answerId = (projectId: string, { session_id, request }: Omit<ModelQuestion, 'project_id'>) =>
  `${projectId}:${request}:${session_id}`

/** Keeps what language models answered, in the lane for writes: what is erased with a call does not come late. */
export class MongoModelAnswers implements ModelAnswerStore {
  readonly #database: MongoDatabase
  readonly #lane: WriteLane

  constructor(database: MongoDatabase, lane: WriteLane) {
    this.#database = database
    this.#lane = lane
  }

  async get(question: ModelQuestion): Promise<string | undefined> {
    const found = await this.#database.reading(ANSWERS).findOne({ _id: answerId(question.project_id, question) })
    return found === null ? undefined : String(found['answer'])
  }

  put({ project_id: projectId, ...question }: ModelQuestion, answer: string): Promise<void> {
    return this.putAll(projectId, [{ ...question, answer }])
  }

  async putAll(projectId: string, answers: readonly AnsweredQuestion[]): Promise<void> {
    if (answers.length === 0) return
    await this.#lane.run(projectId, async () => {
      const ids = answers.map(one => idOf(projectId, one.session_id))
      const there = await this.#database
        .reading('calls')
        .find({ _id: { $in: ids }, transcript: { $exists: true } }, { projection: { _id: 1 } })
        .toArray()
      const heard = new Set(there.map(({ _id }) => _id))
      const kept = answers.filter((_, at) => heard.has(ids[at]!))
      if (kept.length === 0) return
      await this.#database.writing(ANSWERS).bulkWrite(
        kept.map(({ answer, ...question }) => ({
          replaceOne: {
            filter: { _id: answerId(projectId, question) },
            replacement: { project_id: projectId, ...question, answer },
            upsert: true,
          },
        })),
      )
    })
  }
}

/** Batches that are settled are remembered for the operator, so many of a project. */
const MOST_SETTLED = 100
const CALLS = 'model_batch_calls'

/** A batch whose calls are written or go: they stay where it is known and not settled. */
interface UnfinishedBatch extends Unfinished {
  readonly kind: 'batch'
  readonly batch_id: string
}

/** Remembers what was sent to a model's provider in batches. */
export class MongoModelBatches implements ModelBatchStore {
  readonly #database: MongoDatabase
  readonly #lane: WriteLane
  readonly #records: MongoRecords<ModelBatchRecord>

  constructor(database: MongoDatabase, lane: WriteLane) {
    this.#database = database
    this.#lane = lane
    this.#records = new MongoRecords(database, 'model_batches', modelBatch.stored)
    lane.finishes<UnfinishedBatch>('batch', async ({ project_id, batch_id }) => {
      const [batch] = await this.#records.find({ _id: inProject(project_id, batch_id) }, { _id: 1 })
      if (batch === undefined || batch.settled_at !== undefined) await this.#forgetCalls(project_id, batch_id)
    })
  }

  of(projectId: string): Promise<readonly ModelBatchRecord[]> {
    return this.#records.find({ project_id: projectId }, { created_at: -1, batch_id: 1 })
  }

  async names(): Promise<ReadonlySet<string>> {
    const found = await this.#records.find({ sent: true }, { _id: 1 })
    return new Set(found.flatMap(({ remote_id: name }) => name ?? []))
  }

  async calls(projectId: string, batchId: string): Promise<readonly BatchCall[]> {
    const found = await this.#database
      .reading(CALLS)
      .find({ project_id: projectId, batch_id: batchId }, { sort: { session_id: 1 } })
      .toArray()
    return found.map(one => ({ session_id: String(one['session_id']), request: String(one['request']) }))
  }

  begin(batch: ModelBatchRecord, calls: readonly BatchCall[]): Promise<void> {
    const { project_id, batch_id } = batch
    return this.#changing(batch, async () => {
      const written = calls.map(one => ({ project_id, batch_id, ...one }))
      if (written.length > 0) await this.#database.writing<BsonDocument>(CALLS).insertMany(written)
      await this.#put(batch)
    })
  }

  note(batch: ModelBatchRecord): Promise<void> {
    return this.#lane.run(batch.project_id, () => this.#put(batch))
  }

  settle(batch: ModelBatchRecord): Promise<void> {
    const { project_id, batch_id } = batch
    return this.#changing(batch, async () => {
      await this.#put(batch)
      await this.#forgetCalls(project_id, batch_id)
      const settled = (await this.of(project_id)).filter(one => one.settled_at !== undefined)
      const old = settled.slice(MOST_SETTLED).map(one => inProject(project_id, one.batch_id))
      if (old.length > 0) await this.#records.remove(...old)
    })
  }

  remove(projectId: string, batchId: string): Promise<void> {
    return this.#changing({ project_id: projectId, batch_id: batchId }, async () => {
      await this.#records.remove(inProject(projectId, batchId))
      await this.#forgetCalls(projectId, batchId)
    })
  }

  #changing(
    { project_id, batch_id }: Pick<ModelBatchRecord, 'project_id' | 'batch_id'>,
    steps: () => Promise<void>,
  ): Promise<void> {
    return this.#lane.run(project_id, async () => {
      const { write } = await this.#lane.number()
      const unfinished: UnfinishedBatch = { _id: write, kind: 'batch', project_id, batch_id }
      await this.#lane.noting(unfinished, steps)
    })
  }

  async #put(batch: ModelBatchRecord): Promise<void> {
    const { project_id, batch_id, created_at, remote_id } = batch
    const fields = { project_id, batch_id, created_at, sent: remote_id !== undefined }
    await this.#records.put(inProject(project_id, batch_id), batch, fields)
  }

  async #forgetCalls(projectId: string, batchId: string): Promise<void> {
    await this.#database.writing(CALLS).deleteMany({ project_id: projectId, batch_id: batchId })
  }
}
