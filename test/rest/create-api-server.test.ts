import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { Problem } from '../../src/base/problem.js'
import { type Operation, operation } from '../../src/operations/operation.js'
import { adminToken, startApi, superToken } from '../support/api.js'

const minting = {
  name: 'Bot',
  is_supervisor: true,
  roles: ['Admin' as const],
  allowed_agents: [],
  require_mapping: false,
}
const author = { name: 'ada', role: 'Admin' } as const

/** More than waits on the way to a reader that takes nothing. */
const NOISE_BYTES = 8 * 1024 * 1024

const waiting: (() => void)[] = []
/** Lets the slow request that has waited longest go on. */
const release = () => waiting.shift()?.()
let lastSignal: AbortSignal | undefined
/** Routes as a later list may add them, to try the ground they stand on. */
const routes: readonly Operation[] = [
  operation({
    method: 'GET',
    url: '/test/echo/:id',
    access: 'caller',
    summary: 'A route of this test',
    query: z.strictObject({ tag: z.string().optional() }),
    run: (_, request, caller) => ({ id: request.param('id'), project: caller.project_id, ...request.query() }),
  }),
  operation({
    method: 'GET',
    url: '/test/slow',
    access: 'caller',
    summary: 'A route of this test',
    run: async (_, request) => {
      lastSignal = request.signal
      await new Promise<void>(resolve => {
        waiting.push(resolve)
      })
      return { secret: 'of the project' }
    },
  }),
  operation({
    method: 'GET',
    url: '/test/broken',
    access: 'open',
    summary: 'A route of this test',
    run: () => {
      throw new Error('SELECT * FROM /var/lib/earshot')
    },
  }),
  operation({
    method: 'GET',
    url: '/test/busy',
    access: 'open',
    summary: 'A route of this test',
    run: () => {
      throw new Problem('busy', 'Busy', { retryAfter: 3 })
    },
  }),
  operation({
    method: 'GET',
    url: '/test/noise',
    access: 'caller',
    summary: 'A route of this test',
    run: () => ({ noise: randomBytes(NOISE_BYTES).toString('base64') }),
  }),
  operation({
    method: 'PUT',
    url: '/test/large',
    access: 'open',
    summary: 'A route of this test',
    body: z.strictObject({ text: z.string() }),
    bodyBytes: 2_000_000,
    run: (_, request) => ({ length: request.body().text.length }),
  }),
]

let api: Awaited<ReturnType<typeof startApi>>
let key: string
let keyId: string
beforeAll(async () => {
  api = await startApi({ operations: routes })
  ;({ key, key_id: keyId } = await api.keys.mint('p1', minting, author))
})
afterAll(() => api.server.close())

describe('health and readiness', () => {
  it('answer anyone, under any Host and Origin', async () => {
    const health = await api.call('GET', '/health', { headers: { origin: 'https://evil.example' } })
    expect([health.status, health.json]).toEqual([
      200,
      { status: 'ok', server: 'earshot', tools: 12, auth_cache_size: api.keys.size },
    ])
    expect(await api.raw('GET /ready HTTP/1.1\r\nHost: 10.0.0.7:8000\r\nConnection: close\r\n\r\n')).toMatch(
      /^HTTP\/1.1 200 OK[^]*{"status":"ready"}$/,
    )
    expect((await api.call('HEAD', '/health')).status).toBe(200)
  })

  it('say 503 with a word when something behind does not answer', async () => {
    for (const ready of [async () => ({ code: 'store_unavailable' }), () => Promise.reject(new Error('/var/lib'))]) {
      const other = await startApi({ ready })
      const { status, json, headers } = await other.call('GET', '/ready')
      expect([status, json]).toEqual([503, { error: 'Not ready: store_unavailable', code: 'store_unavailable' }])
      expect(headers.get('retry-after')).toBe('5')
      await other.server.close()
    }
  })
})

