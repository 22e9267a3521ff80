import { z } from 'zod'
import { label } from '../base/label.js'
import { Problem } from '../base/problem.js'
import { echo } from '../base/text.js'
import type { TeamRecord } from '../store/records/team.js'
import { type Followed, SharedRecords, type Sharing } from '../store/shared-records.js'
import type { Shelf } from '../store/shelf.js'
import type { Admin } from './admin.js'
import { agentNames, teamId } from './key-fields.js'

/** Teams that a project has at most. */
const MOST_TEAMS = 1_000

const name = label(120).describe('Name, 1 to 120 characters; the id by default')
/** Agents of one team: those of all teams of a key go with each of its questions. */
const MOST_AGENTS = 2_000

const agents = agentNames
  .refine(names => names.length <= MOST_AGENTS, `may name ${MOST_AGENTS} agents at most`)
  .describe('Names of agents, spelled as in the calls')

export const newTeam = z.strictObject({
  team_id: teamId.describe('Id, by which keys name it; it stays'),
  name: name.optional(),
  agents: agents.default([]),
})
export type NewTeam = z.output<typeof newTeam>

export const teamPatch = z.strictObject({ name: name.optional(), agents: agents.optional() })
export type TeamPatch = z.output<typeof teamPatch>

interface TeamsParts {
  readonly store: Shelf<TeamRecord>
  readonly sharing?: Sharing
  /** Milliseconds since 1970; the system's clock by default. */
  readonly clock?: () => number
}

/** The teams of all projects: in memory, every change in the store first, so that it holds from the next request on. */
export class Teams {
  readonly #store: Shelf<TeamRecord>
  readonly #clock: () => number
  readonly #records: SharedRecords<TeamRecord>
  #version = 0

  private constructor({ store, sharing, clock = Date.now }: TeamsParts) {
    this.#store = store
    this.#clock = clock
    this.#records = new SharedRecords({
      kind: 'teams',
      sharing,
      all: () => store.all(),
      idOf: one => placeOf(one.project_id, one.team_id),
      kept: () => (this.#version += 1),
    })
  }

  static async load(parts: TeamsParts): Promise<Teams> {
    const teams = new Teams(parts)
    await teams.#records.load()
    return teams
  }

  /** What others change is taken up by. */
  get followed(): Followed {
    return this.#records
  }

  /** Another number after each change of any team. */
  get version(): number {
    return this.#version
  }

  /** Undefined when there is none, of this project. */
  find(projectId: string, teamId: string): TeamRecord | undefined {
    return this.#records.get(placeOf(projectId, teamId))
  }

  /** @throws Problem `not_found` */
  get(projectId: string, teamId: string): TeamRecord {
    const found = this.find(projectId, teamId)
    if (found === undefined) throw new Problem('not_found', `Team not found: ${echo(teamId)}`)
    return found
  }

  /** The teams of a project, by id. */
  list(projectId: string): readonly TeamRecord[] {
    return [...this.#records.values()]
      .filter(one => one.project_id === projectId)
      .sort((a, b) => (a.team_id < b.team_id ? -1 : 1))
  }

  /** @throws Problem `conflict` when the project has one of this id, or as many as it may have */
  create(
    projectId: string,
    { team_id, name: written, agents: named }: NewTeam,
    author: Pick<Admin, 'name'>,
  ): Promise<TeamRecord> {
    return this.#records.run(async () => {
      if (this.find(projectId, team_id) !== undefined)
        throw new Problem('conflict', `Team exists already: ${echo(team_id)}`)
      if (this.list(projectId).length >= MOST_TEAMS)
        throw new Problem('conflict', `The project has ${MOST_TEAMS} teams and may have no more; remove some`)
      return await this.#put({
        team_id,
        project_id: projectId,
        name: written ?? team_id,
        agents: named,
        created_at: this.#now(),
        created_by: author.name,
      })
    })
  }

  /** Changes what is given. @throws Problem `not_found` */
  patch(projectId: string, id: string, { name: written, agents: named }: TeamPatch): Promise<TeamRecord> {
    return this.#records.run(async () => {
      const before = this.get(projectId, id)
      return await this.#put({
        ...before,
        name: written ?? before.name,
        agents: named ?? before.agents,
        changed_at: this.#now(),
      })
    })
  }

  /** Whoever is heard by it alone is heard no more. @throws Problem `not_found` */
  remove(projectId: string, id: string): Promise<TeamRecord> {
    return this.#records.run(async () => {
      const gone = this.get(projectId, id)
      await this.#records.remove(placeOf(projectId, id), () => this.#store.remove(projectId, id))
      return gone
    })
  }

  async #put(one: TeamRecord): Promise<TeamRecord> {
    await this.#records.put(one, () => this.#store.put(one))
    return one
  }

  #now(): string {
    return new Date(this.#clock()).toISOString()
  }
}

// Neither id holds a blank.
const placeOf = (projectId: string, id: string): string => `${projectId} ${id}`
