import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SignJWT } from 'jose'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  COMPANY_CLIENT,
  type IdClaims,
  type IdentityProvider,
  startIdentityProvider,
} from '../support/identity-provider.js'
import { axeFindings, browserHere, openBrowser, watchFaults } from '../console/browser.js'
import { callTool } from '../support/mcp-client.js'
import { errorOf, rawClient, type Tokens } from '../support/raw-client.js'
import { runEarshot } from '../support/run-earshot.js'
import { Browser } from '../support/sign-in.js'
import { startServer } from '../support/start-server.js'
import { type RunningService, startService } from '../support/start-service.js'

/* A company's people sign their AI clients in with its identity provider: the real service, beside a provider of the tests. */

const MAPPING = `
email_domains: [example.com]
administrators:
  - when: { groups: earshot-admins }
    role: Admin
    project: demo
  - when: { groups: platform }
    role: SuperAdmin
rules:
  - when: { groups: support-north }
    project: demo
    teams: [north]
    roles: [Supervisor]
  - when: { groups: cx-admins }
    project: demo
    full_project: true
  - when: { groups: lost }
    project: demo
    teams: [no-such-team]
`

let company: IdentityProvider
let service: RunningService
let dir: string
let base: string
let clientId: string
let north: readonly string[]
const { newClient, authorizeUrl, redeem, refresh, ask } = rawClient(() => base)

const admin = async (path: string, init: RequestInit = {}) =>
  await fetch(`${service.api_url}/projects/${service.project_id}${path}`, {
    ...init,
    headers: { authorization: `Bearer ${service.admin_token}`, 'content-type': 'application/json' },
  })

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'earshot-sso-'))
  writeFileSync(join(dir, 'sso.yaml'), MAPPING)
  company = await startIdentityProvider()
  service = await startService({
    dataDir: join(dir, 'data'),
    calls: 30,
    env: {
      EARSHOT_AUTH_FAILURES_PER_MINUTE: '1000',
      EARSHOT_SSO_ISSUER: company.issuer,
      EARSHOT_SSO_CLIENT_ID: COMPANY_CLIENT.client_id,
      EARSHOT_SSO_CLIENT_SECRET: COMPANY_CLIENT.client_secret,
      EARSHOT_SSO_MAPPING: join(dir, 'sso.yaml'),
    },
  })
  base = service.mcp_url
  clientId = await newClient()
  const listed = await fetch(`${service.api_url}/api/v1/agents`, {
    headers: { authorization: `Bearer ${service.application_key}` },
  })
  const { agents } = (await listed.json()) as { agents: readonly { agent_name: string }[] }
  north = agents.slice(0, 2).map(one => one.agent_name)
  await admin('/teams', { method: 'POST', body: JSON.stringify({ team_id: 'north', agents: north }) })
})

afterAll(async () => {
  await service.end()
  await company.close()
  rmSync(dir, { recursive: true, force: true })
})

beforeEach(() => {
  company.twist = undefined
  company.isForged = false
  company.trouble = undefined
})

let people = 0
/** Somebody new, who comes next. */
function somebody(claims: IdClaims = {}): void {
  people += 1
  const sub = `person-${people}`
  company.user = { sub, email: `${sub}@example.com`, email_verified: true, groups: ['support-north'], ...claims }
}

/** As far as the provider's answer, which the browser has not taken back yet. */
async function asFarAsTheAnswer(browser = new Browser(base)) {
  const { at, page } = await browser.go(authorizeUrl(clientId))
  const link = /href="([^"]+\/company)"/.exec(await page!.text())?.[1]
  const there = await browser.go(new URL(link!, at))
  expect(there.at.origin).toBe(company.issuer)
  const answer = await new Browser(company.issuer).go(there.at)
  expect(answer.at.origin).toBe(base)
  return { browser, answer: answer.at }
}

async function signedIn() {
  const { browser, answer } = await asFarAsTheAnswer()
  const { at, page } = await browser.go(answer)
  return { browser, at, status: page!.status, text: await page!.text() }
}

