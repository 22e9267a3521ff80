import type { KeyRecord } from '../../src/store/records/key.js'
import type { ProjectRecord } from '../../src/store/records/project.js'
import type { TeamRecord } from '../../src/store/records/team.js'
import type { KeyStore, ProjectStore, TeamStore } from '../../src/store/store.js'

/** Keys and projects as a store keeps them, in memory; `failing` makes every write fail. */
export class MemoryStore {
  readonly keyRecords = new Map<string, KeyRecord>()
  readonly projectRecords = new Map<string, ProjectRecord>()
  readonly teamRecords = new Map<string, TeamRecord>()
  failing = false

  readonly keys: KeyStore = {
    insert: async key => {
      this.#check()
      this.keyRecords.set(key.key_id, key)
    },
    update: async key => {
      this.#check()
      if (!this.keyRecords.has(key.key_id)) throw new Error('No such key')
      this.keyRecords.set(key.key_id, key)
    },
    all: async () => [...this.keyRecords.values()],
    touch: async lastUsed => {
      this.#check()
      for (const [keyId, at] of lastUsed) {
        const key = this.keyRecords.get(keyId)
        if (key !== undefined) this.keyRecords.set(keyId, { ...key, last_used_at: at })
      }
    },
  }

  readonly teams: TeamStore = {
    put: async team => {
      this.#check()
      this.teamRecords.set(`${team.project_id} ${team.team_id}`, team)
    },
    remove: async (projectId, teamId) => {
      this.#check()
      this.teamRecords.delete(`${projectId} ${teamId}`)
    },
    all: async () => [...this.teamRecords.values()],
  }

  readonly projects: ProjectStore = {
    insert: async project => {
      this.#check()
      this.projectRecords.set(project.project_id, project)
    },
    update: async project => {
      this.#check()
      this.projectRecords.set(project.project_id, project)
    },
    all: async () => [...this.projectRecords.values()],
  }

  #check(): void {
    if (this.failing) throw new Error('disk full')
  }
}
