import { Problem } from '../../base/problem.js'
import { echo } from '../../base/text.js'
import { project, type ProjectRecord } from '../records/project.js'
import type { ProjectStore } from '../store.js'
import { isDuplicate } from './writing/is-duplicate.js'
import type { Reading, Writing } from './engine.js'
import { AT_A_START } from './reading/reader.js'

/** Keeps projects, each as its JSON. */
export class DuckDbProjects implements ProjectStore {
  readonly #writer: Writing
  readonly #reader: Reading

  constructor(writer: Writing, reader: Reading) {
    this.#writer = writer
    this.#reader = reader
  }

  /** Rejects with a Problem (conflict) when there is one with this id. */
  async insert(project: ProjectRecord): Promise<void> {
    try {
      await this.#writer.transaction(connection =>
        connection.run('insert into projects values ($1, $2)', [project.project_id, JSON.stringify(project)]),
      )
    } catch (error) {
      if (isDuplicate(error)) throw new Problem('conflict', `Project ${echo(project.project_id)} exists already`)
      throw error
    }
  }

  /** Rejects with a Problem (not_found) when there is none with this id. */
  async update(project: ProjectRecord): Promise<void> {
    const { rowsChanged } = await this.#writer.transaction(connection =>
      connection.run('update projects set record = $2 where project_id = $1', [
        project.project_id,
        JSON.stringify(project),
      ]),
    )
    if (rowsChanged === 0) throw new Problem('not_found', `Project not found: ${echo(project.project_id)}`)
  }

  async all(): Promise<readonly ProjectRecord[]> {
    const rows = await this.#reader.rows('select record from projects order by project_id', [], AT_A_START)
    return rows.map(([record]) => project.stored.parse(JSON.parse(String(record))))
  }
}
