import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { connectStore } from '../../../src/store/mongodb/connect.js'
import { MongoKeys, MongoOAuth, MongoProjects } from '../../../src/store/mongodb/mongodb-access.js'
import { MongoImports, MongoKnowledge, MongoRubrics } from '../../../src/store/mongodb/mongodb-documents.js'
import { MongoShelf } from '../../../src/store/mongodb/mongodb-records.js'
import { MongoTasks } from '../../../src/store/mongodb/mongodb-tasks.js'
import { team, type TeamRecord } from '../../../src/store/records/team.js'
import { fakeServer } from '../../support/mongodb/fake-server.js'
import { keyPromises, projectPromises, signInPromises } from '../contract/access.js'
import { knowledgePromises, rubricPromises } from '../contract/documents.js'
import { inboundShelf, mappingShelf, takenPromises, teamShelf } from '../contract/shelves.js'
import { taskPromises } from '../contract/tasks.js'
import { keeps } from '../contract/world.js'

async function opened() {
  const server = await fakeServer()
  const url = new URL(server.url)
  url.pathname = `/earshot-test-${randomUUID()}`
  const open = async () => {
    const { client, db } = await connectStore(url.href)
    const teams = new MongoShelf<TeamRecord>(db, {
      collection: 'teams',
      schema: team.stored,
      idOf: record => record.team_id,
    })
    const store = {
      keys: new MongoKeys(db),
      projects: new MongoProjects(db),
      teams,
      oauth: new MongoOAuth(db),
      knowledge: new MongoKnowledge(db),
      rubrics: new MongoRubrics(db),
      imports: new MongoImports(db),
      tasks: new MongoTasks(db),
    }
    return { client, store }
  }
  let { client, store } = await open()
  return {
    server,
    store,
    reopen: async () => {
      await client.close()
      ;({ client, store } = await open())
      return store
    },
    end: async () => {
      await client.close()
      await server.close()
    },
  }
}

describe('records over a server that speaks as MongoDB does', () => {
  keeps(
    opened,
    keyPromises,
    projectPromises,
    signInPromises,
    teamShelf,
    mappingShelf,
    inboundShelf,
    takenPromises,
    knowledgePromises,
    rubricPromises,
    taskPromises,
  )
})

test('a document that the server can’t keep is told to whoever sends it', async () => {
  const { server, store, end } = await opened()
  try {
    server.fault = name => (name === 'update' ? { code: 10_334, message: 'BSONObj size is invalid' } : undefined)
    const document = {
      project_id: 'p',
      kb_id: 'kb_1',
      name: 'a',
      title: 'A',
      sections: [],
      imported_at: '2026-03-01T00:00:00.000Z',
    }
    await expect(store.knowledge.put(document)).rejects.toMatchObject({ code: 'too_large' })
  } finally {
    await end()
  }
})
