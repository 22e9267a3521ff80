import { Problem } from '../../src/base/problem.js'
import { InProcessLeases } from '../../src/store/in-process-leases.js'
import { InProcessTurns } from '../../src/store/in-process-turns.js'
import type { KeyRecord } from '../../src/store/records/key.js'
import type { ProjectRecord } from '../../src/store/records/project.js'
import type { TeamRecord } from '../../src/store/records/team.js'
import type { Shelf } from '../../src/store/shelf.js'
import type { KeyStore, ProjectStore } from '../../src/store/store.js'
import { nobodyElse } from '../../src/store/versions.js'

/** Keys, teams and projects as a store keeps them, in memory (see the contract); `failing` makes every write fail. */
export class MemoryStore {
  readonly keyRecords = new Map<string, KeyRecord>()
  readonly projectRecords = new Map<string, ProjectRecord>()
  readonly teamRecords = new Map<string, TeamRecord>()
  failing = false

  readonly leases = new InProcessLeases()
  readonly turns = new InProcessTurns()
  readonly versions = nobodyElse

  readonly keys: KeyStore = {
    insert: async key => {
      this.#check()
      if (this.keyRecords.has(key.key_id)) throw new Problem('conflict', 'A key with this key_id exists already')
      this.keyRecords.set(key.key_id, key)
    },
    update: async key => {
      this.#check()
      const before = this.keyRecords.get(key.key_id)
      if (before === undefined) throw new Problem('not_found', 'Key not found')
      const { last_used_at: _, ...changed } = key
      const used = before.last_used_at
      this.keyRecords.set(key.key_id, used === undefined ? changed : { ...changed, last_used_at: used })
    },
    all: async () => inOrder(this.keyRecords),
    touch: async lastUsed => {
      this.#check()
      for (const [keyId, at] of lastUsed) {
        const key = this.keyRecords.get(keyId)
        if (key !== undefined) this.keyRecords.set(keyId, { ...key, last_used_at: at })
      }
    },
  }

  readonly teams: Shelf<TeamRecord> = {
    put: async team => {
      this.#check()
      this.teamRecords.set(`${team.project_id} ${team.team_id}`, team)
    },
    remove: async (projectId, teamId) => {
      this.#check()
      this.teamRecords.delete(`${projectId} ${teamId}`)
    },
    all: async () => inOrder(this.teamRecords),
  }

  readonly projects: ProjectStore = {
    insert: async project => {
      this.#check()
      const { project_id: id } = project
      if (this.projectRecords.has(id)) throw new Problem('conflict', `Project "${id}" exists already`)
      this.projectRecords.set(id, project)
    },
    update: async project => {
      this.#check()
      const { project_id: id } = project
      if (!this.projectRecords.has(id)) throw new Problem('not_found', `Project not found: "${id}"`)
      this.projectRecords.set(id, project)
    },
    all: async () => inOrder(this.projectRecords),
  }

  #check(): void {
    if (this.failing) throw new Error('disk full')
  }
}

/** Records by their ids. */
function inOrder<T>(records: ReadonlyMap<string, T>): readonly T[] {
  return [...records].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, record]) => record)
}
