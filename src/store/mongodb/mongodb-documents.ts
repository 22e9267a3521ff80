import type { ImportStore } from '../import-store.js'
import { type KnowledgeStamp, type KnowledgeStore, stampOf } from '../knowledge-store.js'
import { inboundWebhook, type InboundWebhookRecord } from '../records/inbound-webhook.js'
import { knowledgeDocument, type KnowledgeDocument } from '../records/knowledge-document.js'
import { mapping, type MappingRecord } from '../records/mapping.js'
import { rubricRecord, type RubricRecord, type RubricStore } from '../rubric-store.js'
import type { MongoDatabase } from './mongodb-database.js'
import { inProject, MongoRecords, MongoShelf } from './mongodb-records.js'

/** Keeps documents of knowledge bases, of 16 MiB at most. */
export class MongoKnowledge implements KnowledgeStore {
  readonly #database: MongoDatabase
  readonly #records: MongoRecords<KnowledgeDocument>

  constructor(database: MongoDatabase) {
    this.#database = database
    this.#records = new MongoRecords(database, 'knowledge', knowledgeDocument.stored, 'knowledge')
  }

  put(document: KnowledgeDocument): Promise<boolean> {
    const { project_id, kb_id, name } = document
    return this.#records.put(inProject(project_id, kb_id), document, { ...stampOf(document), name })
  }

  remove(projectId: string, kbId: string): Promise<boolean> {
    return this.#records.remove(inProject(projectId, kbId))
  }

  async get(projectId: string, kbId: string): Promise<KnowledgeDocument | undefined> {
    const [found] = await this.#records.find({ _id: inProject(projectId, kbId) }, { _id: 1 })
    return found
  }

  async stamps(): Promise<readonly KnowledgeStamp[]> {
    const found = await this.#database
      .reading('knowledge')
      .find({ record: { $exists: true } }, { projection: { project_id: 1, kb_id: 1, stamp: 1 } })
      .toArray()
    return found.map(one => ({
      project_id: String(one['project_id']),
      kb_id: String(one['kb_id']),
      stamp: String(one['stamp']),
    }))
  }

  all(projectId?: string): Promise<readonly KnowledgeDocument[]> {
    const filter = projectId === undefined ? {} : { project_id: projectId }
    return this.#records.find(filter, { project_id: 1, name: 1, kb_id: 1 })
  }
}

/** Keeps rubrics. */
export class MongoRubrics implements RubricStore {
  readonly #records: MongoRecords<RubricRecord>

  constructor(database: MongoDatabase) {
    this.#records = new MongoRecords(database, 'rubrics', rubricRecord, 'rubrics')
  }

  async add(rubric: RubricRecord): Promise<void> {
    const { project_id, version } = rubric
    if (await this.#records.insert(inProject(project_id, String(version)), rubric, { project_id, version })) return
    throw new Error(`The rubric's version ${version} was set already`)
  }

  all(): Promise<readonly RubricRecord[]> {
    return this.#records.find({}, { project_id: 1, version: 1 })
  }
}

/** Saved mappings, inbound webhooks and what these took. */
export class MongoImports implements ImportStore {
  readonly #database: MongoDatabase
  readonly mappings: MongoShelf<MappingRecord>
  readonly inbound: MongoShelf<InboundWebhookRecord>

  constructor(database: MongoDatabase) {
    this.#database = database
    this.mappings = new MongoShelf<MappingRecord>(database, {
      collection: 'mappings',
      schema: mapping.stored,
      idOf: record => record.mapping_id,
    })
    this.inbound = new MongoShelf<InboundWebhookRecord>(database, {
      collection: 'inbound_webhooks',
      schema: inboundWebhook.stored,
      idOf: record => record.webhook_id,
    })
  }

  async wasTaken(webhookId: string, digest: string): Promise<boolean> {
    return (
      (await this.#database
        .reading('inbound_taken')
        .findOne({ _id: `${webhookId}:${digest}` }, { projection: { _id: 1 } })) !== null
    )
  }

  async take(webhookId: string, digest: string, at: number, forget: number): Promise<void> {
    const taken = this.#database.writing('inbound_taken')
    await taken.deleteMany({ taken_at: { $lt: new Date(forget) } })
    await taken.updateOne({ _id: `${webhookId}:${digest}` }, { $set: { taken_at: new Date(at) } }, { upsert: true })
  }
}