async function connected() {
  const { browser, at } = await signedIn()
  const allowed = await browser.send(at, { step: 'allow' })
  const response = await redeem(clientId, allowed.at)
  expect(response.status).toBe(200)
  return (await response.json()) as Tokens
}

interface Listed {
  readonly key_id: string
  readonly subject?: string
  readonly require_mapping: boolean
  readonly teams?: readonly string[]
}
const personOf = async (subject: string) =>
  ((await (await admin('/mcp-keys')).json()) as { keys: readonly Listed[] }).keys.find(one => one.subject === subject)!

async function heardBy(token: string): Promise<readonly string[]> {
  const client = new Client({ name: 'tests', version: '1' })
  await client.connect(
    new StreamableHTTPClientTransport(new URL('/mcp', base), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    }),
  )
  const { agents } = await callTool(client, 'get_project_context')
  await client.close()
  return (agents as readonly { agent_name: string }[]).map(one => one.agent_name)
}

describe('signing in with the company', () => {
  test('a lead hears exactly her team, and whom it has at each request; revoked, her clients end', async () => {
    somebody()
    const { text } = await signedIn()
    expect(text).toContain(`<dt>As</dt><dd>${String(company.user['email'])}</dd>`)
    const tokens = await connected()
    expect((await heardBy(tokens.access_token)).toSorted()).toEqual(north.toSorted())
    const { key_id: id, ...person } = await personOf(company.user.sub)
    expect(person).toMatchObject({ kind: 'person', issuer: company.issuer, teams: ['north'], roles: ['Supervisor'] })
    const { connections } = (await (await admin(`/mcp-keys/${id}/connections`)).json()) as {
      connections: readonly { created_at: string; expires_at: string }[]
    }
    const days = connections.map(one => (Date.parse(one.expires_at) - Date.parse(one.created_at)) / 86_400_000)
    expect(days.map(Math.round), 'she is asked for again sooner than a key is').toEqual([7])
    await admin('/teams/north', { method: 'PATCH', body: JSON.stringify({ agents: north.slice(0, 1) }) })
    expect(await heardBy(tokens.access_token)).toEqual(north.slice(0, 1))
    await admin('/teams/north', { method: 'PATCH', body: JSON.stringify({ agents: north }) })
    await admin(`/mcp-keys/${id}`, { method: 'DELETE' })
    expect((await ask(tokens.access_token)).status).toBe(401)
    const refreshed = await refresh(clientId, tokens.refresh_token)
    expect([refreshed.status, await errorOf(refreshed)]).toEqual([400, 'invalid_grant'])
    const again = await signedIn()
    expect([again.status, again.text]).toEqual([403, expect.stringContaining('An administrator has ended your access')])
  })

  test('of two that are begun in one browser, each ends where it began', async () => {
    somebody()
    const { browser, answer: first } = await asFarAsTheAnswer()
    const { answer: second } = await asFarAsTheAnswer(browser)
    for (const answer of [first, second]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const { page } = await browser.go(answer)
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expect([page!.status, await page!.text()]).toEqual([200, expect.stringContaining('May this program hear')])
    }
  })

  test('what the provider says now holds: another group, or none any more', async () => {
    somebody()
    const tokens = await connected()
    company.user = { ...company.user, groups: ['cx-admins'] }
    await connected()
    expect((await heardBy(tokens.access_token)).length).toBeGreaterThan(north.length)
    company.user = { ...company.user, groups: ['left'] }
    expect((await signedIn()).status).toBe(403)
    expect(await heardBy(tokens.access_token)).toEqual([])
  })

  test.each<[string, IdClaims, string]>([
    ['a group that maps to nothing', { groups: ['sales'] }, 'No rule here is about you'],
    ['no groups', { groups: undefined }, 'No rule here is about you'],
    ['an e-mail address that is not verified', { email_verified: false }, 'verified'],
    ['one of another domain', { email: 'eve@example.com.evil.example' }, 'of no domain'],
    ['a team that is not there', { groups: ['lost'] }, 'can’t be given'],
  ])('%s is refused, and says so', async (_name, claims, sentence) => {
    somebody(claims)
    const { status, text } = await signedIn()
    expect([status, text]).toEqual([403, expect.stringContaining(sentence)])
    expect(await personOf(company.user.sub)).toBeUndefined()
  })
})

