import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe } from 'vitest'
import { openDuckDbStore } from '../../../src/store/duckdb/open-duckdb-store.js'
import type { Store } from '../../../src/store/store.js'
import { DocumentShelf } from '../../support/document-shelf.js'
import { MemoryStore } from '../../support/memory-store.js'
import { MemoryTasks } from '../../support/memory-tasks.js'
import { keyPromises, projectPromises } from './access.js'
import { knowledgePromises } from './documents.js'
import { leasePromises, turnPromises } from './sharing.js'
import { teamShelf } from './shelves.js'
import { promises } from './promises.js'
import { taskPromises } from './tasks.js'
import { sized } from '../../support/whole.js'
import { keeps, type Opened } from './world.js'

/** What every store promises, whichever it is. What only one of them has is tried beside it (`test/store/duckdb`). */

/** One thread: two wait busily for each other, and the calls here are too few to be divided. What hangs on several is tried in `test/store/duckdb`. */
async function embedded(): Promise<Opened<keyof Store>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'earshot-contract-'))
  // Of a day with more calls than are counted at once pieces are counted. The fewer at once, the longer it takes.
  const options = { memoryLimit: '256MB', threads: 1, rememberBytes: 4 * 1024 * 1024, countedAtOnce: sized(12, 3) }
  const open = () => openDuckDbStore({ dataDir, ...options })
  let store = await open()
  return {
    store,
    record: events => store.activity.insert(events),
    reopen: async () => {
      await store.close()
      store = await open()
      return store
    },
    end: async () => {
      await store.close()
      rmSync(dataDir, { recursive: true })
    },
  }
}

/** The parts that tests of other rooms keep in memory: they have to behave as a store does. Nothing outlives them. */
async function inMemory(): Promise<
  Opened<'keys' | 'projects' | 'teams' | 'tasks' | 'knowledge' | 'leases' | 'turns' | 'versions'>
> {
  const { keys, projects, teams, leases, turns, versions } = new MemoryStore()
  const shared = { leases, turns, versions }
  const store = { ...shared, keys, projects, teams, tasks: new MemoryTasks(), knowledge: new DocumentShelf() }
  return { store, reopen: async () => store, end: async () => undefined }
}

describe('the embedded store', () => {
  keeps(embedded, ...promises)
})

describe('what tests keep in memory', () => {
  keeps(inMemory, keyPromises, projectPromises, teamShelf, taskPromises, knowledgePromises, leasePromises, turnPromises)
})
