import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { makeAccess, refusal } from '../support/access.js'
import { overseeing } from '../support/api.js'
import { errorOf, rawClient, REDIRECT, type Registered, type Tokens } from '../support/raw-client.js'
import { HOLDS_MS, startSignIn } from '../support/sign-in-server.js'
import { Browser, ledOnTo, letIn } from '../support/sign-in.js'

/* Attacks on the sign-in that need another time, or other limits, than the running service of test/system/oauth.test.ts. */

const ADMIN = { name: 'ada', role: 'Admin' } as const
const FAILURES = 5

/** Milliseconds that the clock of keys and connections is ahead. */
let ahead = 0
let access: Awaited<ReturnType<typeof makeAccess>>
let server: Awaited<ReturnType<typeof startSignIn>>
const { register, newClient, authorizeUrl, redeem, refresh, connected } = rawClient(() => server.base)

beforeAll(async () => {
  access = await makeAccess({ clock: () => Date.now() + ahead, failuresPerMinute: FAILURES })
  server = await startSignIn(access)
})
afterAll(() => server.close())
beforeEach(() => {
  ahead = 0
})

const mint = async (fields: object = {}) => await access.keys.mint('p1', { ...overseeing, ...fields }, ADMIN)
/** Who a token stands for at the tool server. */
const entered = async (token: string, path = '/mcp') =>
  await access.gate.enter(`Bearer ${token}`, '127.0.0.9', `${server.base}${path}`)
const isLetIn = async (token: string) =>
  await entered(token).then(
    () => true,
    () => false,
  )

test('a refresh token that is used again later than two windows do ends everything of its sign-in', async () => {
  const { key } = await mint()
  const { clientId, tokens } = await connected(key)
  const other = await connected(key)
  const next = (await (await refresh(clientId, tokens.refresh_token)).json()) as Tokens
  expect(await isLetIn(next.access_token)).toBe(true)
  ahead = 11_000
  const stolen = await refresh(clientId, tokens.refresh_token)
  expect([stolen.status, await errorOf(stolen)]).toEqual([400, 'invalid_grant'])
  expect(await isLetIn(next.access_token)).toBe(false)
  expect((await refresh(clientId, next.refresh_token)).status, 'the thief’s and the owner’s').toBe(400)
  expect(await isLetIn(other.tokens.access_token), 'another sign-in goes on').toBe(true)
})

test('a refresh token is given no scope that was not asked for, and an access token refreshes nothing', async () => {
  const { clientId, tokens } = await connected((await mint()).key)
  const wider = await refresh(clientId, tokens.refresh_token, { scope: 'calls offline_access everything' })
  expect([wider.status, await errorOf(wider)]).toEqual([400, 'invalid_scope'])
  expect((await refresh(clientId, tokens.access_token)).status).toBe(400)
})

test('a key that expires takes its clients with it: at the next request, and at the next refresh', async () => {
  const { key } = await mint({ expires_at: new Date(Date.now() + 30_000).toISOString() })
  const { clientId, tokens } = await connected(key)
  const entry = await entered(tokens.access_token)
  ahead = 30_001
  expect(await isLetIn(tokens.access_token)).toBe(false)
  expect(await refusal(() => entry.current()), 'one that is under way').toContain('unauthenticated')
  expect(await errorOf(await refresh(clientId, tokens.refresh_token))).toBe('invalid_grant')
})

test('a token does not outlast what was allowed, however late before its end it was given', async () => {
  const { tokens } = await connected((await mint()).key)
  const entry = await entered(tokens.access_token)
  ahead = HOLDS_MS + 1_000
  expect(await isLetIn(tokens.access_token)).toBe(false)
  expect(await refusal(() => entry.current()), 'one that is under way').toContain('unauthenticated')
})

