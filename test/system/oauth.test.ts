import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, SSEClientTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callTool } from '../support/mcp-client.js'
import {
  errorOf,
  initialize,
  postFrom,
  rawClient,
  REDIRECT,
  type Registered,
  type Tokens,
  VERIFIER,
} from '../support/raw-client.js'
import { runEarshot } from '../support/run-earshot.js'
import { axeFindings, browserHere, openBrowser, watchFaults } from '../console/browser.js'
import { startServer } from '../support/start-server.js'
import { Browser, letIn, oauthProvider } from '../support/sign-in.js'
import { type RunningService, startService } from '../support/start-service.js'

const CALLS = 30
const MANY_FAILURES = { EARSHOT_AUTH_FAILURES_PER_MINUTE: '1000' }
let service: RunningService
let dataDir: string
let base: string

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'earshot-oauth-'))
  service = await startService({ dataDir, calls: CALLS, env: MANY_FAILURES })
  base = service.mcp_url
})

afterAll(async () => {
  await service.end()
  rmSync(dataDir, { recursive: true, force: true })
})

interface Minted {
  readonly key: string
  readonly key_id: string
}

const admin = async (path: string, init: RequestInit = {}) =>
  await fetch(`${service.api_url}/projects/${service.project_id}/mcp-keys${path}`, {
    ...init,
    headers: { authorization: `Bearer ${service.admin_token}`, 'content-type': 'application/json' },
  })
const mint = async (fields: object = {}) =>
  (await (await admin('', { method: 'POST', body: JSON.stringify({ name: 'a lead', ...fields }) })).json()) as Minted

/** More clients register here in a minute than one address may register. */
let registrations = 0
const { post, register, newClient, authorizeUrl, redeem, refresh, connected, ask } = rawClient(
  () => base,
  () => `127.0.1.${(registrations += 1)}`,
)

