import {
  BLOB,
  DuckDBBlobValue,
  type DuckDBConnection,
  DuckDBDataChunk,
  type DuckDBValue,
  VARCHAR,
} from '@duckdb/node-api'
import { otherWork } from '../../../base/other-work.js'
import type { PreparedCall } from '../../store.js'

/** Rows copied before others are answered. */
const CHUNK_ROWS = 512

/** A chunk to copy through. Reused: the memory of a chunk only goes when JavaScript collects it, which sees no need to. */
export function stagingChunk(): DuckDBDataChunk {
  return DuckDBDataChunk.create([VARCHAR, VARCHAR, VARCHAR, BLOB], CHUNK_ROWS)
}

/**
 * Runs a statement over calls, some at a time: each slice in turn is what the temporary table `staged (session_id, agent_id, agent_name,
 * json)` holds. With external access off the engine reads no files. JSON is staged as bytes, which the copying takes as they are.
 * The statement is planned once: a large one takes some 4 ms.
 */
export async function overStaged(
  connection: DuckDBConnection,
  slices: Iterable<readonly PreparedCall[]>,
  { statement, values }: { readonly statement: string; readonly values: DuckDBValue[] },
  chunk: DuckDBDataChunk = stagingChunk(),
): Promise<void> {
  await connection.run(
    'create or replace temp table staged (session_id VARCHAR, agent_id VARCHAR, agent_name VARCHAR, json BLOB)',
  )
  const prepared = await connection.prepare(statement)
  try {
    // oxlint-disable no-await-in-loop -- a slice at a time bounds the memory
    for (const slice of slices) {
      await stage(connection, slice, chunk)
      prepared.bind(values)
      await prepared.run()
      await connection.run('delete from staged')
    }
    // oxlint-enable no-await-in-loop
  } finally {
    prepared.destroySync()
  }
}

async function stage(
  connection: DuckDBConnection,
  calls: readonly PreparedCall[],
  chunk: DuckDBDataChunk,
): Promise<void> {
  const appender = await connection.createAppender('staged', 'main', 'temp')
  try {
    for (let start = 0; start < calls.length; start += CHUNK_ROWS) {
      const part = calls.slice(start, start + CHUNK_ROWS)
      chunk.reset()
      chunk.rowCount = part.length
      chunk.setColumns([
        part.map(call => call.session_id),
        part.map(call => call.agent_id),
        part.map(call => call.agent_name),
        part.map(({ json }) => new DuckDBBlobValue(typeof json === 'string' ? Buffer.from(json) : json)),
      ])
      appender.appendDataChunk(chunk)
      // oxlint-disable-next-line no-await-in-loop -- one chunk at a time is the purpose: others are answered between
      await otherWork()
    }
  } finally {
    appender.closeSync()
  }
}
