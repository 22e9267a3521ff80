import { z } from 'zod'
import type { RubricRecord, RubricStore } from '../rubric-store.js'
import type { Reading, Writing } from './engine.js'

const rubricRecord = z.strictObject({
  project_id: z.string(),
  version: z.int(),
  text: z.string().exactOptional(),
  built_in: z.string().exactOptional(),
  set_at: z.string(),
  set_by: z.string(),
}) satisfies z.ZodType<RubricRecord>

/** Keeps rubrics, each version as its JSON. */
export class DuckDbRubrics implements RubricStore {
  readonly #writer: Writing
  readonly #reader: Reading

  constructor(writer: Writing, reader: Reading) {
    this.#writer = writer
    this.#reader = reader
  }

  async add(rubric: RubricRecord): Promise<void> {
    await this.#writer.transaction(connection =>
      connection.run('insert into rubrics values ($1, $2, $3)', [
        rubric.project_id,
        rubric.version,
        JSON.stringify(rubric),
      ]),
    )
  }

  async all(): Promise<readonly RubricRecord[]> {
    const rows = await this.#reader.rows('select record from rubrics order by project_id, version')
    return rows.map(([record]) => rubricRecord.parse(JSON.parse(String(record))))
  }
}
