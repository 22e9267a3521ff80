import { beforeAll, expect, it } from 'vitest'
import { Connections } from '../../src/oauth/connections.js'
import { clientIds, makeAccess, silent } from '../support/access.js'
import { mongoStore, type OpenedMongo } from '../support/mongodb/mongo-store.js'

/** A sign-in whose steps come to different processes of one store. */

const RESOURCE = 'https://earshot.example.com/mcp'
let opened: OpenedMongo
beforeAll(async () => {
  opened = await mongoStore()
  return () => opened.end()
})

async function processes(clock?: () => number) {
  const { keys } = await makeAccess()
  const stores = [opened.store, await opened.beside()]
  const [a, b] = await Promise.all(
    stores.map(store =>
      Connections.load({ store: store.oauth, clientIds, sharing: store, keys, log: silent, ...(clock && { clock }) }),
    ),
  )
  const follow = async () => await b!.followed.follow(await stores[1]!.versions.read())
  const version = async () => (await opened.store.versions.read()).get('connections')
  return { a: a!, b: b!, follow, version }
}

const seconds = () => Math.floor(Date.now() / 1000)

it('a client that registered at one is let in at another, and its code is good once among all', async () => {
  const { a, b } = await processes()
  const clientId = a.clientIds.idOf({ client_name: 'C', redirect_uris: ['http://127.0.0.1/'] })
  expect(await b.adapter('Client').find(clientId)).toMatchObject({ client_name: 'C', client_id: clientId })
  const code = { accountId: 'key_1', clientId, grantId: 'grant-1', exp: seconds() + 60 }
  await a.adapter('AuthorizationCode').upsert('code-1', code, 60)
  expect(await b.adapter('AuthorizationCode').find('code-1')).toMatchObject({ accountId: 'key_1', jti: 'code-1' })
  const used = await Promise.all([a, b, a, b].map(one => one.adapter('AuthorizationCode').consume('code-1')))
  expect(used.filter(Boolean)).toHaveLength(1)
  expect(await a.adapter('AuthorizationCode').find('code-1')).toHaveProperty('consumed')
})

it('an access token that one gave is taken by another, until its sign-in ends', async () => {
  const { a, b, follow } = await processes()
  const of = { accountId: 'key_2', clientId: 'client-2', grantId: 'grant-2', exp: seconds() + 60, iat: seconds() }
  await a.adapter('Grant').upsert('grant-2', { accountId: 'key_2', clientId: 'client-2', iat: seconds() }, 3_600)
  await a.adapter('AccessToken').upsert('token-2', { ...of, aud: RESOURCE }, 60)
  expect(b.holderOf('token-2', RESOURCE)).toBeUndefined()
  await b.look('token-2')
  expect(b.holderOf('token-2', RESOURCE)).toMatchObject({ keyId: 'key_2' })
  // A refresh token too is known at once.
  await a.adapter('RefreshToken').upsert('refresh-2', of, 3_600)
  expect(await b.adapter('RefreshToken').find('refresh-2')).toMatchObject({ accountId: 'key_2' })
  await a.endAllOf('key_2')
  await follow()
  expect(b.holderOf('token-2', RESOURCE)).toBeUndefined()
  expect(await b.adapter('RefreshToken').find('refresh-2')).toBeUndefined()
  await b.look('token-3')
  expect(b.holderOf('token-3', RESOURCE)).toBeUndefined()
})

it('a client that is let in for less is known to no process as one that is let in for all', async () => {
  const { a, b, follow } = await processes()
  const of = { accountId: 'key_8', clientId: 'client-8', grantId: 'grant-8', exp: seconds() + 60, iat: seconds() }
  await a.narrowed('grant-8', { agents: ['Ana'] }, async () => {
    await a.adapter('Grant').upsert('grant-8', { accountId: 'key_8', clientId: 'client-8', iat: seconds() }, 3_600)
    // What is heard of others is heard at any instant.
    await follow()
  })
  await a.adapter('AccessToken').upsert('token-8', { ...of, aud: RESOURCE }, 60)
  await b.look('token-8')
  expect(b.holderOf('token-8', RESOURCE)?.connection.narrowing).toEqual({ agents: ['Ana'] })
  // The library writes a grant again.
  await a.adapter('Grant').upsert('grant-8', { accountId: 'key_8', clientId: 'client-8', iat: seconds() }, 3_600)
  expect(a.holderOf('token-8', RESOURCE) ?? b.holderOf('token-8', RESOURCE)).toMatchObject({
    connection: { narrowing: { agents: ['Ana'] } },
  })
})

it('a client that refreshes has nobody read anew who let whom in; what is used or ended at one is so at all', async () => {
  let now = Date.now()
  const { a, b, version } = await processes(() => now)
  const of = { accountId: 'key_5', clientId: 'client-5', grantId: 'grant-5', exp: seconds() + 3_600, iat: seconds() }
  await a.adapter('Grant').upsert('grant-5', { accountId: 'key_5', clientId: 'client-5', iat: seconds() }, 3_600)
  await a.adapter('RefreshToken').upsert('refresh-5', of, 3_600)
  const before = await version()
  expect(await b.adapter('RefreshToken').find('refresh-5')).toMatchObject({ accountId: 'key_5' })
  await b.adapter('RefreshToken').consume('refresh-5')
  await b.adapter('RefreshToken').upsert('refresh-6', of, 3_600)
  expect(await a.adapter('RefreshToken').find('refresh-6')).toMatchObject({ accountId: 'key_5' })
  now += 11_000
  expect(await a.adapter('RefreshToken').find('refresh-5')).toHaveProperty('consumed')
  await a.adapter('RefreshToken').destroy('refresh-5')
  expect(await b.adapter('RefreshToken').find('refresh-5')).toBeUndefined()
  expect(await version()).toBe(before)
  // One that never heard of the token ends it with the connection.
  await b.adapter('RefreshToken').upsert('refresh-7', of, 3_600)
  await a.endAllOf('key_5')
  expect(await version()).not.toBe(before)
  expect(await b.adapter('RefreshToken').find('refresh-7')).toBeUndefined()
})

it('what passes is in the store as its hash alone', async () => {
  const { a } = await processes()
  await a.adapter('AccessToken').upsert('token-that-lets-in', { accountId: 'key_4', exp: seconds() + 60 }, 60)
  expect(JSON.stringify(opened.server?.commands.map(one => one.body) ?? [])).not.toContain('token-that-lets-in')
})