describe('a provider in trouble', () => {
  const DOWN = 'identity provider can’t be reached from here; try again in a while'
  const REFUSED = 'identity provider can’t sign anybody in just now; an administrator finds why in the log'

  test.each<[string, string, NonNullable<IdentityProvider['trouble']>['answer'], string]>([
    ['is down at its token endpoint', '/token', { status: 503, body: 'down' }, DOWN],
    ['breaks off', '/token', undefined, DOWN],
    ['is down where it tells of people', '/me', { status: 500, body: '{"error":"server_error"}' }, DOWN],
    ['answers with a page', '/token', { status: 200, body: '<h1>Welcome' }, DOWN],
    ['refuses us', '/token', { status: 401, body: '{"error":"invalid_client"}' }, REFUSED],
  ])('that %s is told as such, and counts as nobody’s failure', async (_name, at, answer, sentence) => {
    somebody()
    company.trouble = { at, answer }
    const { status, text } = await signedIn()
    expect([status, text]).toEqual([403, expect.stringContaining(sentence)])
    const says = 'check EARSHOT_SSO_CLIENT_ID and EARSHOT_SSO_CLIENT_SECRET'
    expect(service.output().stderr.includes(says)).toBe(sentence === REFUSED)
  })
})

describe('an answer that is not to be trusted', () => {
  const REFUSED = [400, expect.stringContaining('belongs to no sign-in of this browser')]
  const nextHour = () => Math.floor(Date.now() / 1000) - 3_600

  test.each<[string, (claims: IdClaims) => IdClaims]>([
    ['of another issuer', claims => ({ ...claims, iss: 'https://idp.evil.example' })],
    ['for another audience', claims => ({ ...claims, aud: 'another client' })],
    ['for another sign-in (nonce)', claims => ({ ...claims, nonce: 'another' })],
    ['without a nonce', ({ nonce: _nonce, ...claims }) => claims],
    ['that has expired', claims => ({ ...claims, exp: nextHour(), iat: nextHour() - 60 })],
    ['about nobody', ({ sub: _sub, ...claims }) => claims],
  ])('an ID token %s is refused', async (_name, twist) => {
    somebody()
    company.twist = twist
    const { status, text } = await signedIn()
    expect([status, text]).toEqual(REFUSED)
    expect(await personOf(company.user.sub)).toBeUndefined()
  })

  test('an ID token that somebody else signed is refused', async () => {
    somebody()
    company.isForged = true
    const { status, text } = await signedIn()
    expect([status, text]).toEqual(REFUSED)
  })

  test('is refused to another browser, a second time, from another issuer, and where nothing was begun', async () => {
    somebody()
    const { browser, answer } = await asFarAsTheAnswer()
    const outcome = async (by: Browser, at: URL | string) => {
      const { page } = await by.go(at)
      return [page!.status, await page!.text()]
    }
    // Whoever follows an attacker’s link signs the attacker in to nothing.
    expect(await outcome(new Browser(base), answer)).toEqual(REFUSED)
    const { browser: other, answer: theirs } = await asFarAsTheAnswer()
    theirs.searchParams.set('iss', 'https://idp.evil.example')
    expect(await outcome(other, theirs)).toEqual(REFUSED)
    expect((await outcome(browser, answer))[0]).toBe(200)
    expect(await outcome(browser, answer)).toEqual(REFUSED)
    expect(await outcome(new Browser(base), `${base}/oauth/company?code=x&state=y`)).toEqual(REFUSED)
  })

  test('another’s code, in a sign-in of one’s own, is refused', async () => {
    somebody()
    const victim = await asFarAsTheAnswer()
    const attacker = await asFarAsTheAnswer()
    attacker.answer.searchParams.set('code', victim.answer.searchParams.get('code')!)
    const { page } = await attacker.browser.go(attacker.answer)
    expect([page!.status, await page!.text()]).toEqual(REFUSED)
  })
})