describe('every answer', () => {
  it('carries a request id, no-store, helmet’s headers and, past the gate, the rate', async () => {
    const { headers } = await api.call('GET', '/test/echo/x', { as: key })
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-security-policy')).toBe("default-src 'none';frame-ancestors 'none'")
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(headers.get('ratelimit-limit')).toBe('10000')
    expect(headers.get('x-powered-by')).toBeNull()
  })

  it('takes no request id from outside', async () => {
    const { headers } = await api.call('GET', '/health', { headers: { 'x-request-id': 'mine' } })
    expect(headers.get('x-request-id')).not.toBe('mine')
  })

  it('is JSON when nothing is there, and when the method is not', async () => {
    const nothing = await api.call('GET', '/nothing/here?x=1')
    expect(nothing.status).toBe(404)
    expect(nothing.json).toEqual({
      error:
        'There is nothing at this path: /docs shows what there is. AI clients connect to the tool server, on its own port',
      code: 'not_found',
    })
    expect(nothing.headers.get('x-request-id')).not.toBeNull()
    const put = await api.call('PUT', '/projects/p1/mcp-keys')
    expect([put.status, put.json.code, put.headers.get('allow')]).toEqual([
      405,
      'method_not_allowed',
      'GET, HEAD, POST, OPTIONS',
    ])
    const options = await api.call('OPTIONS', '/projects/p1/mcp-keys/key_1')
    expect([options.status, options.text, options.headers.get('allow')]).toEqual([
      204,
      '',
      'GET, HEAD, PATCH, DELETE, OPTIONS',
    ])
  })

  it('tells of an unexpected failure only a reference, under which the log has the cause', async () => {
    const { status, json, text } = await api.call('GET', '/test/broken')
    expect([status, json.error, json.code]).toEqual([500, 'Internal error', 'internal'])
    expect(text).not.toMatch(/SELECT|\/var|at /)
    expect(api.lines.find(line => line.includes(json.reference))).toContain('SELECT * FROM')
  })

  it('says when to try again', async () => {
    const { status, headers } = await api.call('GET', '/test/busy')
    expect([status, headers.get('retry-after')]).toEqual([429, '3'])
  })
})

describe('paths', () => {
  it.each([
    ['a%2Fb', 'a/b'],
    ['a%252Fb', 'a%2Fb'],
    ['a%2Fb%252F%3F%C3%A9', 'a/b%2F?é'],
    ['%25', '%'],
    ['%00', '\u0000'],
    ['%23%3B+', '#;+'],
    [encodeURIComponent('訳'.repeat(200)), '訳'.repeat(200)],
  ])('decode %s exactly once', async (written, id) => {
    const { json } = await api.call('GET', `/test/echo/${written}`, { as: key })
    expect(json).toEqual({ id, project: 'p1' })
  })

  it('take encoded dots for a name, not for a way up', async () => {
    const request = `GET /test/echo/%2e%2e HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n`
    expect(await api.raw(`${request}Connection: close\r\n\r\n`)).toContain('{"id":"..","project":"p1"}')
  })

  it('are refused when they are no UTF-8 or too long', async () => {
    for (const bad of ['%zz', '%', '%ff', '%c3']) {
      const { status, json, headers } = await api.call('GET', `/test/echo/${bad}`, { as: key })
      expect([bad, status, json.error]).toEqual([bad, 422, 'The path is not valid percent-encoded UTF-8'])
      expect(headers.get('x-request-id')).not.toBeNull()
    }
    const long = await api.call('GET', `/test/echo/${'x'.repeat(2_049)}`, { as: key })
    expect([long.status, long.json.error]).toEqual([
      413,
      'A path parameter is longer than the limit of 2048 characters',
    ])
    expect((await api.call('GET', `/test/echo/${'x'.repeat(2_048)}`, { as: key })).status).toBe(200)
  })
})