test('PKCE is not taken back when the code is redeemed', async () => {
  const { key } = await mint()
  const clientId = await newClient()
  const without = await redeem(clientId, await letIn(authorizeUrl(clientId), key), { code_verifier: '' })
  expect([without.status, await errorOf(without)]).toEqual([400, 'invalid_grant'])
})

test.each([
  ['request_uri', { request_uri: 'https://evil.example/request' }, 'request_uri_not_supported'],
  ['request', { request: `${btoa('{"alg":"none"}')}.e30.` }, 'request_not_supported'],
  ['response_type', { response_type: 'token' }, 'unsupported_response_type'],
])('a client can’t ask by %s', async (_name, more, error) => {
  const { at } = await new Browser(server.base).go(authorizeUrl(await newClient(), more))
  expect(at.searchParams.get('error') ?? new URLSearchParams(at.hash.slice(1)).get('error')).toBe(error)
})

test('an answer comes in the query, however it was asked for', async () => {
  const asked = authorizeUrl(await newClient(), { response_mode: 'form_post' })
  const answer = await letIn(asked, (await mint()).key)
  expect(answer.href.startsWith(`${REDIRECT}?code=`)).toBe(true)
})

test('a token that somebody else made is none here, whatever it says', async () => {
  const claims = btoa(JSON.stringify({ iss: server.base, aud: `${server.base}/mcp`, exp: 9_999_999_999, sub: 'lea' }))
  for (const token of [`${btoa('{"alg":"none"}')}.${claims}.`, 'of-another-server', 'Z'.repeat(43)]) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    expect(await isLetIn(token)).toBe(false)
  }
})

test('a flood of registrations puts out nobody who was let in, and nobody who registered before it', async () => {
  const { clientId, tokens } = await connected((await mint()).key)
  const first = ((await (await register({ redirect_uris: [REDIRECT] })).json()) as Registered).client_id
  const clients = access.connections.adapter('Client')
  for (let i = 0; i < 1_000; i += 1) {
    // oxlint-disable-next-line no-await-in-loop -- as registrations of a thousand addresses write them
    await clients.upsert(`client ${i}`, { redirect_uris: [REDIRECT] })
  }
  expect((await refresh(clientId, tokens.refresh_token)).status).toBe(200)
  expect((await new Browser(server.base).go(authorizeUrl(first))).page!.status).toBe(200)
})

test('wrong keys on the page count for their address, and a good one is let in all the same', async () => {
  const { key } = await mint()
  const browser = new Browser(server.base)
  const { at } = await browser.go(authorizeUrl(await newClient()))
  const statuses: number[] = []
  for (let i = 0; i <= FAILURES; i += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const { page } = await browser.send(at, { step: 'key', key: `esk_${'x'.repeat(42)}${i}` })
    statuses.push(page!.status)
  }
  expect(statuses.slice(0, -1).every(status => status === 400)).toBe(true)
  expect(statuses.at(-1)).toBe(429)
  expect((await browser.send(at, { step: 'key', key })).page!.status).toBe(200)
})

test('a sign-in that somebody began and planted in another’s browser is theirs no more when a key is shown there', async () => {
  const { key } = await mint()
  const [attacker, victim] = [new Browser(server.base), new Browser(server.base)]
  const { at } = await attacker.go(authorizeUrl(await newClient()))
  victim.takeFrom(attacker)
  expect(await (await victim.send(at, { step: 'key', key })).page!.text()).toContain(
    'May this program hear your calls?',
  )
  expect(await (await attacker.go(at)).page!.text(), 'what the key hears').not.toContain('May this program')
  const allowed = await attacker.send(at, { step: 'allow' })
  expect([allowed.at.origin, allowed.page?.ok], 'no yes without a key').toEqual([server.base, false])
  // What somebody consents to goes nowhere but to the client, by their browser.
  const led = ledOnTo(await (await victim.sendOnly(at, { step: 'allow' })).text())!
  const { at: taken } = await attacker.go(led)
  expect([taken.origin, taken.searchParams.get('code')]).toEqual([server.base, null])
})