describe('the console', () => {
  const FOREIGN = [400, expect.stringContaining('belongs to no sign-in of this browser')]
  let api: string
  beforeAll(() => {
    api = service.api_url
  })

  /** As far as the provider's answer, at the console, which the browser has not taken back yet. */
  async function returning(query = '', browser = new Browser(api)) {
    const there = await browser.go(`${api}/console/company${query}`)
    expect(there.at.origin).toBe(company.issuer)
    const { at } = await new Browser(company.issuer).go(there.at)
    expect([at.origin, at.pathname]).toEqual([api, '/console/company/back'])
    return { browser, answer: at }
  }
  async function entered(query = '') {
    const { browser, answer } = await returning(query)
    return { browser, ...(await browser.go(answer)) }
  }
  const ask = async (browser: Browser, path: string, headers: Readonly<Record<string, string>> = {}) =>
    (await browser.go(`${api}${path}`, { headers: { 'x-earshot-console': 'http:', ...headers } })).page!
  const scopeOf = async (browser: Browser) =>
    (await (await ask(browser, '/api/v1/scope')).json()) as {
      readonly asked_by: object
      readonly agents: readonly { readonly agent_name: string }[]
    }

  test('lets a lead in with her team alone, until she is revoked or signs out at the provider', async () => {
    expect(await (await fetch(`${api}/console/sign-in`)).json()).toEqual({ company: true })
    somebody()
    const { browser, at, page } = await entered('?next=https://evil.example&project_id=other')
    expect([at.href, page!.status]).toEqual([`${api}/`, 200])
    expect(await (await ask(browser, '/console/session')).json()).toMatchObject({ project_id: 'demo' })
    const scope = await scopeOf(browser)
    expect(scope.asked_by).toMatchObject({ kind: 'person', name: company.user['email'] })
    expect(scope.agents.map(one => one.agent_name).toSorted()).toEqual(north.toSorted())
    const { browser: second } = await entered()
    await company.signOut(company.user.sub, `${base}/oauth/company/logout`)
    expect([(await ask(browser, '/api/v1/scope')).status, (await ask(second, '/api/v1/scope')).status]).toEqual([
      401, 401,
    ])
    const { browser: third } = await entered()
    expect((await ask(third, '/api/v1/scope')).status).toBe(200)
    const { key_id: id } = await personOf(company.user.sub)
    await admin(`/mcp-keys/${id}`, { method: 'DELETE' })
    expect((await ask(third, '/api/v1/scope')).status).toBe(401)
    expect((await entered()).page!.status).toBe(403)
  })

  test('lets administrators in by their claims, about one project, until they sign out at the provider', async () => {
    somebody({ groups: ['support-north', 'earshot-admins'] })
    const { browser } = await entered()
    expect((await scopeOf(browser)).asked_by).toEqual({ kind: 'admin_token', name: company.user['email'] })
    expect((await ask(browser, '/api/v1/alerts')).status, 'what only administrators ask').toBe(200)
    const elsewhere = await ask(browser, '/api/v1/alerts', { 'x-project-id': 'other' })
    expect(elsewhere.status).toBe(403)
    expect(await personOf(company.user.sub), 'no key is made of an administrator').toBeUndefined()
    expect((await entered('?project_id=other')).page!.status, 'an Admin names no other project').toBe(403)
    await company.signOut(company.user.sub, `${base}/oauth/company/logout`)
    expect((await ask(browser, '/api/v1/alerts')).status).toBe(401)

    somebody({ groups: ['platform'] })
    const { page } = await entered()
    expect([page!.status, await page!.text()]).toEqual([400, expect.stringContaining('Which project?')])
    const { browser: root } = await entered('?project_id=demo')
    expect(await (await ask(root, '/console/session')).json()).toMatchObject({ project_id: 'demo' })
    company.user = { ...company.user, email_verified: false }
    expect((await entered('?project_id=demo')).page!.status, 'with an address that is not theirs').toBe(403)
  })

  test('nobody is let in by an answer of another browser, another sign-in, a second time, or without groups', async () => {
    somebody()
    const outcome = async (by: Browser, at: URL | string) => {
      const { page } = await by.go(at)
      return [page!.status, await page!.text()]
    }
    const { browser, answer } = await returning()
    expect(await outcome(new Browser(api), answer), 'another browser').toEqual(FOREIGN)
    const other = await returning()
    other.answer.searchParams.set('code', answer.searchParams.get('code')!)
    expect(await outcome(other.browser, other.answer), 'another’s code').toEqual(FOREIGN)
    const client = await asFarAsTheAnswer()
    const moved = new URL(`/console/company/back${client.answer.search}`, api)
    expect(await outcome((await returning()).browser, moved), 'begun for an AI client').toEqual(FOREIGN)
    const back = await returning()
    const asClient = new URL(`/oauth/company${back.answer.search}`, base)
    expect(await outcome(client.browser, asClient), 'begun for the console').toEqual(FOREIGN)
    company.twist = claims => ({ ...claims, nonce: 'another' })
    expect((await entered()).page!.status).toBe(400)
    company.twist = undefined
    expect((await outcome(browser, answer))[0]).toBe(200)
    expect(await outcome(browser, answer), 'a second time').toEqual(FOREIGN)
    somebody({ groups: ['sales'] })
    const refused = await entered()
    expect(refused.page!.status).toBe(403)
    expect((await ask(refused.browser, '/console/session')).status, 'no session').toBe(204)
  })

  test('of two that are begun in one browser, each lets in', async () => {
    somebody()
    const { browser, answer: first } = await returning()
    const { answer: second } = await returning('', browser)
    for (const answer of [first, second]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expect((await browser.go(answer)).page!.status).toBe(200)
    }
  })

  const chromium = browserHere()
  describe.skipIf(chromium === undefined)('in a real browser', () => {
    let browser: Awaited<ReturnType<typeof openBrowser>>
    let page: Page
    let faults: readonly string[]
    beforeAll(async () => {
      browser = await openBrowser(chromium ?? '')
      page = await browser.newPage()
      faults = watchFaults(page)
    })
    afterAll(async () => await browser.close())
    // Whoever was signed in is no more.
    beforeEach(async () => await page.context().clearCookies())

    test('who comes back from another site is signed in', async () => {
      somebody()
      // By this name the provider, at 127.0.0.1, is another site: cookies of ours are not sent along from there.
      await page.goto(`${api.replace('127.0.0.1', 'localhost')}/calls?max_score=3#here`)
      await page.getByRole('link', { name: 'Sign in with your company' }).waitFor()
      expect(await axeFindings(page)).toEqual([])
      await page.getByRole('link', { name: 'Sign in with your company' }).click()
      await page.getByRole('navigation', { name: 'Main' }).waitFor()
      expect(page.url(), 'where they came').toBe(`${api.replace('127.0.0.1', 'localhost')}/calls?max_score=3#here`)
      await page.reload()
      await page.getByRole('navigation', { name: 'Main' }).waitFor()
      expect(faults).toEqual([])
    })

    test('an administrator is asked for the project, and goes on', async () => {
      somebody({ groups: ['platform'] })
      await page.goto(api.replace('127.0.0.1', 'localhost'))
      await page.getByRole('link', { name: 'Sign in with your company' }).click()
      await page.getByLabel('Project').fill('demo')
      await page.getByRole('button', { name: 'Go on' }).click()
      await page.getByRole('navigation', { name: 'Main' }).waitFor()
      expect(faults).toEqual([])
    })
  })

  test('another site’s page can’t begin it, and its pages are not framed', async () => {
    const foreign = await fetch(`${api}/console/company`, {
      headers: { 'sec-fetch-site': 'cross-site' },
      redirect: 'manual',
    })
    expect([foreign.status, foreign.headers.get('x-frame-options')]).toEqual([403, 'DENY'])
    expect(foreign.headers.get('set-cookie')).toBeNull()
    const begun = await fetch(`${api}/console/company`, { redirect: 'manual' })
    expect(begun.headers.get('set-cookie')).toMatch(
      /^earshot_company_[\w-]{8}=[\w-]{43}; Path=\/console\/company\/back; Max-Age=600; HttpOnly; SameSite=Lax$/,
    )
    expect(Object.fromEntries(new URL(begun.headers.get('location')!).searchParams)).toMatchObject({
      redirect_uri: `${api}/console/company/back`,
      code_challenge_method: 'S256',
      state: expect.stringMatching(/.{40}/),
      nonce: expect.stringMatching(/.{40}/),
    })
  })
})

