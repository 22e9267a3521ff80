import { rubricRecord, type RubricRecord, type RubricStore } from '../rubric-store.js'
import type { Reading, Writing } from './engine.js'
import { AT_A_START } from './reading/reader.js'

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
    const rows = await this.#reader.rows('select record from rubrics order by project_id, version', [], AT_A_START)
    return rows.map(([record]) => rubricRecord.parse(JSON.parse(String(record))))
  }
}