describe('signing in with the address alone', () => {
  test.each(['/mcp', '/sse'])(
    'the official client is led to a page and hears what the key hears, at %s',
    async path => {
      let asked: URL | undefined
      const provider = oauthProvider(address => (asked = address))
      const url = new URL(path, base)
      const transport = () =>
        path === '/mcp'
          ? new StreamableHTTPClientTransport(url, { authProvider: provider })
          : // oxlint-disable-next-line typescript/no-deprecated -- /sse is what is being tried
            new SSEClientTransport(url, { authProvider: provider })
      const first = transport()
      await expect(new Client({ name: 'tests', version: '1' }).connect(first)).rejects.toThrow('Unauthorized')
      const answer = await letIn(asked!, service.application_key)
      await first.finishAuth(answer.searchParams.get('code')!, answer.searchParams.get('iss') ?? undefined)
      const client = new Client({ name: 'tests', version: '1' })
      await client.connect(transport())
      const context = await callTool(client, 'get_project_context')
      expect(context.volume.calls).toBe(CALLS)
      await client.close()
      expect(provider.kept.get('tokens')).toMatchObject({ token_type: 'Bearer', expires_in: 900, scope: 'calls' })
      expect(service.output().stdout.trim().split('\n'), 'nothing but the line for scripts').toHaveLength(1)
    },
  )

  test('a 401 says where to sign in, and a bearer key goes on as before', async () => {
    const refused = await post('/mcp', '{}')
    expect(refused.status).toBe(401)
    expect(await refused.json()).toEqual({ error: 'Authentication required', code: 'unauthenticated' })
    const metadata = /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate') ?? '')?.[1]
    const resource = (await (await fetch(metadata!)).json()) as { resource: string; authorization_servers: string[] }
    expect(resource).toMatchObject({ resource: `${base}/mcp`, authorization_servers: [base] })
    expect((await ask(service.application_key)).status).toBe(200)
  })

  test('a client that guesses where to register is told where it is said', async () => {
    const answered = await post('/register', '{}')
    expect(answered.status).toBe(404)
    expect(await errorOf(answered)).toContain('/.well-known/oauth-authorization-server says where')
  })

  test('a port that is mapped to ours, as a container’s is, leads through the whole sign-in', async () => {
    const mapping = createServer(socket => {
      // From the address of a network's gateway, as the requests of a container's clients come.
      const to = { port: Number(new URL(service.mcp_url).port), host: '127.0.0.1', localAddress: '127.0.0.2' }
      const onward = connect(to)
      socket.pipe(onward).pipe(socket)
      for (const end of [socket, onward]) end.on('error', () => end.destroy())
    }).listen(0, '127.0.0.1')
    await once(mapping, 'listening')
    const own = base
    base = `http://localhost:${(mapping.address() as AddressInfo).port}`
    try {
      const { answer, tokens, clientId } = await connected(service.application_key)
      expect(answer.searchParams.get('iss')).toBe(base)
      expect((await ask(tokens.access_token)).status).toBe(200)
      expect((await refresh(clientId, tokens.refresh_token)).status).toBe(200)
      // By another name it is another issuer, and another resource: what was let in at one is nothing at the other.
      const elsewhere = await letIn(authorizeUrl(clientId), service.application_key)
      base = own
      expect((await ask(tokens.access_token)).status).toBe(401)
      expect((await redeem(clientId, elsewhere)).status, 'a code of the other issuer').toBe(400)
      expect((await refresh(clientId, tokens.refresh_token)).status, 'a refresh token of the other issuer').toBe(400)
    } finally {
      base = own
      mapping.close()
    }
  })

  test('the page says who asks and what it will hear, and nothing of it runs or is framed', async () => {
    const { key } = await mint({ name: 'Team <2>', require_mapping: true, allowed_agents: [] })
    const clientId = (
      (await (
        await register({ redirect_uris: ['https://ai.example/back'], client_name: '<script>alert(1)</script>' })
      ).json()) as Registered
    ).client_id
    const browser = new Browser(base)
    const first = await browser.go(authorizeUrl(clientId, { redirect_uri: 'https://ai.example/back' }))
    const keyPage = await first.page!.text()
    expect(keyPage).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(keyPage).not.toContain('<script>')
    expect(keyPage).toContain('ai.example')
    const policy = first.page!.headers.get('content-security-policy')
    expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'; base-uri 'none';/)
    expect(policy).toContain("frame-ancestors 'none'")
    expect(first.page!.headers.get('x-frame-options')).toBe('DENY')
    expect(first.page!.headers.get('cache-control')).toBe('no-store')
    const second = await browser.send(first.at, { step: 'key', key })
    const consent = await second.page!.text()
    expect(consent).toContain('Team &lt;2&gt;')
    expect(consent).toMatch(/<dt>Agents<\/dt><dd>none<\/dd><dt>Calls<\/dt><dd>0<\/dd>/)
    expect(consent).not.toContain(key)
    const grouped = await mint({ min_group: 20 })
    const other = new Browser(base)
    const third = await other.go(authorizeUrl(clientId, { redirect_uri: 'https://ai.example/back' }))
    expect(await (await other.send(third.at, { step: 'key', key: grouped.key })).page!.text()).toContain(
      '<dd>groups of calls only</dd>',
    )
    const { at } = await browser.send(second.at, { step: 'deny' })
    expect(at.origin).toBe('https://ai.example')
    expect(Object.fromEntries(at.searchParams)).toMatchObject({ error: 'access_denied', state: 's', iss: base })
  })

  test('connections outlive a restart of the service, and no token is in its files', async () => {
    const port = new URL(base).port
    const where = ['--project', service.project_id, '--data-dir', dataDir]
    const invited = await runEarshot(['invite', 'lead@x', ...where, '--json'])
    const { invitation_code, invitation_url } = JSON.parse(invited.stdout) as {
      readonly invitation_code: string
      readonly invitation_url: string
    }
    expect(invitation_url).toBe(`${base}/oauth/invitation?code=${invitation_code}`)
    const { clientId, tokens } = await connected(service.application_key)
    const refreshed = await refresh(clientId, tokens.refresh_token)
    expect(refreshed.status).toBe(200)
    const { access_token: fresh, refresh_token: next } = (await refreshed.json()) as Tokens
    expect((await ask(fresh)).status).toBe(200)
    await service.end()
    const files = readdirSync(dataDir, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
    const secrets = [fresh, next, tokens.access_token, tokens.refresh_token, invitation_code]
    for (const { parentPath, name } of files) {
      const bytes = readFileSync(join(parentPath, name))
      expect(secrets.filter(secret => bytes.includes(secret))).toEqual([])
    }
    service = await startService({ dataDir, calls: CALLS, mcpPort: port, env: MANY_FAILURES })
    base = service.mcp_url
    expect((await new Browser(base).go(invitation_url)).page!.status, 'an invitation outlives it').toBe(200)
    expect((await ask(fresh)).status).toBe(401)
    const again = await refresh(clientId, next)
    expect(again.status).toBe(200)
    expect((await ask(((await again.json()) as Tokens).access_token)).status).toBe(200)
  })
})

describe('what a key may not hear, its clients may not', () => {
  test('a key that is narrowed narrows its clients, and one that is revoked ends them, refresh too', async () => {
    const { key, key_id: id } = await mint()
    const { clientId, tokens } = await connected(key)
    const opened = await ask(tokens.access_token)
    expect(opened.status).toBe(200)
    const trail = readdirSync(join(dataDir, 'activity')).map(name =>
      readFileSync(join(dataDir, 'activity', name), 'utf8'),
    )
    const lines = trail.flatMap(text => text.split('\n')).filter(line => line.includes('oauth: allow a client'))
    expect(
      lines.some(line => line.includes(id)),
      'whose key let a client in is on record',
    ).toBe(true)
    const search = async () => {
      const response = await post(
        '/mcp',
        JSON.stringify({
          jsonrpc: '2.0',
          id: 2,
          method: 'tools/call',
          params: { name: 'search_calls', arguments: { limit: 1 } },
        }),
        {
          authorization: `Bearer ${tokens.access_token}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-session-id': opened.headers.get('mcp-session-id')!,
        },
      )
      return response.status === 200
        ? ((await response.json()) as { result: { structuredContent: { total: number } } }).result.structuredContent
            .total
        : response.status
    }
    expect(await search()).toBeGreaterThan(0)
    await admin(`/${id}`, { method: 'PATCH', body: JSON.stringify({ require_mapping: true }) })
    expect(await search()).toBe(0)
    await admin(`/${id}`, { method: 'DELETE' })
    expect(await search()).toBe(401)
    const again = await refresh(clientId, tokens.refresh_token)
    expect([again.status, await errorOf(again)]).toEqual([400, 'invalid_grant'])
  })

  test('an administrator sees the clients of a key, and ends one alone', async () => {
    const { key, key_id: id } = await mint()
    const [first, second] = [await connected(key), await connected(key)]
    const where = ['--project', service.project_id, '--data-dir', dataDir]
    const listed = await runEarshot(['keys', 'connections', id, '--json', ...where])
    const { connections } = JSON.parse(listed.stdout) as { connections: readonly Record<string, string>[] }
    expect(connections.map(one => [one['client_name'], one['redirect_host']])).toEqual(
      [first, second].map(() => ['A client', '127.0.0.1:9']),
    )
    expect(listed.stdout).not.toContain(first.tokens.refresh_token)
    const { stdout } = await runEarshot(['keys', 'disconnect', id, connections[0]!['connection_id']!, ...where])
    expect(stdout).toBe(`Ended ${connections[0]!['connection_id']} of A client\n`)
    const answers = await Promise.all(
      [first, second].map(async ({ tokens }) => (await ask(tokens.access_token)).status),
    )
    expect(answers.toSorted((a, b) => a - b)).toEqual([200, 401])
    const other = await mint()
    const foreign = await admin(`/${other.key_id}/connections/${connections[1]!['connection_id']}`, {
      method: 'DELETE',
    })
    expect(foreign.status, 'a connection of another key is none of this one').toBe(404)
  })

  test('a token is for one endpoint: not for the other, not for REST, not in a query, and a refresh token for none', async () => {
    const { tokens } = await connected(service.application_key, { resource: `${base}/sse` })
    expect((await ask(tokens.access_token, '/mcp')).status).toBe(401)
    expect((await ask(tokens.refresh_token, '/mcp')).status).toBe(401)
    const stream = new AbortController()
    const sse = await fetch(`${base}/sse`, {
      headers: { authorization: `Bearer ${tokens.access_token}` },
      signal: stream.signal,
    })
    expect(sse.status).toBe(200)
    stream.abort()
    const rest = await fetch(`${service.api_url}/api/v1/agents`, {
      headers: { authorization: `Bearer ${tokens.access_token}` },
    })
    expect(rest.status).toBe(401)
    const { tokens: forMcp } = await connected(service.application_key, { resource: `${base}/mcp/` })
    expect((await ask(forMcp.access_token)).status).toBe(200)
    expect((await post(`/mcp?access_token=${forMcp.access_token}`, JSON.stringify(initialize))).status).toBe(401)
    const elsewhere = await new Browser(base).go(
      authorizeUrl(await newClient(), { resource: 'https://elsewhere.example/mcp' }),
    )
    expect(elsewhere.at.searchParams.get('error')).toBe('invalid_target')
  })
})

describe('what a person leaves out for a client, it never hears', () => {
  type Fields = [string, string][]
  let clientId: string
  let names: readonly string[]
  beforeAll(async () => {
    clientId = await newClient()
    const headers = { authorization: `Bearer ${service.application_key}` }
    const { agents } = (await (await fetch(`${service.api_url}/api/v1/agents`, { headers })).json()) as {
      agents: readonly { agent_name: string }[]
    }
    names = agents.map(one => one.agent_name)
  })

  async function atConsent(key: string) {
    const browser = new Browser(base)
    const asked = await browser.go(authorizeUrl(clientId))
    return { browser, shown: await browser.send(asked.at, { step: 'key', key }) }
  }
  async function letInFor(key: string, fields: Fields): Promise<Tokens> {
    const { browser, shown } = await atConsent(key)
    const { at } = await browser.send(shown.at, [['step', 'allow'], ...fields])
    return (await (await redeem(clientId, at)).json()) as Tokens
  }
  /** What a client with a token is told that it hears. */
  async function heardBy({ access_token: token }: Pick<Tokens, 'access_token'>) {
    const transport = new StreamableHTTPClientTransport(new URL('/mcp', base), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    })
    const client = new Client({ name: 'tests', version: '1' })
    await client.connect(transport)
    const { scope, agents } = await callTool(client, 'get_project_context')
    const found = await callTool(client, 'search_calls', { limit: 1 })
    await client.close()
    const named = (agents as readonly { agent_name: string }[]).map(one => one.agent_name)
    const { customer_name: customer } = (found.calls as readonly Record<string, unknown>[])[0] ?? {}
    return { scope, agents: named.toSorted(), calls: found.total as number, customer }
  }

  test('fewer agents and no text, at every request and after a refresh; the list and the scope say so', async () => {
    const { key, key_id: id } = await mint()
    const [first = '', second = ''] = names
    const page = await (await atConsent(key)).shown.page!.text()
    expect(page).toContain(`<input type="checkbox" name="agent" value="${first}">`)
    expect(page).toContain('It changes nothing.')
    await admin(`/${id}`, { method: 'PATCH', body: JSON.stringify({ allowed_agents: names.slice(0, 3) }) })
    const tokens = await letInFor(key, [
      ['agent', first],
      ['agent', second],
      ['text', 'none'],
    ])
    const heard = await heardBy(tokens)
    expect(heard).toMatchObject({ agents: [first, second].toSorted(), customer: undefined })
    const refreshed = (await (await refresh(clientId, tokens.refresh_token)).json()) as Tokens
    expect(await heardBy(refreshed)).toEqual(heard)
    const wide = await letInFor(key, [['text', '']])
    expect(await heardBy(wide)).toMatchObject({ agents: names.slice(0, 3).toSorted() })

    const where = ['--project', service.project_id, '--data-dir', dataDir]
    const { connections } = JSON.parse((await runEarshot(['keys', 'connections', id, '--json', ...where])).stdout) as {
      connections: readonly Record<string, unknown>[]
    }
    const narrowed = connections.find(one => one['agents'] !== undefined)
    expect(narrowed).toMatchObject({ agents: [first, second], text: 'none' })
    expect((await runEarshot(['keys', 'connections', id, ...where])).stdout).toContain(`${first}, ${second}, no text`)
    const seen = await runEarshot(['keys', 'show', id, '--connection', String(narrowed!['connection_id']), ...where])
    expect(seen.stdout).toContain('The client was let in for 2 agents of those the key hears (connection)')

    // The key is the bound of it all, as it is at each request: an agent who is taken from it is gone, one who is
    // given to it is not heard by who was let in without them.
    await admin(`/${id}`, { method: 'PATCH', body: JSON.stringify({ allowed_agents: [second, ...names.slice(3)] }) })
    expect((await heardBy(refreshed)).agents).toEqual([second])
    await admin(`/${id}`, { method: 'PATCH', body: JSON.stringify({ allowed_agents: names.slice(2) }) })
    expect(await heardBy(refreshed), 'nobody is left, which is not everybody').toMatchObject({ agents: [], calls: 0 })
    await admin(`/${id}`, { method: 'PATCH', body: JSON.stringify({ allowed_agents: [] }) })
    expect((await heardBy(refreshed)).agents, 'a key for the whole project').toEqual([first, second].toSorted())
  })

  test('who asked what is told to no client that was let in for less, and the page and the scope say so', async () => {
    const { key, key_id: id } = await mint({ roles: ['Admin'] })
    const page = await (await atConsent(key)).shown.page!.text()
    expect(page).toContain('and who asked what in this project')
    expect(page).toContain('A program that is to hear less is not told who asked what.')
    const toolsOf = async ({ access_token: token }: Tokens) => {
      const client = new Client({ name: 'tests', version: '1' })
      const requestInit = { headers: { authorization: `Bearer ${token}` } }
      await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', base), { requestInit }))
      const { tools } = await client.listTools()
      await client.close()
      return tools.map(({ name }) => name)
    }
    expect(await toolsOf(await letInFor(key, []))).toContain('query_user_activity')
    const less = await letInFor(key, [['agent', names[0]!]])
    expect(await toolsOf(less)).not.toContain('query_user_activity')
    const { connections } = (await (await admin(`/${id}/connections`)).json()) as {
      connections: readonly { connection_id: string; agents?: readonly string[] }[]
    }
    const { connection_id: narrowed } = connections.find(({ agents }) => agents !== undefined)!
    const seen = await (await admin(`/${id}/connections/${narrowed}/as-seen`)).text()
    expect(seen).toContain('The client was let in for less than the key hears: the role Admin opens nothing to it')
    expect(seen).toContain(
      '{"rule":"connection","says":"query_user_activity, which needs the role Admin or SuperAdmin"}',
    )
  })

  test('of a key that reads the audit trail alone the page promises no call', async () => {
    const { key } = await mint({ roles: ['Auditor'] })
    const page = await (await atConsent(key)).shown.page!.text()
    expect(page).toContain('who asked what in this project, and no call')
    expect(page).not.toMatch(/transcripts|Let it hear less/)
  })

  test('a form that names what was not to be chosen lets nobody in, and one may choose again', async () => {
    const { key, key_id: id } = await mint({ allowed_agents: names.slice(0, 2), text: 'masked' })
    const [inside = '', within = '', outside = ''] = [names[0], names[1], names[5]]
    const { browser, shown } = await atConsent(key)
    const forged: Record<string, Fields> = {
      'an agent outside the key': [['agent', outside]],
      'one within and one outside': [
        ['agent', inside],
        ['agent', outside],
      ],
      nobody: [['agent', '']],
      'somebody who is nowhere': [['agent', 'Nobody At All']],
      'more text than the key sees': [['text', 'full']],
      'as much as the key sees, beside less': [
        ['text', 'none'],
        ['text', 'masked'],
      ],
      'what is no choice': [['text', 'everything']],
    }
    for (const [name, fields] of Object.entries(forged)) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const { page } = await browser.send(shown.at, [['step', 'allow'], ...fields])
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expect([name, page?.status, await page?.text()]).toEqual([
        name,
        400,
        expect.stringMatching(/role="alert">.*anew\./),
      ])
    }
    const { connections } = (await (await admin(`/${id}/connections`)).json()) as { connections: readonly object[] }
    expect(connections).toEqual([])
    const { at } = await browser.send(shown.at, [
      ['step', 'allow'],
      ['agent', within],
    ])
    const tokens = (await (await redeem(clientId, at)).json()) as Tokens
    expect((await heardBy(tokens)).agents).toEqual([within])
  })

  test('a key that sees less than was chosen is the bound of texts too', async () => {
    const { key, key_id: id } = await mint()
    const tokens = await letInFor(key, [['text', 'masked']])
    const scopeOf = async (): Promise<string> => {
      const { connections } = (await (await admin(`/${id}/connections`)).json()) as {
        connections: readonly { connection_id: string }[]
      }
      return await (await admin(`/${id}/connections/${connections[0]!.connection_id}/as-seen`)).text()
    }
    expect(await scopeOf()).toContain('The client was let in for less text. Texts are told masked')
    await admin(`/${id}`, { method: 'PATCH', body: JSON.stringify({ text: 'none' }) })
    expect((await heardBy(tokens)).customer).toBeUndefined()
    expect(await scopeOf()).toContain('"rule":"text","says":"Figures and categories are told, without text"')
    const other = await mint()
    const foreign = await admin(`/${other.key_id}/connections/con_of_another/as-seen`)
    expect(foreign.status).toBe(404)
  })
})

describe('people, who have no key to show', () => {
  interface Invited {
    readonly key_id: string
    readonly invitation_code: string
    readonly invitation_url: string
  }
  const invite = async (subject: string, fields: object = { require_mapping: false }) => {
    const response = await fetch(`${service.api_url}/projects/${service.project_id}/people`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.admin_token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ subject, ...fields }),
    })
    expect(response.status).toBe(201)
    return (await response.json()) as Invited
  }
  let clientId: string
  beforeAll(async () => {
    clientId = await newClient()
  })
  const REFUSED = 'This is not accepted: it was mistyped, has expired, was revoked or was used already.'

  test('an invitation’s link leads through consent to a connection of the person, which ends with them', async () => {
    const { key_id: id, invitation_url: link } = await invite('lead@example.com')
    const browser = new Browser(base)
    const opened = await browser.go(link)
    const page = await opened.page!.text()
    expect(page).toContain(`<strong>${base}/mcp</strong>`)
    expect(page).toContain(`<dd>${CALLS}</dd>`)
    expect((await new Browser(base).go(link)).page!.status, 'looking at it does not use it up').toBe(200)
    const asked = await browser.go(authorizeUrl(clientId))
    expect(await asked.page!.text(), 'no key is asked for').toContain('<dt>As</dt><dd>lead@example.com</dd>')
    const { at } = await browser.send(asked.at, { step: 'allow' })
    const tokens = (await (await redeem(clientId, at)).json()) as Tokens
    expect((await ask(tokens.access_token)).status).toBe(200)
    const { connections } = (await (await admin(`/${id}/connections`)).json()) as { connections: readonly object[] }
    expect(connections).toHaveLength(1)
    const again = await browser.go(link)
    expect([again.page!.status, await again.page!.text()]).toEqual([400, expect.stringContaining(REFUSED)])
    await admin(`/${id}`, { method: 'DELETE' })
    expect((await ask(tokens.access_token)).status).toBe(401)
    const refreshed = await refresh(clientId, tokens.refresh_token)
    expect([refreshed.status, await errorOf(refreshed)]).toEqual([400, 'invalid_grant'])
  })

  const chromium = browserHere()
  test.skipIf(chromium === undefined)('a real browser lets a program in, by pages that a reader can use', async () => {
    const { invitation_url: link } = await invite('browser@example.com')
    // As hosted programs do, it leads on to a page of its own, of another origin.
    const program = createHttpServer(({ url, headers: { host = '' } }, response) => {
      if (host.startsWith('localhost')) response.end('done')
      else response.writeHead(302, { location: `http://${host.replace('127.0.0.1', 'localhost')}${url}` }).end()
    }).listen(0, '127.0.0.1')
    await once(program, 'listening')
    const redirect = { redirect_uri: `http://127.0.0.1:${(program.address() as AddressInfo).port}/callback` }
    const browser = await openBrowser(chromium ?? '')
    try {
      const context = await browser.newContext()
      // The console's session is one of the same host, and stays what it is.
      const atConsole = async (init: object = {}) =>
        (
          await context.request.fetch(`${service.api_url}/console/session`, {
            headers: { 'x-earshot-console': 'http:' },
            ...init,
          })
        ).status()
      expect(await atConsole({ method: 'POST', data: { key: service.application_key } })).toBe(201)
      const page = await context.newPage()
      const faults = watchFaults(page)
      await page.goto(authorizeUrl(clientId, redirect).href)
      expect(await axeFindings(page)).toEqual([])
      await page.getByLabel('Your application key, or your invitation').fill(link)
      await page.getByRole('button', { name: 'Go on' }).click()
      await page.getByRole('heading', { name: 'May this program hear your calls?' }).waitFor()
      await page.getByText('Let it hear less').click()
      expect(await axeFindings(page)).toEqual([])
      await page.getByLabel('transcripts with personal data masked').check()
      await page.getByRole('checkbox').first().check()
      await page.getByRole('button', { name: 'Allow', exact: true }).click()
      await page.waitForURL(/localhost:.*\/callback\?/)
      expect(faults).toEqual([])
      expect(await atConsole()).toBe(200)
      expect((await redeem(clientId, new URL(page.url()), redirect)).status).toBe(200)
    } finally {
      await browser.close()
      program.close()
    }
  })

  test('one that was used, replaced, guessed, or of somebody revoked is refused with the same page', async () => {
    const [used, replaced, revoked] = [await invite('used@x'), await invite('replaced@x'), await invite('revoked@x')]
    await letIn(authorizeUrl(clientId), used.invitation_code)
    const { invitation_code: fresh } = (await (
      await admin(`/${replaced.key_id}/invitation`, { method: 'POST' })
    ).json()) as Invited
    await admin(`/${revoked.key_id}`, { method: 'DELETE' })
    const shown = [used, replaced, revoked].map(one => one.invitation_code)
    const guesses = ['inv_', `inv_${'x'.repeat(43)}`, `esk_${'x'.repeat(43)}`, used.key_id, used.invitation_url]
    const pages = await Promise.all(
      [...shown, ...guesses].map(async key => {
        const browser = new Browser(base)
        const { at } = await browser.go(authorizeUrl(clientId))
        const { page } = await browser.send(at, { step: 'key', key })
        return `${page!.status} ${await page!.text()}`
      }),
    )
    expect(new Set(pages).size).toBe(1)
    expect(pages[0]).toMatch(/^400 /)
    expect(pages[0]).toContain(REFUSED)
    const links = await Promise.all(
      [...shown, 'inv_guessed', 'esk_x', ''].map(async code => {
        const { page } = await new Browser(base).go(`${base}/oauth/invitation?code=${code}`)
        return `${page!.status} ${await page!.text()}`
      }),
    )
    expect(new Set(links).size).toBe(1)
    expect((await letIn(authorizeUrl(clientId), fresh)).searchParams.has('code')).toBe(true)
  })

  test('of two who accept one at the same instant one is let in, and who declines leaves it as it is', async () => {
    const { invitation_url: link } = await invite('twice@example.com')
    const atConsent = async () => {
      const browser = new Browser(base)
      const { at } = await browser.go(authorizeUrl(clientId))
      const shown = await browser.send(at, { step: 'key', key: link })
      expect(shown.page!.status).toBe(200)
      return async (step: string) => await browser.send(shown.at, { step })
    }
    const declined = await (await atConsent())('deny')
    expect(declined.at.searchParams.get('error')).toBe('access_denied')
    const [first, second] = [await atConsent(), await atConsent()]
    const answers = await Promise.all([first('allow'), second('allow')])
    const came = answers.map(({ at, page }) => page?.status ?? (at.searchParams.has('code') ? 'let in' : 'not'))
    expect(new Set(came)).toEqual(new Set([400, 'let in']))
  })

  test('who is invited without a word of whom they hear hears nobody, and no program shows them as a key', async () => {
    const { invitation_code: code, ...person } = await invite('nobody@example.com', {})
    expect(person).toMatchObject({ kind: 'person', roles: [], require_mapping: true })
    expect(person).not.toHaveProperty('key_preview')
    const { tokens } = await connected(code)
    const answered = await fetch(`${service.api_url}/api/v1/scope`, { headers: { authorization: `Bearer ${code}` } })
    expect(answered.status).toBe(401)
    expect((await ask(code)).status).toBe(401)
    expect((await ask(tokens.access_token)).status).toBe(200)
    const seen = (await (await admin(`/${person.key_id}/as-seen`)).json()) as { scope: object }
    expect(seen.scope).toMatchObject({ hears: 'nothing', asked_by: { kind: 'person' } })
    expect((await admin(`/${person.key_id}/rotate`, { method: 'POST', body: '{}' })).status).toBe(422)
    const { key_id: program } = await mint()
    expect((await admin(`/${program}/invitation`, { method: 'POST' })).status).toBe(422)
  })
})

describe('attacks on the way in', () => {
  test('an answer by a program’s own scheme, or at IPv6’s loopback, goes where it was registered and nowhere near', async () => {
    const redirect_uris = ['cursor://anysphere.cursor-mcp/oauth/callback', 'http://[::1]:9/callback']
    const { client_id: id } = (await (await register({ redirect_uris, client_name: 'Two' })).json()) as Registered
    const asked = async (redirect: string) => await new Browser(base).go(authorizeUrl(id, { redirect_uri: redirect }))
    for (const near of [
      'cursor://evil/oauth/callback',
      'cursor://anysphere.cursor-mcp/other',
      'http://[::2]:9/callback',
    ]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expect((await asked(near)).page!.status, `${near} is refused`).toBe(400)
    }
    for (const one of [redirect_uris[0]!, 'http://[::1]:4711/callback']) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const answer = await letIn(authorizeUrl(id, { redirect_uri: one }), service.application_key)
      expect(answer.href.startsWith(`${one}?code=`), `${answer.href} is ${one}`).toBe(true)
    }
  })

  test('a flood of registrations is one address’s, and lets others register', async () => {
    const body = JSON.stringify({ redirect_uris: [REDIRECT] })
    const statuses = await Promise.all(
      Array.from({ length: 70 }, async () => (await postFrom('127.0.0.3', `${base}/oauth/register`, body)).status),
    )
    expect(new Set(statuses)).toEqual(new Set([201, 429]))
    expect((await register({ redirect_uris: [REDIRECT] })).status).toBe(201)
  })

  test('an answer goes only where the client registered', async () => {
    const clientId = await newClient()
    const elsewhere = {
      'another host': 'http://127.0.0.1.evil.example/callback',
      'a user before the host': 'http://127.0.0.1:9@evil.example/callback',
      'another path': 'http://127.0.0.1:9/other',
      https: 'https://127.0.0.1:9/callback',
      'a fragment': `${REDIRECT}#x`,
    }
    for (const [name, redirect] of Object.entries(elsewhere)) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const { at, page } = await new Browser(base).go(authorizeUrl(clientId, { redirect_uri: redirect }))
      expect(at.origin, `${name}: no redirect`).toBe(base)
      expect(page!.status, `${name}: refused`).toBe(400)
      expect(page!.headers.get('content-security-policy')).toContain("default-src 'none'")
    }
  })

  test('only the port of a loopback address is the client’s to choose', async () => {
    const clientId = await newClient('http://127.0.0.1/callback')
    const { page } = await new Browser(base).go(
      authorizeUrl(clientId, { redirect_uri: 'http://127.0.0.1:4711/callback' }),
    )
    expect(page!.status).toBe(200)
  })

  test.each([
    ['none', { code_challenge: '', code_challenge_method: '' }],
    ['plain', { code_challenge: VERIFIER, code_challenge_method: 'plain' }],
  ])('no code without PKCE: %s', async (_name, more) => {
    const { at } = await new Browser(base).go(authorizeUrl(await newClient(), more))
    expect(Object.fromEntries(at.searchParams)).toMatchObject({ error: 'invalid_request', state: 's', iss: base })
  })

  test('a code is for its client, with its verifier, to its address, and once; used twice its tokens die', async () => {
    const { key } = await mint()
    const clientId = await newClient()
    const codeFor = async () => await letIn(authorizeUrl(clientId), key)
    expect((await redeem(clientId, await codeFor(), { code_verifier: 'x'.repeat(43) })).status).toBe(400)
    expect((await redeem(clientId, await codeFor(), { redirect_uri: 'http://127.0.0.1:9/b' })).status).toBe(400)
    expect((await redeem(await newClient(), await codeFor())).status).toBe(400)
    const answer = await codeFor()
    expect(answer.searchParams.get('iss')).toBe(base)
    const first = (await (await redeem(clientId, answer)).json()) as Tokens
    expect((await ask(first.access_token)).status).toBe(200)
    expect((await redeem(clientId, answer)).status).toBe(400)
    expect((await ask(first.access_token)).status).toBe(401)
    expect((await refresh(clientId, first.refresh_token)).status).toBe(400)
  })

  test('a refresh token is its client’s, is not widened, and two windows may use it at once', async () => {
    const { clientId, tokens } = await connected(service.application_key)
    expect((await refresh(await newClient(), tokens.refresh_token)).status).toBe(400)
    const widened = await refresh(clientId, tokens.refresh_token, { resource: `${base}/sse` })
    expect([widened.status, await errorOf(widened)]).toEqual([400, 'invalid_target'])
    const both = await Promise.all([refresh(clientId, tokens.refresh_token), refresh(clientId, tokens.refresh_token)])
    expect(both.map(({ status }) => status)).toEqual([200, 200])
    for (const { access_token: access } of (await Promise.all(both.map(async one => await one.json()))) as Tokens[]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expect((await ask(access)).status).toBe(200)
    }
  })

  test.each([
    ['javascript:', { redirect_uris: ['javascript://%0aalert(1)'] }],
    ['data:', { redirect_uris: ['data://x'] }],
    ['http elsewhere', { redirect_uris: ['http://evil.example/'], application_type: 'web' }],
    ['a fragment', { redirect_uris: ['https://evil.example/#x'] }],
    ['a password in it', { redirect_uris: ['https://a:b@evil.example/'] }],
    ['none', {}],
    ['a hundred', { redirect_uris: Array.from({ length: 100 }, (_, i) => `https://evil.example/${i}`) }],
    ['a file', { redirect_uris: ['file:///etc/passwd'] }],
    ['a scheme without its slashes', { redirect_uris: ['cursor:callback'] }],
    ['an IPv6 address elsewhere', { redirect_uris: ['http://[::ffff:10.0.0.1]/'] }],
    ['control characters', { redirect_uris: [REDIRECT], client_name: 'Claude\u0007' }],
  ])('a registration is refused with a reason: %s', async (_name, metadata) => {
    const response = await register(metadata)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({
      error_description: expect.stringMatching(/redirect_uris|client_name/),
    })
  })

  test('a registration makes us fetch nothing, whatever it names, and is bounded', async () => {
    const response = await register({
      redirect_uris: [REDIRECT],
      jwks_uri: 'http://127.0.0.1:9/',
      sector_identifier_uri: 'https://evil.example/',
      token_endpoint_auth_method: 'client_secret_post',
    })
    expect(response.status).toBe(201)
    const got = (await response.json()) as object
    expect(got).toMatchObject({ token_endpoint_auth_method: 'none' })
    expect(Object.keys(got)).not.toContain('jwks_uri')
    expect(Object.keys(got)).not.toContain('client_secret')
    expect((await register({ redirect_uris: [REDIRECT], client_name: 'x'.repeat(90_000) })).status).toBe(413)
  })

  test('the form is the browser’s that began, from our own page, with a key that is accepted', async () => {
    const browser = new Browser(base)
    const { at } = await browser.go(authorizeUrl(await newClient()))
    const stranger = await new Browser(base).send(at, { step: 'key', key: service.application_key })
    expect(stranger.page!.status).toBe(400)
    const foreign = await browser.send(
      at,
      { step: 'key', key: service.application_key },
      { origin: 'https://evil.example' },
    )
    expect(foreign.page!.status).toBe(403)
    const wrong = await browser.send(at, { step: 'key', key: `esk_${'x'.repeat(43)}` })
    expect(wrong.page!.status).toBe(400)
    expect(await wrong.page!.text()).toContain('This is not accepted')
    // Yes without a key is no yes.
    const early = await browser.send(at, { step: 'allow' })
    expect(early.page!.status).toBe(400)
  })

  test('what can’t begin leads nowhere by itself but to the person’s own machine', async () => {
    const own = await newClient()
    const silent = await new Browser(base).go(authorizeUrl(own, { prompt: 'none' }))
    expect(silent.at.searchParams.get('error')).toBe('login_required')
    const elsewhere = 'https://evil.example/back'
    const registered = (await (await register({ redirect_uris: [elsewhere] })).json()) as { client_id: string }
    for (const asked of [{ prompt: 'none' }, { code_challenge: '' }, { response_type: 'token' }]) {
      const address = authorizeUrl(registered.client_id, { redirect_uri: elsewhere, ...asked })
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const answer = await fetch(address, { redirect: 'manual' })
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const page = await answer.text()
      expect([asked, answer.status, answer.headers.get('location')]).toEqual([asked, 400, null])
      expect(page).toContain('evil.example asked to be let in')
      expect(page).not.toContain('http-equiv')
    }
  })

  test('addresses in the metadata are ours, whatever a request says of itself', async () => {
    const foreign = await fetch(`${base}/.well-known/oauth-authorization-server`, {
      headers: { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https', forwarded: 'host=evil.example' },
    })
    expect(await foreign.text()).not.toContain('evil.example')
    const { at } = await new Browser(base).go(authorizeUrl(await newClient()), {
      headers: { 'x-forwarded-host': 'evil.example' },
    })
    expect(at.origin).toBe(base)
  })
})

// Under a public address with https: test/system/sso.test.ts. Where it is turned off there is none either: test/system/console.test.ts.
test('under a public address without https there is no sign-in', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'earshot-oauth-public-'))
  const running = await startServer(dir, { EARSHOT_PUBLIC_URL: 'http://earshot.example' })
  try {
    const challenge = (await fetch(`${running.mcpUrl}/mcp`, { method: 'POST' })).headers.get('www-authenticate')
    const metadata = await fetch(`${running.mcpUrl}/.well-known/oauth-protected-resource/mcp`)
    expect([challenge, metadata.status]).toEqual(['Bearer', 404])
    const guessed = await errorOf(await fetch(`${running.mcpUrl}/register`, { method: 'POST' }))
    expect(guessed).toMatch(/^There is no sign-in here/)
  } finally {
    await running.end()
    rmSync(dir, { recursive: true, force: true })
  }
})