describe('a word of the provider that somebody signed out', () => {
  const EVENTS = { 'http://schemas.openid.net/event/backchannel-logout': {} }
  const now = () => Math.floor(Date.now() / 1000)
  let tokens = 0
  const claimsNow = (sub: string): IdClaims => ({
    iss: company.issuer,
    aud: COMPANY_CLIENT.client_id,
    sub,
    iat: now(),
    exp: now() + 120,
    jti: `token ${(tokens += 1)}`,
    events: EVENTS,
  })
  const told = async (token: string) =>
    await fetch(`${base}/oauth/company/logout`, { method: 'POST', body: new URLSearchParams({ logout_token: token }) })

  test('ends every client of theirs, refresh and sign-ins under way too, and nobody else’s; they may sign in again', async () => {
    somebody()
    const other = await connected()
    somebody()
    const [one, two] = [await connected(), await connected()]
    const { browser, at } = await signedIn()
    await company.signOut(company.user.sub, `${base}/oauth/company/logout`)
    const answers = await Promise.all([one, two, other].map(async each => (await ask(each.access_token)).status))
    expect(answers).toEqual([401, 401, 200])
    const refreshed = await refresh(clientId, one.refresh_token)
    expect([refreshed.status, await errorOf(refreshed)]).toEqual([400, 'invalid_grant'])
    const late = await browser.send(at, { step: 'allow' })
    expect(late.page!.status, 'a page for consent that was open').toBe(400)
    const { key_id: id } = await personOf(company.user.sub)
    expect(await (await admin(`/mcp-keys/${id}/connections`)).json()).toEqual({ connections: [] })
    expect((await ask((await connected()).access_token)).status).toBe(200)
  })

  test('that somebody else signed, that nobody signed, or that is shown twice is refused, and ends nothing', async () => {
    somebody()
    const tokensOfHers = await connected()
    const claims = claimsNow(company.user.sub)
    company.isForged = true
    const forged = await company.sign(claims)
    const unsigned = `${btoa('{"alg":"none"}').replaceAll('=', '')}.${forged.split('.')[1]}.`
    const secret = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256' })
      .sign(new TextEncoder().encode(COMPANY_CLIENT.client_secret))
    company.isForged = false
    for (const token of [forged, unsigned, secret, '', 'x']) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expect((await told(token)).status).toBe(400)
    }
    expect((await ask(tokensOfHers.access_token)).status).toBe(200)
    const good = await company.sign(claims)
    expect((await told(good)).status).toBe(200)
    const again = await told(good)
    expect([again.status, again.headers.get('cache-control'), await errorOf(again)]).toEqual([
      400,
      'no-store',
      'invalid_request',
    ])
    expect((await ask(tokensOfHers.access_token)).status).toBe(401)
    expect((await told(await company.sign(claimsNow('nobody known here')))).status, 'tells of nobody').toBe(200)
  })
})

