import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ClientDocuments } from '../../src/oauth/client-documents.js'
import { makeAccess } from '../support/access.js'
import { overseeing } from '../support/api.js'
import { rawClient, REDIRECT, type Tokens } from '../support/raw-client.js'
import { startSignIn } from '../support/sign-in-server.js'
import { Browser, letIn } from '../support/sign-in.js'

/* Clients that are known by a document, at the sign-in by itself; what is fetched stands here. */

const ID = 'https://ai.example/client.json'
const DOCUMENT = {
  client_id: ID,
  client_name: 'An AI',
  redirect_uris: [REDIRECT],
  grant_types: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_method: 'none',
}

let server: Awaited<ReturnType<typeof startSignIn>>
let base: string
let access: Awaited<ReturnType<typeof makeAccess>>
let key: { readonly key: string; readonly key_id: string }
let answer: { status: number; text: string }
const asked: string[] = []
const { authorizeUrl, redeem, refresh } = rawClient(() => base)

/** A sign-in at an address of its own: it remembers documents that were good. */
async function start(): Promise<void> {
  const documents = new ClientDocuments({
    hosts: ['ai.example'],
    get: async url => {
      asked.push(url.href)
      return await Promise.resolve(answer)
    },
  })
  server = await startSignIn(access, documents)
  ;({ base } = server)
}

beforeAll(async () => {
  access = await makeAccess()
  key = await access.keys.mint('p1', overseeing, { name: 'ada', role: 'Admin' })
  await start()
})
afterAll(() => server.close())
beforeEach(() => {
  answer = { status: 200, text: JSON.stringify(DOCUMENT) }
  asked.length = 0
})

/** What whoever begins a sign-in as this client is shown. */
async function shown(clientId: string, more: Readonly<Record<string, string>> = {}): Promise<string> {
  const { page, at } = await new Browser(base).go(authorizeUrl(clientId, more))
  return page === undefined ? `led to ${at.origin}` : `${page.status} ${await page.text()}`
}

test('the metadata announces it', async () => {
  const metadata = await (await fetch(`${base}/.well-known/oauth-authorization-server`)).json()
  expect(metadata).toMatchObject({ client_id_metadata_document_supported: true })
})

test('a client that is known by its document is let in, refreshes, and is listed by its host', async () => {
  const page = await shown(ID)
  expect(page).toContain('<dt>Program</dt><dd>An AI</dd><dt>Known by</dt><dd>ai.example</dd>')
  const response = await redeem(ID, await letIn(authorizeUrl(ID), key.key))
  expect(response.status).toBe(200)
  const { refresh_token: token } = (await response.json()) as Tokens
  expect((await refresh(ID, token)).status).toBe(200)
  expect(asked, 'once, for all of it').toEqual([ID])
  expect(access.connections.of(key.key_id)).toMatchObject([{ client_name: 'ai.example', redirect_host: 'ai.example' }])
  expect(await shown(ID, { redirect_uri: 'https://evil.example/' })).toMatch(/^400 /)
})

describe('nothing is fetched', () => {
  test.each([
    'https://elsewhere.example/client.json',
    'https://ai.example.evil.example/client.json',
    'https://evil.example/?https://ai.example/client.json',
    'https://ai.example:8443/client.json',
    'https://user@ai.example/client.json',
    'https://ai.example/a/../client.json',
    'https://ai.example/%2e%2e/client.json',
    'http://ai.example/client.json',
    'https://localhost/client.json',
    'https://127.0.0.1/client.json',
    'https://169.254.169.254/latest/meta-data',
    'https://[::1]/client.json',
    'https://2130706433/client.json',
  ])('for %s', async clientId => {
    expect(await shown(clientId)).toMatch(/^400 /)
    expect(asked).toEqual([])
  })
})

describe('a document is none', () => {
  let documents = 0
  let other = ''
  beforeEach(() => {
    documents += 1
    other = `https://ai.example/${documents}.json`
  })
  const written = (fields: object) => JSON.stringify({ ...DOCUMENT, client_id: other, ...fields })

  test.each<[string, number, string | object]>([
    ['that is not there', 404, ''],
    ['behind a redirect', 302, {}],
    ['that is no JSON', 200, '<html>'],
    ['that is a list', 200, '[]'],
    ['about another client', 200, JSON.stringify(DOCUMENT)],
    ['without an id', 200, { client_id: undefined }],
    ['that leads to http elsewhere', 200, { redirect_uris: ['http://evil.example/'] }],
    ['that leads to a script', 200, { redirect_uris: ['javascript://%0aalert(1)'] }],
    ['that leads nowhere', 200, { redirect_uris: [] }],
  ])('%s', async (_name, status, text) => {
    answer = { status, text: typeof text === 'string' ? text : written(text) }
    expect(await shown(other)).toMatch(/^400 /)
    expect(asked).toEqual([other])
  })

  test('for what it asks besides: secrets and addresses are left out', async () => {
    const jwks = 'https://ai.example/keys'
    answer = { status: 200, text: written({ jwks_uri: jwks, sector_identifier_uri: jwks }) }
    expect(await shown(other)).toMatch(/^200 /)
    expect(asked).toEqual([other])
  })
})
