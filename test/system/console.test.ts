import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CONSOLE_PAGES } from '../../src/console/console-pages.js'
import { errorOf } from '../support/raw-client.js'
import { type RunningService, startService } from '../support/start-service.js'

interface Asking extends RequestInit {
  readonly headers?: Readonly<Record<string, string>>
}

describe('the console', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'earshot-console-'))
  let service: RunningService

  beforeAll(async () => {
    service = await startService({ dataDir: join(scratch, 'data'), calls: 30 })
  })
  afterAll(async () => {
    await service.end()
    rmSync(scratch, { recursive: true, force: true })
  })

  const page = () => ({ 'x-earshot-console': 'http:', 'sec-fetch-site': 'same-origin', origin: service.api_url })

  const ask = (path: string, init: Asking = {}) =>
    fetch(`${service.api_url}${path}`, { ...init, headers: { ...page(), ...init.headers } })

  async function admin(method: string, path: string, body?: object) {
    const answer = await fetch(`${service.api_url}${path}`, {
      method,
      headers: { authorization: `Bearer ${service.admin_token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    expect(answer.ok).toBe(true)
    return (await answer.json()) as { key: string; key_id: string }
  }

  const mint = (agents: readonly string[] = [], project = service.project_id) =>
    admin('POST', `/projects/${project}/mcp-keys`, {
      name: 'Somebody',
      is_supervisor: false,
      roles: [],
      allowed_agents: agents,
      require_mapping: agents.length > 0,
    })

  /** Signs in as the page does. @returns the cookie a browser would send from then on */
  async function signIn(given: object, headers: Readonly<Record<string, string>> = {}): Promise<string> {
    const answer = await ask('/console/session', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(given),
    })
    expect(answer.status).toBe(201)
    return answer.headers
      .getSetCookie()
      .map(cookie => cookie.split(';')[0]!)
      .join('; ')
  }

  const callsOf = async (cookie: string, headers: Readonly<Record<string, string>> = {}) =>
    await ask('/api/v1/calls', { headers: { cookie, ...headers } })

  test('is one page at each of its addresses, under a policy that lets nothing in', async () => {
    for (const path of CONSOLE_PAGES) {
      const answer = await fetch(`${service.api_url}${path.replace(/:\w+/, 'some%20one')}`)
      expect([path, answer.status, answer.headers.get('content-type')]).toEqual([path, 200, 'text/html; charset=utf-8'])
      expect(answer.headers.get('cache-control')).toBe('no-store')
      const policy = answer.headers.get('content-security-policy') ?? ''
      expect(policy).toContain("default-src 'none'; media-src 'self'; script-src 'self'; style-src 'self'")
      expect(policy).not.toMatch(/unsafe|https?:|\*|data:/)
    }
  })

  test('its files are kept for good and sent compressed', async () => {
    const html = await (await fetch(service.api_url)).text()
    const scripts = [...html.matchAll(/(?:src|href)="([^"]+\.(?:js|css))"/g)].map(([, path]) => path!)
    expect(scripts.length).toBeGreaterThan(1)
    for (const path of scripts) {
      for (const [accepted, sent] of [
        ['br, gzip', 'br'],
        ['gzip', 'gzip'],
        ['identity', null],
      ] as const) {
        const { status, headers } = await fetch(`${service.api_url}${path}`, {
          headers: { 'accept-encoding': accepted },
        })
        expect([status, headers.get('content-encoding')]).toEqual([200, sent])
        expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
        expect(headers.get('vary')).toContain('accept-encoding')
      }
    }
  })

  test('serves no path of a request as a file', async () => {
    const paths = [
      '/console/../package.json',
      '/console/%2e%2e/package.json',
      '/console/assets/..%2f..%2f..%2fpackage.json',
      '/console/assets/....//....//package.json',
      '/console//etc/passwd',
      '/console/index.html',
      '/console/packages.json',
      '/console/assets/',
      '/console/assets/%00.js',
      String.raw`/console/assets/..\..\package.json`,
    ]
    for (const path of paths) {
      // Not by fetch, which would put the path in order.
      const answer = await raw(service.api_url, path)
      expect([path, answer.status]).toEqual([path, 404])
      expect(JSON.parse(answer.body)).toMatchObject({ code: 'not_found' })
    }
  })

  test('leaves everything else as it is for programs', async () => {
    for (const path of ['/api/v1/nothing', '/nothing', '/calls/a/b', '/index.html']) {
      const answer = await fetch(`${service.api_url}${path}`)
      expect([path, answer.status]).toEqual([path, 404])
      expect(await answer.json()).toMatchObject({ code: 'not_found' })
    }
    expect((await fetch(service.api_url, { method: 'POST' })).status).toBe(404)
  })

  test('a browser is shown the page where there is nothing, which says so', async () => {
    const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
    for (const path of ['/call/xyz', '/nothing']) {
      const answer = await fetch(`${service.api_url}${path}`, { headers: { accept } })
      expect([path, answer.status, answer.headers.get('content-type')]).toEqual([path, 404, 'text/html; charset=utf-8'])
      expect(answer.headers.get('content-security-policy')).toContain("script-src 'self'")
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
      expect(await answer.text()).toContain('<div id="root">')
      expect((await fetch(`${service.api_url}${path}`, { method: 'POST', headers: { accept } })).status).toBe(404)
    }
  })

  test('a key signs in, and out again', async () => {
    expect((await ask('/console/session')).status).toBe(204)
    const cookie = await signIn({ key: ` ${service.application_key}\n` })
    expect(cookie).toMatch(/^earshot_session=[\w-]{43}$/)
    expect(await (await ask('/console/session', { headers: { cookie } })).json()).toEqual({
      name: 'Demo',
      project_id: 'demo',
    })
    const answer = await callsOf(cookie)
    expect([answer.status, answer.headers.get('vary')]).toEqual([200, expect.stringContaining('cookie')])
    expect(await answer.json()).toMatchObject({ total: 30 })

    const left = await ask('/console/session', { method: 'DELETE', headers: { cookie } })
    expect([left.status, left.headers.get('set-cookie')]).toEqual([204, expect.stringContaining('Max-Age=0')])
    expect((await callsOf(cookie)).status).toBe(401)
  })

  test('a link signs in once, and its code is in no log', async () => {
    const url = new URL(service.console_url ?? '')
    expect(url.pathname).toBe('/sign-in')
    const code = url.hash.slice(1)
    const cookie = await signIn({ code })
    expect((await callsOf(cookie)).status).toBe(200)
    const again = await ask('/console/session', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code }),
    })
    expect(again.status).toBe(401)
    expect(service.output().stderr).not.toContain(code)
    expect(service.output().stderr).not.toContain(service.application_key)
    expect(service.output().stderr).not.toContain(cookie.split('=')[1])
  })

  test('hears what its key hears, and the key is asked anew at every request', async () => {
    const all = (await (await callsOf(await signIn({ key: service.application_key }))).json()) as {
      calls: readonly { agent_name: string; session_id: string }[]
    }
    const own = all.calls[0]!.agent_name
    const foreign = all.calls.find(call => call.agent_name !== own)!
    const { key, key_id: id } = await mint([own])
    const cookie = await signIn({ key })
    const heard = (await (await callsOf(cookie)).json()) as typeof all
    expect(new Set(heard.calls.map(call => call.agent_name))).toEqual(new Set([own]))
    expect((await ask(`/api/v1/calls/${foreign.session_id}`, { headers: { cookie } })).status).toBe(404)

    await admin('PATCH', `/projects/demo/mcp-keys/${id}`, { allowed_agents: [foreign.agent_name] })
    const then = (await (await callsOf(cookie)).json()) as typeof all
    expect(new Set(then.calls.map(call => call.agent_name))).toEqual(new Set([foreign.agent_name]))

    await admin('DELETE', `/projects/demo/mcp-keys/${id}`)
    expect((await callsOf(cookie)).status).toBe(401)
    expect((await ask('/console/session', { headers: { cookie } })).status).toBe(401)
  })

  test('a session is one of its key’s project, whatever the header says', async () => {
    await admin('POST', '/api/v1/projects', { project_id: 'other', timezone: 'UTC', verticals: [] })
    const { key } = await mint([], 'other')
    const cookie = await signIn({ key })
    expect(await (await callsOf(cookie)).json()).toMatchObject({ total: 0 })
    expect((await callsOf(cookie, { 'x-project-id': 'demo' })).status).toBe(403)
  })

  test('a page of elsewhere gets nothing for a cookie it makes the browser send', async () => {
    const cookie = await signIn({ key: service.application_key })
    const foreign: readonly Readonly<Record<string, string>>[] = [
      { 'sec-fetch-site': 'same-site', origin: 'http://127.0.0.1:9999' },
      { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
      { 'x-earshot-console': '' },
    ]
    for (const headers of foreign) {
      expect((await callsOf(cookie, headers)).ok).toBe(false)
      const feedback = await ask('/api/v1/interactions/any/feedback', {
        method: 'POST',
        headers: { cookie, 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ rating: 1 }),
      })
      expect([401, 403]).toContain(feedback.status)
      const out = await ask('/console/session', { method: 'DELETE', headers: { cookie, ...headers } })
      expect(out.status).toBe(403)
      const inn = await ask('/console/session', {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ key: service.application_key }),
      })
      expect(inn.status).toBe(403)
    }
    expect((await callsOf(cookie)).status).toBe(200)
  })

  test('no origin that may read answers may use the session', async () => {
    const asked = await fetch(`${service.api_url}/api/v1/calls`, {
      method: 'OPTIONS',
      headers: { origin: service.api_url, 'access-control-request-headers': 'x-earshot-console' },
    })
    expect(asked.headers.get('access-control-allow-credentials')).toBeNull()
    expect(asked.headers.get('access-control-allow-headers') ?? '').not.toContain('x-earshot-console')
  })

  test('a session that was there before is not the one after', async () => {
    const { key: attackers } = await mint()
    const planted = await signIn({ key: attackers })
    const cookie = await signIn({ key: service.application_key }, { cookie: planted })
    expect(cookie).not.toBe(planted)
    // The one that was planted is ended, not taken over.
    expect((await callsOf(planted)).status).toBe(401)
    // A made-up one opens nothing.
    expect((await callsOf(`earshot_session=${'a'.repeat(43)}`)).status).toBe(401)
  })

  test('a session is worth nothing at the tool server, nor for what takes an admin token', async () => {
    const cookie = await signIn({ key: service.application_key })
    const tools = await fetch(`${service.mcp_url}/mcp`, {
      method: 'POST',
      headers: { cookie, ...page(), 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    })
    expect(tools.status).toBe(401)
    expect((await ask('/projects/demo/mcp-keys', { headers: { cookie } })).status).toBe(401)
  })

  test('an administrator signs in with a token, about one project, and nothing else of the token is taken or told', async () => {
    await admin('POST', '/api/v1/projects', { project_id: 'third', timezone: 'UTC', verticals: [] })
    const cookie = await signIn({ key: `${service.admin_token}\n`, project_id: 'demo' })
    const greeted = await (await ask('/console/session', { headers: { cookie } })).json()
    expect(greeted).toMatchObject({ project_id: 'demo' })
    expect(JSON.stringify(greeted)).not.toContain(service.admin_token)
    expect(await (await callsOf(cookie)).json()).toMatchObject({ total: 30 })
    const hooks = '/api/v1/webhooks'
    expect((await ask(hooks, { headers: { cookie } })).status).toBe(200)
    // A cookie by itself, as a page of elsewhere makes a browser send it.
    expect((await fetch(`${service.api_url}${hooks}`, { headers: { cookie } })).status).toBe(401)
    expect((await callsOf(cookie, { 'x-project-id': 'third' })).status).toBe(403)
    const keys = '/projects/demo/mcp-keys'
    expect((await ask(keys, { headers: { cookie } })).status).toBe(200)
    expect((await fetch(`${service.api_url}${keys}`, { headers: { cookie } })).status).toBe(401)
    // The token is a SuperAdmin's, good for every project; its session is not.
    expect((await ask('/projects/third/mcp-keys', { headers: { cookie } })).status).toBe(403)
    expect((await ask('/api/v1/projects', { headers: { cookie } })).status).toBe(401)
    const { key } = await mint()
    expect((await ask(hooks, { headers: { cookie: await signIn({ key }) } })).status).toBe(403)
    await ask('/console/session', { method: 'DELETE', headers: { cookie } })
    expect((await callsOf(cookie)).status).toBe(401)
    expect(service.output().stderr).not.toContain(service.admin_token)
  })

  test('only a key or a token signs in, and what is wrong is said without repeating it', async () => {
    const wrong: readonly (readonly [string, number])[] = [
      [JSON.stringify({ key: `${service.admin_token}x`, project_id: 'demo' }), 401],
      [JSON.stringify({ key: service.application_key, project_id: 'other' }), 403],
      [JSON.stringify({ key: 'esk_wrong' }), 401],
      [JSON.stringify({ key: 'x\r\nset-cookie: a=b' }), 401],
      [JSON.stringify({ key: '' }), 422],
      [JSON.stringify({ key: ['esk_wrong'] }), 422],
      [JSON.stringify({ key: 'esk_wrong', project_id: 'demo' }), 401],
      [JSON.stringify({ key: 'esk_wrong', role: 'Admin' }), 422],
      ['{"key":', 422],
      ['null', 422],
      [JSON.stringify({ key: 'x'.repeat(10_000) }), 413],
    ]
    for (const [body, status] of wrong) {
      const answer = await ask('/console/session', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      })
      expect([body.slice(0, 40), answer.status]).toEqual([body.slice(0, 40), status])
      expect(answer.headers.get('set-cookie')).toBeNull()
      expect(await answer.text()).not.toContain('esk_wrong')
    }
  })

  test('very many sign-ins of one key leave its project and others a way in', async () => {
    const { key: first } = await mint()
    const kept = await signIn({ key: first })
    const { key } = await mint()
    for (let i = 0; i < 140; i += 1) await signIn({ key })
    expect((await callsOf(kept)).status).toBe(200)
    expect((await callsOf(await signIn({ key }))).status).toBe(200)
  })

  test('every sign-in is on record', async () => {
    const { key, key_id: id } = await mint()
    await signIn({ key })
    const folder = join(scratch, 'data')
    const lines = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter(path => path.startsWith('activity'))
      .flatMap(path => readAll(join(folder, path)))
    expect(lines.some(line => line.includes('POST /console/session') && line.includes(id))).toBe(true)
  })

  /** Follows what a page is told of new calls. @returns the next number, or undefined where the stream ended */
  async function live(cookie: string, query = ''): Promise<() => Promise<number | undefined>> {
    const answer = await ask(`/console/live?${query}`, { headers: { cookie } })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
    const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader()
    return async () => {
      for (;;) {
        const { value, done } = await reader.read().catch(() => ({ value: undefined, done: true }))
        if (done) return undefined
        const [, total] = /"total":(\d+)/.exec(value ?? '') ?? []
        if (total !== undefined) return Number(total)
      }
    }
  }

  async function send(agent: string, count: number) {
    const calls = Array.from({ length: count }, () => ({
      session_id: randomUUID(),
      agent_name: agent,
      created_dt: '2026-01-01T00:00:00Z',
    }))
    const answer = await fetch(`${service.api_url}/api/v1/interactions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.application_key}`, 'content-type': 'application/json' },
      body: JSON.stringify(calls),
    })
    expect(answer.ok).toBe(true)
  }

  test('a page is told how many calls there are by now, of those that it hears and is about', async () => {
    const { key, key_id: id } = await mint(['Ann New'])
    const mine = await signIn({ key })
    const own = await live(mine)
    const all = await signIn({ key: service.application_key })
    const [everything, few] = [await live(all), await live(all, 'agent_name=Bob+New&max_duration_s=60')]
    const before = await everything()
    expect([await own(), before, await few()]).toEqual([0, expect.any(Number), 0])
    await send('Bob New', 3)
    expect(await everything()).toBe(before! + 3)
    await send('Ann New', 2)
    // Nothing was said to it of the others.
    expect(await own()).toBe(2)
    expect(await everything()).toBe(before! + 5)

    // Whoever may hear them no more is told nothing more: of a key, and of a session that is left.
    await admin('DELETE', `/projects/demo/mcp-keys/${id}`)
    expect(await own()).toBeUndefined()
    expect((await ask('/console/live', { headers: { cookie: mine } })).status).toBe(401)
    await ask('/console/session', { method: 'DELETE', headers: { cookie: all } })
    expect([await everything(), await few()]).toEqual([undefined, undefined])
  })

  test('who may not be told of new calls hears why, and a key has no more pages than it may', async () => {
    const status = async (cookie: string, path = '/console/live', headers: Readonly<Record<string, string>> = {}) => {
      const answer = await ask(path, { headers: { cookie, ...headers } })
      return [answer.status, await answer.text()] as const
    }
    const cookie = await signIn({ key: service.application_key })
    expect(await status(cookie, '/console/live?max_score=bad')).toEqual([422, expect.stringContaining('max_score')])
    expect((await status(cookie, '/console/live', { 'sec-fetch-site': 'cross-site' }))[0]).toBe(403)
    expect((await status('', '/console/live'))[0]).toBe(401)
    const keyWith = async (more: object) => {
      const { key_id: id, key } = await mint()
      await admin('PATCH', `/projects/demo/mcp-keys/${id}`, more)
      return await signIn({ key })
    }
    expect(await status(await keyWith({ questions_per_day: 9 }))).toEqual([
      403,
      expect.stringContaining('budget of its own'),
    ])
    expect((await status(await keyWith({ tools: ['get_project_summary'] })))[0]).toBe(403)
    const { key } = await mint()
    const many = await signIn({ key })
    const streams = await Promise.all(Array.from({ length: 32 }, () => live(many)))
    expect(await status(many)).toEqual([429, expect.stringContaining('32 per key')])
    await ask('/console/session', { method: 'DELETE', headers: { cookie: many } })
    for (const next of streams) while ((await next()) !== undefined);
    expect(await live(await signIn({ key }))).toBeTypeOf('function')
  })
})

test('EARSHOT_CONSOLE=0 leaves no console, no session and no link; EARSHOT_OAUTH=0 no sign-in of AI clients', async () => {
  const scratch = mkdtempSync(join(tmpdir(), 'earshot-no-console-'))
  const service = await startService({
    dataDir: join(scratch, 'data'),
    calls: 30,
    env: { EARSHOT_CONSOLE: '0', EARSHOT_OAUTH: '0' },
  })
  try {
    expect(service.console_url).toBeUndefined()
    for (const path of ['/', '/calls', '/console/session', '/console/earshot.svg']) {
      const answer = await fetch(`${service.api_url}${path}`)
      expect([path, answer.status]).toEqual([path, 404])
      expect(await answer.json()).toMatchObject({ code: 'not_found' })
    }
    expect((await fetch(`${service.api_url}/docs`)).status).toBe(200)
    const tools = service.mcp_url
    const refused = await fetch(`${tools}/mcp`, { method: 'POST' })
    expect(refused.headers.get('www-authenticate')).toBe('Bearer')
    expect((await fetch(`${tools}/.well-known/oauth-protected-resource/mcp`)).status).toBe(404)
    expect(await errorOf(await fetch(`${tools}/register`, { method: 'POST' }))).toMatch(/^There is no sign-in here/)
  } finally {
    await service.end()
    rmSync(scratch, { recursive: true, force: true })
  }
})

function readAll(path: string): readonly string[] {
  try {
    return readFileSync(path, 'utf8').split('\n')
  } catch {
    // A folder.
    return []
  }
}

async function raw(base: string, path: string): Promise<{ readonly status: number; readonly body: string }> {
  const { hostname, port } = new URL(base)
  return await new Promise((resolve, reject) => {
    request({ hostname, port, path }, response => {
      let body = ''
      response.setEncoding('utf8').on('data', (text: string) => (body += text))
      response.once('end', () => resolve({ status: response.statusCode ?? 0, body }))
    })
      .once('error', reject)
      .end()
  })
}