test('earshot sso try says what claims give, and is not let in by what is refused', async () => {
  const file = join(dir, 'claims.json')
  const tried = async (claims: object) => {
    writeFileSync(file, JSON.stringify(claims))
    return await runEarshot(['sso', 'try', file, '--mapping', join(dir, 'sso.yaml')])
  }
  const lea = { email: 'lea@example.com', email_verified: true, groups: ['support-north'] }
  const ofLea = await tried(lea)
  expect(ofLea).toMatchObject({ code: 0, stdout: expect.stringContaining('whoever is in team north') })
  const piped = await runEarshot(['sso', 'try', '-', '--mapping', join(dir, 'sso.yaml')], {
    input: JSON.stringify(lea),
  })
  expect(piped).toEqual(ofLea)
  const token = `${btoa('{"alg":"none"}')}.${btoa(JSON.stringify(lea)).replaceAll('=', '')}.`.replaceAll('=', '')
  const byToken = await runEarshot(['sso', 'try', token, '--json'], {
    env: { EARSHOT_SSO_MAPPING: join(dir, 'sso.yaml') },
  })
  expect(JSON.parse(byToken.stdout)).toMatchObject({ project_id: 'demo', teams: ['north'], rules: [1] })
  expect((await tried({ ...lea, groups: ['earshot-admins', 'support-north'] })).stdout).toMatch(
    /^In the console   Admin of demo \(administrators, rule 1\)\nRules            1\n/,
  )
  expect((await tried({ ...lea, groups: ['platform'] })).stdout).toBe(
    'In the console   SuperAdmin of every project (administrators, rule 2)\n',
  )
  const refused = await tried({ ...lea, groups: [] })
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('No rule here is about you')])
})

