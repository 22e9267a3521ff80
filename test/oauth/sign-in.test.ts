import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { consoleCookie } from '../../src/access/console-cookie.js'
import { makeAccess } from '../support/access.js'
import { overseeing } from '../support/api.js'
import { errorOf, rawClient, REDIRECT, type Registered, type Tokens, VERIFIER } from '../support/raw-client.js'
import { startSignIn } from '../support/sign-in-server.js'
import { Browser, ledOnTo, letIn } from '../support/sign-in.js'

/* What clients and browsers meet on the way in, by the sign-in alone. */

const ADMIN = { name: 'ada', role: 'Admin' } as const

let access: Awaited<ReturnType<typeof makeAccess>>
let server: Awaited<ReturnType<typeof startSignIn>>
let key: string
/** Whom requests count for; by default somebody new each time. */
let from: string | undefined
let strangers = 0
/** When it is, while a test lets no time pass. */
let stopped: number | undefined
const { post, register, newClient, authorizeUrl, redeem } = rawClient(() => server.base)

const start = async () =>
  await startSignIn(access, undefined, () => from ?? `2001:db8:${(strangers += 1).toString(16)}::1`)

beforeAll(async () => {
  access = await makeAccess({ clock: () => stopped ?? Date.now() })
  server = await start()
  key = (await access.keys.mint('p1', { ...overseeing }, ADMIN)).key
})
afterAll(() => server.close())

/** As far as the page that asks for consent. */
async function atConsent(asked: URL) {
  const browser = new Browser(server.base)
  const { at } = await browser.go(asked)
  return { browser, ...(await browser.send(at, { step: 'key', key })) }
}

test('no cookie of a sign-in has the name of the console’s: cookies are of a host, at whatever port', async () => {
  const { browser, at } = await atConsent(authorizeUrl(await newClient()))
  await browser.send(at, { step: 'allow' })
  const ofConsole = new Set((['http:', 'https:'] as const).map(scheme => consoleCookie(scheme, 'x').split('=', 1)[0]))
  expect(browser.cookies.filter(name => ofConsole.has(name))).toEqual([])
  expect(browser.cookies).toContain('earshot_sign_in')
})

test('whoever is signed out while they let a client in has let nobody in', async () => {
  const { key_id: id, key: theirs } = await access.keys.mint('p1', { ...overseeing }, ADMIN)
  const { keys, connections } = access
  const narrowed: typeof connections.narrowed = async (grantId, left, save) => {
    await keys.signOut(id)
    await connections.endAllOf(id)
    await connections.narrowed(grantId, left, save)
  }
  const before = server
  server = await startSignIn({
    ...access,
    connections: new Proxy(connections, {
      get: (all, name) => {
        const value: unknown = name === 'narrowed' ? narrowed : Reflect.get(all, name)
        return typeof value === 'function' ? value.bind(all) : value
      },
    }),
  })
  try {
    const browser = new Browser(server.base)
    const asked = await browser.go(authorizeUrl(await newClient()))
    const shown = await browser.send(asked.at, { step: 'key', key: theirs })
    const { at, page } = await browser.send(shown.at, { step: 'allow' })
    expect([at.origin, page?.status]).toEqual([server.base, 400])
    expect(connections.of(id)).toEqual([])
  } finally {
    server.close()
    server = before
  }
})

test('a client that registered is known after a restart', async () => {
  const clientId = await newClient()
  const withMuch = {
    redirect_uris: Array.from({ length: 20 }, (_, i) => `${REDIRECT}/${i}`),
    client_name: 'é'.repeat(200),
  }
  const { client_id: longest } = (await (await register(withMuch)).json()) as Registered
  expect([clientId.length < 250, longest.length < 2_000]).toEqual([true, true])
  expect((await redeem(clientId, await letIn(authorizeUrl(clientId), key))).status).toBe(200)
  const before = { access, server }
  access = await makeAccess()
  server = await start()
  try {
    const { key: another } = await access.keys.mint('p1', { ...overseeing }, ADMIN)
    expect(
      (
        await redeem(longest, await letIn(authorizeUrl(longest, { redirect_uri: `${REDIRECT}/19` }), another), {
          redirect_uri: `${REDIRECT}/19`,
        })
      ).status,
    ).toBe(200)
    const forged = `${clientId.slice(0, -4)}AAAA`
    const { page } = await new Browser(server.base).go(authorizeUrl(forged))
    expect([page!.status, await page!.text()]).toEqual([400, expect.stringContaining('is not known here')])
  } finally {
    server.close()
    ;({ access, server } = before)
  }
})

test('more addresses than an id holds are refused, with a sentence that says so', async () => {
  const redirect_uris = Array.from({ length: 3 }, (_, i) => `https://ai.example/${String(i).repeat(700)}`)
  const refused = await register({ redirect_uris })
  expect([refused.status, await refused.json()]).toEqual([
    400,
    { error: 'invalid_redirect_uri', error_description: expect.stringContaining('2000 bytes') },
  ])
})