describe('Host and Origin', () => {
  const get = (headers: string) => api.raw(`GET /nothing HTTP/1.1\r\n${headers}\r\nConnection: close\r\n\r\n`)

  it.each([
    ['Host: localhost', 404],
    ['Host: LOCALHOST:8000', 404],
    ['Host: 127.0.0.1', 404],
    ['Host: evil.example', 403],
    ['Host: localhost.evil.example', 403],
    ['Host: evil.example:127.0.0.1', 403],
    ['Host: localhost@evil.example', 403],
    ['Host:', 403],
    ['Host: localhost\r\nHost: evil.example', 403],
    ['Host: localhost\r\nOrigin: http://localhost:3000', 404],
    ['Host: localhost\r\nOrigin: https://calls.example.com', 404],
    ['Host: localhost\r\nOrigin: https://calls.example.com:444', 403],
    ['Host: localhost\r\nOrigin: https://evil.example', 403],
    ['Host: localhost\r\nOrigin: https://localhost.evil.example', 403],
    ['Host: localhost\r\nOrigin: http://evil.example@localhost', 403],
    ['Host: localhost\r\nOrigin: null', 403],
    ['Host: localhost\r\nOrigin:', 403],
    ['Host: localhost\r\nOrigin: http://localhost\r\nOrigin: https://evil.example', 403],
  ])('%j is answered %i', async (headers, status) => {
    const answer = await get(headers)
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(answer.includes('is not allowed')).toBe(status === 403)
  })

  it.each([
    ['http://localhost/nothing', 404],
    ['http://localhost:9/nothing', 404],
    ['http://evil.example/nothing', 403],
    ['http://evil.example/health', 200],
    ['http://localhost@evil.example/nothing', 403],
    ['https://evil.example:443?localhost', 403],
    ['other://evil.example/nothing', 403],
    ['//evil.example/nothing', 404],
  ])('of a whole address %s in the request line is checked too: %i', async (target, status) => {
    const answer = await api.raw(`GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`)
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  })

  it('is refused without a Host', async () => {
    expect(await api.raw('GET /nothing HTTP/1.1\r\n\r\n')).toMatch(/^HTTP\/1.1 400 /)
    expect(await api.raw('GET /nothing HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1.1 403 /)
  })
})

describe('raw attacks', () => {
  const head = 'POST /projects/p1/mcp-keys HTTP/1.1\r\nHost: localhost\r\n'

  it.each([
    ['length and chunks', `${head}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['two lengths', `${head}Content-Length: 4\r\nContent-Length: 5\r\n\r\nabcd`],
    ['a length with a sign', `${head}Content-Length: +4\r\n\r\nabcd`],
    ['an obscured coding', `${head}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`],
    ['a space before the colon', `${head}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n`],
    ['a folded header', `${head}X-A: 1\r\n Authorization: Bearer x\r\n\r\n`],
    ['a bare line feed', `GET /health HTTP/1.1\nHost: localhost\nX: a\rY: b\n\n`],
    ['no HTTP', 'EHLO mail\r\n\r\n'],
    ['TLS', '\u0016\u0003\u0001\u0002\u0000\u0001'],
  ])('%s is refused and the connection closed', async (_, bytes) => {
    const answer = await api.raw(bytes)
    expect(answer).toMatch(/^HTTP\/1.1 400 /)
    expect(answer).toMatch(/"code":"invalid_input"}$/)
    expect(answer.match(/HTTP\/1.1/g)).toHaveLength(1)
  })

  it('answers 431 to headers over 16 KiB', async () => {
    const answer = await api.raw(`GET /health HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(17_000)}\r\n\r\n`)
    expect(answer).toMatch(/^HTTP\/1.1 431 [^]*the limit of 16384 bytes","code":"too_large"}$/)
  })

  it('takes several Authorization headers for a malformed one', async () => {
    const auth = `Authorization: Bearer ${key}\r\n`
    const answer = await api.raw(
      `GET /test/echo/x HTTP/1.1\r\nHost: localhost\r\n${auth}${auth}Connection: close\r\n\r\n`,
    )
    expect(answer).toMatch(/^HTTP\/1.1 401 [^]*"Authentication required"/)
  })

  it('takes several X-Project-Id headers for a foreign project', async () => {
    const request = `GET /test/echo/x HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n`
    const answer = await api.raw(`${request}X-Project-Id: p1\r\nX-Project-Id: p2\r\nConnection: close\r\n\r\n`)
    expect(answer).toMatch(/^HTTP\/1.1 403 /)
  })

  it('answers 413 without reading a body that says it is too long, and closes', async () => {
    const token = await adminToken()
    const answer = await api.raw(
      `${head}Authorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: 50000000\r\n\r\n{`,
    )
    expect(answer).toMatch(/^HTTP\/1.1 413 /)
  })

  it('takes more where a route does, and names the limit of that route', async () => {
    const put = (length: number) => api.call('PUT', '/test/large', { body: { text: 'x'.repeat(length) } })
    expect((await put(1_500_000)).json).toEqual({ length: 1_500_000 })
    expect((await put(2_500_000)).json.error).toBe('The body is larger than the limit of 2000000 bytes')
  })

  it('stops reading chunks that never end', async () => {
    const token = await adminToken()
    const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`
    const answer = await api.raw(
      `${head}Authorization: Bearer ${token}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${chunk.repeat(20)}`,
    )
    expect(answer).toMatch(/^HTTP\/1.1 413 /)
  })

  it('drops who sends headers or a body too slowly, however steadily', async () => {
    const other = await startApi({ settings: { headersMs: 100, requestMs: 200 } })
    const token = await adminToken()
    const sent = `${head}Authorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: 9999\r\n`
    for (const beginning of [sent, `${sent}\r\n{`]) {
      const socket = connect(other.port, '127.0.0.1')
      socket.on('error', () => undefined)
      // What is written before would stand ahead of the beginning, and make it no HTTP.
      await once(socket, 'connect')
      socket.write(beginning)
      const drip = setInterval(() => socket.write('x'), 10)
      const [answer] = (await once(socket, 'data')) as [Buffer]
      expect(answer.toString()).toMatch(/^HTTP\/1.1 408 /)
      clearInterval(drip)
      socket.destroy()
    }
    await other.server.close()
  })

  it('answers 429 to the 31st failed authentication of an address', async () => {
    const other = await startApi({ operations: routes })
    for (let failure = 0; failure < 30; failure += 1) {
      expect((await other.call('GET', '/test/echo/x', { as: 'esk_x' })).status).toBe(401)
    }
    const { status, json, headers } = await other.call('GET', '/test/echo/x', { as: 'esk_x' })
    expect([status, json.code]).toEqual([429, 'too_many_requests'])
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    await other.server.close()
  })

  it('believes X-Forwarded-For from a trusted proxy only', async () => {
    const failAs = async (
      other: Awaited<ReturnType<typeof startApi>>,
      from = (client: number) => `192.0.2.${client}`,
    ) => {
      const statuses = new Set<number>()
      for (let client = 1; client <= 31; client += 1) {
        const headers = { 'x-forwarded-for': from(client) }
        statuses.add((await other.call('GET', '/test/echo/x', { headers })).status)
      }
      await other.server.close()
      return [...statuses]
    }
    expect(await failAs(await startApi({ operations: routes }))).toEqual([401, 429])
    const behindProxy = () => startApi({ operations: routes, settings: { trustedProxies: ['127.0.0.1'] } })
    expect(await failAs(await behindProxy())).toEqual([401])
    // What is no address stands for nobody: all of it counts as the proxy.
    expect(await failAs(await behindProxy(), client => `192.0.2.1:${client}`)).toEqual([401, 429])
  })
})

describe('a caller', () => {
  it('is the key’s project, or the one a SuperAdmin names', async () => {
    const root = await superToken()
    const { json } = await api.call('GET', '/test/echo/x', { as: root, headers: { 'x-project-id': 'p2' } })
    expect(json.project).toBe('p2')
    expect((await api.call('GET', '/test/echo/x', { as: root })).status).toBe(422)
    const foreign = await api.call('GET', '/test/echo/x', { as: key, headers: { 'x-project-id': 'p2' } })
    expect(foreign.status).toBe(403)
  })

  it('whose key is revoked meanwhile gets no answer', async () => {
    const minted = await api.keys.mint('p1', minting, author)
    const slow = api.call('GET', '/test/slow', { as: minted.key })
    await expect.poll(() => lastSignal).toBeDefined()
    await api.keys.revoke('p1', minted.key_id)
    expect(lastSignal?.aborted).toBe(true)
    release()
    const { status, text } = await slow
    expect(status).toBe(401)
    expect(text).not.toContain('secret')
    lastSignal = undefined
  })

  it('whose key was given other rights meanwhile gets no answer of before; what it is called makes no difference', async () => {
    const answerAfter = async (patch: object) => {
      const minted = await api.keys.mint('p1', minting, author)
      const slow = api.call('GET', '/test/slow', { as: minted.key })
      await expect.poll(() => lastSignal).toBeDefined()
      await api.keys.patch('p1', minted.key_id, patch, author)
      release()
      lastSignal = undefined
      return await slow
    }
    expect((await answerAfter({ name: 'Renamed' })).status).toBe(200)
    for (const patch of [{ text: 'none' }, { allowed_agents: ['Ana'] }, { tools: ['search_calls'] }]) {
      const { status, text } = await answerAfter(patch)
      expect([status, text]).toEqual([403, expect.stringContaining('was changed while this was answered: ask again')])
      expect(api.record.at(-1)).toMatchObject({ page: 'GET /test/slow', outcome: 'refused', status: 403 })
    }
  })

  it('gets nothing that was found before calls of the project were erased or masked, and is told to ask again', async () => {
    const { key: ofOther } = await api.keys.mint('p2', minting, author)
    for (const [as, project, expected] of [
      [key, 'p1', 429],
      [await adminToken(), 'p1', 429],
      [ofOther, 'p1', 200],
    ] as const) {
      // oxlint-disable no-await-in-loop -- one after the other
      const slow = api.call('GET', '/test/slow', { as })
      await expect.poll(() => lastSignal).toBeDefined()
      await api.projects.takingAway(
        project,
        async () => 1,
        count => count > 0,
      )
      release()
      lastSignal = undefined
      const { status, text, headers } = await slow
      // oxlint-enable no-await-in-loop
      expect([status, text.includes('secret'), headers.get('retry-after')]).toEqual([
        expected,
        expected === 200,
        expected === 200 ? null : '1',
      ])
    }
  })

  it.each(['br', 'gzip', undefined])(
    'whose key was given other rights while an answer is on its way (%s) gets no more of it',
    async encoding => {
      const readAfter = async (patch: object) => {
        const minted = await api.keys.mint('p1', minting, author)
        const headers = { authorization: `Bearer ${minted.key}`, 'accept-encoding': encoding ?? 'identity' }
        const sent = request(`${api.url}/test/noise`, { headers }).end()
        const [answer] = (await once(sent, 'response')) as [IncomingMessage]
        expect([answer.statusCode, answer.headers['content-encoding']]).toEqual([200, encoding])
        await api.keys.patch('p1', minted.key_id, patch, author)
        const isOver = new Promise(resolve => answer.once('close', resolve))
        answer.on('error', () => undefined).resume()
        await isOver
        return answer.complete
      }
      expect(await readAfter({ name: 'Renamed' })).toBe(true)
      expect(await readAfter({ text: 'none' })).toBe(false)
    },
  )

  it('who goes away aborts the work, other keys’ changes do not', async () => {
    const controller = new AbortController()
    const gone = fetch(`${api.url}/test/slow`, {
      headers: { authorization: `Bearer ${key}` },
      signal: controller.signal,
    }).catch(() => 'gone')
    await expect.poll(() => lastSignal).toBeDefined()
    await api.keys.patch('p1', keyId, { name: 'Renamed' }, author)
    const other = await api.keys.mint('p1', minting, author)
    await api.keys.revoke('p1', other.key_id)
    expect(lastSignal?.aborted).toBe(false)
    controller.abort()
    await expect.poll(() => lastSignal?.aborted).toBe(true)
    expect(await gone).toBe('gone')
    release()
    lastSignal = undefined
  })
})

describe('starting and stopping', () => {
  it('does not start with a route that does not say who may come in', async () => {
    const open = { method: 'GET', url: '/test/anyone', summary: 'Anyone', run: () => ({}) } as unknown as Operation
    await expect(startApi({ operations: [open] })).rejects.toThrow('does not say who may come in')
    const inherited = { ...open, access: 'constructor' } as unknown as Operation
    await expect(startApi({ operations: [inherited] })).rejects.toThrow('does not say who may come in')
  })

  it('rejects when the port is taken', async () => {
    await expect(startApi({ port: api.port })).rejects.toThrow('EADDRINUSE')
  })

  it('lets running requests end, closes idle connections, and takes no new ones', async () => {
    const other = await startApi({ operations: routes })
    const minted = await other.keys.mint('p1', minting, author)
    lastSignal = undefined
    const idle = connect(other.port, '127.0.0.1')
    await once(idle, 'connect')
    const [first, second] = [1, 2].map(() => other.call('GET', '/test/slow', { as: minted.key }))
    await expect.poll(() => waiting.length).toBe(2)
    const closed = other.server.close()
    release()
    await Promise.race([first, second])
    release()
    expect([(await first)?.status, (await second)?.status]).toEqual([200, 200])
    await closed
    await expect(fetch(`${other.url}/health`)).rejects.toThrow('fetch failed')
    idle.destroy()
  })

  it('waits for no client that takes nothing of its answer, and for one that does', async () => {
    // More than the system's buffers of a connection take.
    const long = operation({
      method: 'GET',
      url: '/test/long',
      access: 'caller',
      summary: 'An operation of this test',
      run: async () => ({ text: 'x'.repeat(30_000_000) }),
    })
    // Longer than the test may take: what ends it is that nothing is taken.
    const other = await startApi({ operations: [long], settings: { graceMs: 600_000 } })
    const { key } = await other.keys.mint('p1', minting, author)
    const ask = async () => {
      const asking = request(`${other.url}/test/long`, { headers: { authorization: `Bearer ${key}` } }).end()
      const [response] = (await once(asking, 'response')) as [IncomingMessage]
      return response
    }
    const [still, taking] = [await ask(), await ask()]
    const broken = new Promise(resolve => still.once('error', resolve))
    const closed = other.server.close()
    expect((await text(taking)).length).toBeGreaterThan(30_000_000)
    await closed
    still.resume()
    expect(await broken).toMatchObject({ code: 'ECONNRESET' })
  })

  it('breaks what does not end within the grace', async () => {
    const other = await startApi({ operations: routes, settings: { graceMs: 50 } })
    const minted = await other.keys.mint('p1', minting, author)
    lastSignal = undefined
    const slow = other.call('GET', '/test/slow', { as: minted.key }).catch(String)
    await expect.poll(() => lastSignal).toBeDefined()
    await other.server.close()
    expect(await slow).toBe('TypeError: fetch failed')
    release()
  })
})
