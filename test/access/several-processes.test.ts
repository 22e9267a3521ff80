import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { Approvals } from '../../src/access/approvals.js'
import { newKey } from '../../src/access/key-fields.js'
import { Keys } from '../../src/access/keys.js'
import { Projects } from '../../src/access/projects.js'
import { Teams } from '../../src/access/teams.js'
import { Events } from '../../src/events/events.js'
import { mintKey } from '../../src/operations/keys.js'
import { runOperation } from '../../src/operations/operation.js'
import { getProject } from '../../src/operations/projects.js'
import { StoreFollower } from '../../src/service/store-follower.js'
import { connectStore } from '../../src/store/mongodb/connect.js'
import { MongoStore } from '../../src/store/mongodb/mongodb-store.js'
import { silent } from '../support/access.js'
import { type FakeServer, fakeServer } from '../support/mongodb/fake-server.js'

/** Keys of several processes over one store. */

const SECRET = Buffer.alloc(32, 7).toString('base64url')
const admin = { name: 'ada', role: 'Admin' } as const

let server: FakeServer
beforeEach(async context => {
  server = await fakeServer()
  context.onTestFinished(() => server.close())
})

async function process() {
  const store = await MongoStore.open(await connectStore(server.url))
  const projects = await Projects.load(store.projects, Date.now, store)
  const teams = await Teams.load({ store: store.teams, sharing: store, clock: Date.now })
  const events = await Events.load({
    store: store.events,
    sharing: store,
    secret: SECRET,
    allowedRanges: ['127.0.0.0/8'],
  })
  const keys = await Keys.load({ store: store.keys, sharing: store, projects, teams, log: silent, events })
  const follower = new StoreFollower({ versions: store.versions, log: silent })
  follower.add(keys.followed)
  onTestFinished(async () => {
    await keys.close()
    await store.close()
  })
  return { projects, events, keys, follower, fourEyes: new Approvals(store.privacy) }
}

it('what a second administrator confirmed at one process is used once among all, by who asked, and not when it was refused', async () => {
  const a = await process()
  const b = await process()
  const asked = { action: 'DELETE /api/v1/interactions/:interaction_id', asked: { path: { interaction_id: 'c' } } }
  const [ada, bob] = [
    { subject: 'ada', name: 'ada' },
    { subject: 'bob', name: 'bob' },
  ]
  const waiting = async () => (await b.fourEyes.list('p'))[0]?.approval_id ?? ''
  await expect(a.fourEyes.use('p', asked, ada)).rejects.toThrow('has to confirm this')
  await expect(b.fourEyes.confirm('p', await waiting(), ada)).rejects.toThrow('You asked for this')
  await Promise.all([a.fourEyes.confirm('p', await waiting(), bob), b.fourEyes.confirm('p', await waiting(), bob)])
  await expect(b.fourEyes.use('p', asked, bob)).rejects.toThrow('has to confirm this')
  await expect(b.fourEyes.use('q', asked, ada)).rejects.toThrow('has to confirm this')
  const used = await Promise.allSettled([a, b, a, b, a, b].map(one => one.fourEyes.use('p', asked, ada)))
  expect(used.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  // One that is confirmed and refused at once is gone.
  const other = { ...asked, action: 'GET /api/v1/export' }
  await expect(a.fourEyes.use('p', other, ada)).rejects.toThrow('has to confirm this')
  const id = (await a.fourEyes.list('p')).find(({ action }) => action === other.action)?.approval_id ?? ''
  await Promise.allSettled([a.fourEyes.confirm('p', id, bob), b.fourEyes.refuse('p', id)])
  await expect(a.fourEyes.use('p', other, ada)).rejects.toThrow('has to confirm this')
})

it('a revocation that was cut off before others were told holds everywhere once it is acknowledged, and its event is told', async () => {
  const a = await process()
  await a.projects.create({ project_id: 'p', timezone: 'UTC', verticals: [] })
  await a.events.webhooks.add('p', { url: 'http://127.0.0.1:9/', events: ['key.revoked'] }, 'ada')
  const { key, key_id: keyId } = await a.keys.mint('p', newKey.parse({ name: 'Desk' }), admin)
  const b = await process()
  expect(b.keys.resolve(key)).toBeDefined()
  server.fault = (name, body) => {
    if (name !== 'update' || body['update'] !== 'versions') return undefined
    server.fault = undefined
    return { code: 13, message: 'not authorized' }
  }
  await expect(a.keys.revoke('p', keyId)).rejects.toThrow('name and password')
  // Asked again, of a process that was opened since, as commands are.
  const c = await process()
  expect(await c.keys.revoke('p', keyId)).toMatchObject({ active: false })
  await b.follower.look()
  expect(b.keys.resolve(key)).toBeUndefined()
  expect(server.documents('event_deliveries')).toMatchObject([{ event: 'key.revoked' }])
  // However often it is asked: whoever is told knows it by its id.
  await a.keys.revoke('p', keyId)
  const told = server.documents('event_deliveries').map(one => one['event_id'])
  expect(new Set(told).size).toBe(1)
})

it('a project that was just made at one process is there at another', async () => {
  const a = await process()
  const b = await process()
  const c = await process()
  await a.projects.create({ project_id: 'p', name: 'Support', timezone: 'UTC', verticals: [] })
  const ofProject = (rest: object) => ({ param: () => 'p', query: () => ({}), ...rest }) as never
  const superAdmin = { ...admin, role: 'SuperAdmin', subject: 'ada' } as never
  const made = await runOperation(
    mintKey,
    b as never,
    ofProject({ body: () => newKey.parse({ name: 'Desk' }) }),
    superAdmin,
  )
  expect(made).toMatchObject({ project_id: 'p' })
  expect(await runOperation(getProject, c as never, ofProject({}), superAdmin)).toMatchObject({ name: 'Support' })
})

it('that somebody is signed out at one process is known at another that asks, before it hears of it', async () => {
  const a = await process()
  await a.projects.create({ project_id: 'p', timezone: 'UTC', verticals: [] })
  const person = await a.keys.admit('p', newKey.parse({ name: 'Eve' }), { subject: 'eve' }, admin)
  const b = await process()
  await a.keys.signOut(person.key_id)
  expect(b.keys.accepted(person.key_id)).not.toHaveProperty('signed_out_at')
  expect(await b.keys.acceptedByNow(person.key_id)).toHaveProperty('signed_out_at')
  await a.keys.revoke('p', person.key_id)
  expect(await b.keys.acceptedByNow(person.key_id)).toBeUndefined()
})

it('a key is there at a process that is asked for it before it hears that another minted it', async () => {
  const a = await process()
  await a.projects.create({ project_id: 'p', timezone: 'UTC', verticals: [] })
  const b = await process()
  const { key_id: keyId } = await a.keys.mint('p', newKey.parse({ name: 'Desk' }), admin)
  await expect(b.keys.getByNow('other', keyId)).rejects.toThrow('Key not found')
  expect(await b.keys.getByNow('p', keyId)).toMatchObject({ name: 'Desk' })
})