test('no redirect follows a form: a page leads on, by itself and by a link, and tells nobody of it', async () => {
  const { browser, at, page } = await atConsent(authorizeUrl(await newClient()))
  expect(page!.headers.get('content-security-policy')).toContain("form-action 'self';")
  for (const step of ['allow', 'deny']) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const { at: asked } = await browser.go(authorizeUrl(await newClient(), { state: `"><script>${step}&` }))
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await browser.send(asked, { step: 'key', key })
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const answered = await browser.sendOnly(asked, { step })
    expect([answered.status, answered.headers.get('location')]).toEqual([200, null])
    expect(answered.headers.get('cache-control')).toBe('no-store')
    expect(answered.headers.get('referrer-policy')).toBe('same-origin')
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const html = await answered.text()
    const next = ledOnTo(html)
    expect(html).toContain(`<a href="${next!}">`)
    expect(new URL(next!).origin).toBe(server.base)
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const { at: there } = await browser.go(next!)
    expect(there.href.startsWith(REDIRECT)).toBe(true)
    expect(there.searchParams.get('state')).toBe(`"><script>${step}&`)
  }
  expect(at.origin).toBe(server.base)
})

test.each(['cursor://anysphere.cursor-mcp/oauth/callback', 'com.example.app:/oauth2redirect'])(
  'a program’s own scheme is come to by a page with its link: %s',
  async redirect => {
    const asked = authorizeUrl(await newClient(redirect), { redirect_uri: redirect, state: '"<b>&' })
    const { browser, at, page } = await atConsent(asked)
    expect(await page!.text()).toContain(`<dd>${redirect.split('/', 1)[0]}`)
    const answered = await browser.sendOnly(at, { step: 'allow' })
    const last = await browser.goOnly(ledOnTo(await answered.text())!)
    expect([last.status, last.headers.get('location')]).toEqual([200, null])
    const html = await last.text()
    expect(html).not.toContain('<b>')
    const answer = new URL(ledOnTo(html)!)
    expect(answer.href.startsWith(`${redirect}?code=`)).toBe(true)
    expect(answer.searchParams.get('state')).toBe('"<b>&')
    expect(html).toContain(`<a href="${redirect}?code=`)
  },
)

test('two resources are refused at once, where one token is asked for', async () => {
  const clientId = await newClient()
  const asked = authorizeUrl(clientId)
  for (const path of ['/mcp', '/sse']) asked.searchParams.append('resource', `${server.base}${path}`)
  const { at } = await new Browser(server.base).go(asked)
  expect(Object.fromEntries(at.searchParams)).toMatchObject({
    error: 'invalid_target',
    error_description: expect.stringContaining('one of them'),
    state: 's',
  })
  const same = authorizeUrl(clientId)
  for (const path of ['/mcp', '/mcp/']) same.searchParams.append('resource', `${server.base}${path}`)
  const answer = await letIn(same, key)
  const fields = new URLSearchParams({
    grant_type: 'authorization_code',
    code: answer.searchParams.get('code')!,
    client_id: clientId,
    redirect_uri: REDIRECT,
    code_verifier: VERIFIER,
  })
  for (const path of ['/mcp', '/sse']) fields.append('resource', `${server.base}${path}`)
  const refused = await post('/oauth/token', fields)
  expect([refused.status, await errorOf(refused)]).toEqual([400, 'invalid_target'])
})

test('a question mark within the query cuts nothing off', async () => {
  const asked = authorizeUrl(await newClient(), { state: 'begin' })
  const { at } = await atConsent(new URL(asked.href.replace('state=begin', 'state=a?b')))
  expect(at.pathname).toContain('/oauth/sign-in/')
  const answer = await letIn(asked.href.replace('state=begin', 'state=a?b'), key)
  expect(answer.searchParams.get('state')).toBe('a?b')
})

test('an IPv6 network counts as one who registers and asks, as it does everywhere', async () => {
  const statuses = new Set<number>()
  for (let i = 0; i < 40; i += 1) {
    from = `2001:db8:ffff:1::${i}`
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    statuses.add((await register({ redirect_uris: [REDIRECT] })).status)
  }
  from = '2001:db8:ffff:2::1'
  const other = (await register({ redirect_uris: [REDIRECT] })).status
  from = undefined
  expect([statuses, other]).toEqual([new Set([201, 429]), 201])
})

test('what a stranger asks with is bounded, and puts out no token that was given', async () => {
  const clientId = await newClient()
  const asked = async (more: Readonly<Record<string, string>>) => {
    const { page } = await new Browser(server.base).go(authorizeUrl(clientId, more))
    return [page!.status, await page!.text()]
  }
  const TOO_LONG = [400, expect.stringMatching(/The program asks with \d+ characters, .* up to 2500 are taken/)]
  expect(await asked({ state: 'x'.repeat(2_500) })).toEqual(TOO_LONG)
  expect(await asked({ state: 'x'.repeat(1_500), login_hint: 'x'.repeat(1_500) })).toEqual(TOO_LONG)
  expect((await asked({ state: 'x'.repeat(2_000) }))[0]).toBe(200)
  const redeemed = await redeem(clientId, await letIn(authorizeUrl(clientId), key))
  const tokens = (await redeemed.json()) as Tokens
  const interactions = access.connections.adapter('Interaction')
  const holder = () => access.connections.holderOf(tokens.access_token, `${server.base}/mcp`)
  // The token holds for a minute, which a busy machine may take for so many.
  stopped = Date.now()
  try {
    expect(holder()).toBeDefined()
    for (let i = 0; i < 100_001; i += 1) {
      await interactions.upsert(`way ${i}`, {}, 600)
      // The server beside it goes on, and closes connections that rest while this takes its time.
      if (i % 1_000 === 0) await setImmediate()
    }
    expect(holder()).toBeDefined()
  } finally {
    stopped = undefined
  }
})