test('where the API has an address of its own, people come back to that, and AI clients sign in at the tool server’s', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'earshot-sso-public-'))
  const running = await startServer(dataDir, {
    EARSHOT_PUBLIC_URL: 'https://Calls.Example.com:443/ours',
    EARSHOT_PUBLIC_API_URL: 'https://calls.example.com:8000',
    EARSHOT_SSO_ISSUER: company.issuer,
    EARSHOT_SSO_CLIENT_ID: COMPANY_CLIENT.client_id,
    EARSHOT_SSO_CLIENT_SECRET: COMPANY_CLIENT.client_secret,
    EARSHOT_SSO_MAPPING: join(dir, 'sso.yaml'),
  })
  try {
    const begun = await fetch(`${running.apiUrl}/console/company`, { redirect: 'manual' })
    expect(new URL(begun.headers.get('location')!).searchParams.get('redirect_uri')).toBe(
      'https://calls.example.com:8000/console/company/back',
    )
    expect(begun.headers.get('set-cookie')).toMatch(/^__Host-earshot_company_[\w-]{8}=[\w-]{43}; Path=\/;.*; Secure$/)
    expect(await (await fetch(`${running.apiUrl}/openapi.json`)).json()).toMatchObject({
      servers: [{ url: 'https://calls.example.com:8000' }],
    })
    const metadata = await fetch(`${running.mcpUrl}/.well-known/oauth-authorization-server/ours`)
    expect(await metadata.json()).toMatchObject({ issuer: 'https://calls.example.com/ours' })
    const refused = await fetch(`${running.mcpUrl}/mcp`, { method: 'POST' })
    expect(refused.headers.get('www-authenticate')).toContain(
      'resource_metadata="https://calls.example.com/.well-known/oauth-protected-resource/ours/mcp"',
    )
    const resource = await fetch(`${running.mcpUrl}/.well-known/oauth-protected-resource/ours/mcp`)
    expect([resource.status, await resource.json()]).toEqual([
      200,
      expect.objectContaining({ resource: 'https://calls.example.com/ours/mcp' }),
    ])
    // A client that guesses is told where registering is said.
    const guessed = await errorOf(await fetch(`${running.mcpUrl}/register`, { method: 'POST' }))
    expect(guessed).not.toContain('There is no sign-in here')
  } finally {
    await running.end()
    rmSync(dataDir, { recursive: true, force: true })
  }
})
