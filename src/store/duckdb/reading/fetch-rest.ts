import { serialize } from 'node:v8'
import type { DuckDBConnection } from '@duckdb/node-api'
import { Problem } from '../../../base/problem.js'
import { type Compiled, throwFailure } from '../../../pipeline/index.js'
import type { RestBounds } from '../../rest-bounds.js'
import type { Deadline } from '../../deadline.js'
import { readRows } from './read-rows.js'
import { untilEnded } from './until-ended.js'

const MIB = 1024 * 1024

/**
 * The rows that the stages outside the engine work over, written as bytes some at a time, so that they are counted
 * exactly and go to another thread without being copied. Rejects when there are more than the bounds allow.
 * @param stage name of the first stage that runs outside the engine
 */
export function fetchRest(
  connection: DuckDBConnection,
  { query, rows: shape }: Compiled,
  bounds: RestBounds,
  stage: string,
  deadline: Deadline,
): Promise<readonly Uint8Array<ArrayBuffer>[]> {
  const tooMuch = (what: string) =>
    new Problem(
      'too_large',
      `More than ${what} reach ${stage}, which runs outside the engine; narrow them with $match, or keep fewer fields with $project, before it`,
    )
  let read = 0
  const onBytes = (bytes: number) => {
    read += bytes
    if (read > bounds.bytes) throw tooMuch(`${bounds.bytes / MIB} MiB`)
  }
  return untilEnded(connection, deadline, async () => {
    const chunks: Uint8Array<ArrayBuffer>[] = []
    let count = 0
    let written = 0
    for await (const rows of readRows(connection, query, bounds.documents + 1, deadline, onBytes)) {
      if (shape.checked) throwFailure(rows[0] ?? [])
      count += rows.length
      if (count > bounds.documents) throw tooMuch(`${bounds.documents} documents`)
      const bytes = serialize(rows)
      written += bytes.length
      if (written > bounds.bytes) throw tooMuch(`${bounds.bytes / MIB} MiB`)
      chunks.push(bytes)
    }
    return chunks
  })
}
