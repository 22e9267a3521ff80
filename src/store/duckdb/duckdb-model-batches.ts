import type { DuckDBConnection } from '@duckdb/node-api'
import { modelBatch, type ModelBatchRecord } from '../records/model-batch.js'
import type { BatchCall, ModelBatchStore } from '../model-batch-store.js'
import type { Reading, Writing } from './engine.js'

const BATCH = 'project_id = $1 and batch_id = $2'
/** Batches that are settled are remembered for the operator, so many of a project. */
const MOST_SETTLED = 100

export class DuckDbModelBatches implements ModelBatchStore {
  readonly #writer: Writing
  readonly #reader: Reading

  constructor(writer: Writing, reader: Reading) {
    this.#writer = writer
    this.#reader = reader
  }

  async of(projectId: string): Promise<readonly ModelBatchRecord[]> {
    const rows = await this.#reader.rows(
      `select record from model_batches where project_id = $1 order by (record->>'created_at') desc, batch_id`,
      [projectId],
    )
    return rows.map(([record]) => modelBatch.stored.parse(JSON.parse(String(record))))
  }

  async names(): Promise<ReadonlySet<string>> {
    const rows = await this.#reader.rows(
      `select (record->>'remote_id') from model_batches where (record->>'remote_id') is not null`,
    )
    return new Set(rows.map(([name]) => String(name)))
  }

  async calls(projectId: string, batchId: string): Promise<readonly BatchCall[]> {
    const rows = await this.#reader.rows(`select session_id, request from model_batch_calls where ${BATCH}`, [
      projectId,
      batchId,
    ])
    return rows.map(([id, request]) => ({ session_id: String(id), request: String(request) }))
  }

  async begin(batch: ModelBatchRecord, calls: readonly BatchCall[]): Promise<void> {
    await this.#writer.transaction(async connection => {
      await put(connection, batch)
      await forgetCalls(connection, batch.project_id, batch.batch_id)
      await connection.run(
        `insert into model_batch_calls select $1, $2, c.session_id, c.request
         from (select unnest(json_transform($3::JSON, '[{"session_id":"VARCHAR","request":"VARCHAR"}]'), recursive := true)) c`,
        [batch.project_id, batch.batch_id, JSON.stringify(calls)],
      )
    })
  }

  async note(batch: ModelBatchRecord): Promise<void> {
    await this.#writer.transaction(async connection => {
      if ((await open(connection, batch)) !== undefined) await put(connection, batch)
    })
  }

  async settle(batch: ModelBatchRecord): Promise<void> {
    const { project_id: projectId } = batch
    await this.#writer.transaction(async connection => {
      if ((await open(connection, batch)) !== undefined) await put(connection, batch)
      await forgetCalls(connection, projectId, batch.batch_id)
      await connection.run(
        `delete from model_batches where project_id = $1 and batch_id in (
           select batch_id from model_batches where project_id = $1 and (record->>'settled_at') is not null
           order by (record->>'created_at') desc offset $2)`,
        [projectId, MOST_SETTLED],
      )
    })
  }

  async remove(batch: Pick<ModelBatchRecord, 'project_id' | 'batch_id' | 'remote_id'>): Promise<void> {
    const { project_id: projectId, batch_id: batchId, remote_id: remoteId } = batch
    await this.#writer.transaction(async connection => {
      const there = await open(connection, batch)
      if (there === undefined || there.remote_id !== remoteId) return
      await connection.run(`delete from model_batches where ${BATCH}`, [projectId, batchId])
      await forgetCalls(connection, projectId, batchId)
    })
  }
}

/** What is known of a batch that is not settled. */
async function open(
  connection: DuckDBConnection,
  { project_id: projectId, batch_id: id }: Pick<ModelBatchRecord, 'project_id' | 'batch_id'>,
): Promise<ModelBatchRecord | undefined> {
  const found = await connection.runAndReadAll(`select record from model_batches where ${BATCH}`, [projectId, id])
  const [row] = found.getRowsJS()
  const batch = row && modelBatch.stored.parse(JSON.parse(row[0] as string))
  return batch?.settled_at === undefined ? batch : undefined
}

async function put(connection: DuckDBConnection, batch: ModelBatchRecord): Promise<void> {
  const { project_id: projectId, batch_id: id } = batch
  await connection.run(`delete from model_batches where ${BATCH}`, [projectId, id])
  await connection.run('insert into model_batches values ($1, $2, $3)', [projectId, id, JSON.stringify(batch)])
}

async function forgetCalls(connection: DuckDBConnection, projectId: string, batchId: string): Promise<void> {
  await connection.run(`delete from model_batch_calls where ${BATCH}`, [projectId, batchId])
}
