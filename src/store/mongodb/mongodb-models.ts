import type { AnsweredQuestion, ModelAnswerStore, ModelQuestion } from '../model-answer-store.js'
import type { BatchCall, ModelBatchStore } from '../model-batch-store.js'
import { modelBatch, type ModelBatchRecord } from '../records/model-batch.js'
import { idOf } from './call-document.js'
import type { FencedDocuments } from './fenced-documents.js'
import { type Kept, type MongoDatabase, TakenOver, upTo } from './mongodb-database.js'
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
  readonly #documents: FencedDocuments

  constructor(database: MongoDatabase, lane: WriteLane, documents: FencedDocuments) {
    this.#database = database
    this.#lane = lane
    this.#documents = documents
  }

  async get(question: ModelQuestion): Promise<string | undefined> {
    const { project_id } = question
    const found = await this.#database.reading(ANSWERS).findOne({ _id: answerId(project_id, question), project_id })
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
      await this.#documents.put(
        projectId,
        ANSWERS,
        kept.map(one => ({ _id: answerId(projectId, one), project_id: projectId, ...one })),
      )
    })
  }
}

/** Batches that are settled are remembered for the operator, so many of a project. */
const MOST_SETTLED = 100
const BATCHES = 'model_batches'
const CALLS = 'model_batch_calls'

/** A batch whose calls are written or go: they stay where it is known and not settled. */
interface UnfinishedBatch extends Unfinished {
  readonly kind: 'batch'
  readonly batch_id: string
  /** Of the documents of calls that are written. */
  readonly ids: readonly string[]
}

/** The document of a batch, as JSON beside what it is found and sorted by. */
function keptBatch(batch: ModelBatchRecord): Kept {
  const { project_id, batch_id, created_at, remote_id } = batch
  const fields = { project_id, batch_id, created_at, sent: remote_id !== undefined }
  return { _id: inProject(project_id, batch_id), ...fields, record: JSON.stringify(batch) }
}

/** Remembers what was sent to a model's provider in batches. */
export class MongoModelBatches implements ModelBatchStore {
  readonly #database: MongoDatabase
  readonly #lane: WriteLane
  readonly #documents: FencedDocuments
  readonly #records: MongoRecords<ModelBatchRecord>

  constructor(database: MongoDatabase, lane: WriteLane, documents: FencedDocuments) {
    this.#database = database
    this.#lane = lane
    this.#documents = documents
    this.#records = new MongoRecords(database, BATCHES, modelBatch.stored)
    lane.finishes<UnfinishedBatch>('batch', async ({ project_id, batch_id, ids }) => {
      await documents.fence(CALLS, ids)
      await documents.fence(BATCHES, [inProject(project_id, batch_id)])
      if ((await this.#open({ project_id, batch_id })) === undefined) await this.#forgetCalls(project_id, batch_id)
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
    const written = calls.map((one): Kept => ({
      _id: inProject(project_id, JSON.stringify([batch_id, one.session_id, one.request])),
      project_id,
      batch_id,
      ...one,
    }))
    return this.#changing(batch, written, async write => {
      await this.#forgetCalls(project_id, batch_id)
      await this.#documents.write(CALLS, write, written)
      await this.#documents.write(BATCHES, write, [keptBatch(batch)])
    })
  }

  note(batch: ModelBatchRecord): Promise<void> {
    return this.#lane.run(batch.project_id, async () => {
      if ((await this.#open(batch)) === undefined) return
      await this.#documents.put(batch.project_id, BATCHES, [keptBatch(batch)])
    })
  }

  settle(batch: ModelBatchRecord): Promise<void> {
    const { project_id, batch_id } = batch
    return this.#changing(batch, [], async write => {
      if ((await this.#open(batch)) !== undefined) await this.#documents.write(BATCHES, write, [keptBatch(batch)])
      await this.#forgetCalls(project_id, batch_id)
      const settled = (await this.of(project_id)).filter(one => one.settled_at !== undefined)
      const old = settled.slice(MOST_SETTLED).map(one => inProject(project_id, one.batch_id))
      if (old.length > 0) await this.#records.remove(...old)
    })
  }

  remove(batch: Pick<ModelBatchRecord, 'project_id' | 'batch_id' | 'remote_id'>): Promise<void> {
    const { project_id, batch_id, remote_id } = batch
    return this.#changing(batch, [], async write => {
      const open = await this.#open(batch)
      if (open === undefined || open.remote_id !== remote_id) return
      const asRead = { _id: inProject(project_id, batch_id), ...upTo(write) }
      const { deletedCount } = await this.#database.writing(BATCHES).deleteOne(asRead)
      if (deletedCount === 0) throw new TakenOver()
      await this.#forgetCalls(project_id, batch_id)
    })
  }

  #changing(
    { project_id, batch_id }: Pick<ModelBatchRecord, 'project_id' | 'batch_id'>,
    written: readonly Kept[],
    steps: (write: number) => Promise<void>,
  ): Promise<void> {
    return this.#lane.run(project_id, async () => {
      const { write } = await this.#lane.number()
      const ids = written.map(one => one._id)
      const unfinished: UnfinishedBatch = { _id: write, kind: 'batch', project_id, batch_id, ids }
      await this.#lane.noting(unfinished, () => steps(write))
    })
  }

  /** What is known of a batch that is not settled. */
  async #open({ project_id, batch_id }: Pick<ModelBatchRecord, 'project_id' | 'batch_id'>) {
    const [batch] = await this.#records.find({ _id: inProject(project_id, batch_id) }, { _id: 1 })
    return batch?.settled_at === undefined ? batch : undefined
  }

  async #forgetCalls(projectId: string, batchId: string): Promise<void> {
    await this.#database.writing(CALLS).deleteMany({ project_id: projectId, batch_id: batchId })
  }
}
