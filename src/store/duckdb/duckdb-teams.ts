import { team, type TeamRecord } from '../records/team.js'
import type { TeamStore } from '../store.js'
import type { Reading, Writing } from './engine.js'

/** Keeps teams, each as its JSON. */
export class DuckDbTeams implements TeamStore {
  readonly #writer: Writing
  readonly #reader: Reading

  constructor(writer: Writing, reader: Reading) {
    this.#writer = writer
    this.#reader = reader
  }

  async put(record: TeamRecord): Promise<void> {
    const place = [record.project_id, record.team_id]
    await this.#writer.transaction(async connection => {
      await connection.run('delete from teams where project_id = $1 and team_id = $2', place)
      await connection.run('insert into teams values ($1, $2, $3)', [...place, JSON.stringify(record)])
    })
  }

  async remove(projectId: string, teamId: string): Promise<void> {
    await this.#writer.transaction(connection =>
      connection.run('delete from teams where project_id = $1 and team_id = $2', [projectId, teamId]),
    )
  }

  async all(): Promise<readonly TeamRecord[]> {
    const rows = await this.#reader.rows('select record from teams order by project_id, team_id')
    return rows.map(([record]) => team.stored.parse(JSON.parse(String(record))))
  }
}
