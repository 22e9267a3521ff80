import { request } from 'node:http'
import { connect as connectSocket } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { headersOf, initialize, modern, openSession, post, toolCall } from './post.js'
import { type RunningToolServer, startToolServer } from './start-tool-server.js'

// What is refused before a tool is reached, and in which words.

let running: RunningToolServer
let url: string
beforeAll(async () => {
  running = await startToolServer({ maxBodyBytes: 10_000, maxHeaderBytes: 18_000 })
  url = running.url
})
afterAll(() => running.server.close('test'))

/** A request through node:http, which lets a test set any header, twice too. */
function raw(path: string, headers: Record<string, string | string[]>, method = 'GET') {
  return new Promise<{ status: number; body: string }>((resolve, reject) => {
    const req = request({ host: '127.0.0.1', port: running.port, path, method, headers }, res => {
      let body = ''
      res.on('data', (chunk: Buffer) => (body += chunk.toString()))
      res.on('end', () => resolve({ status: res.statusCode!, body }))
    })
    req.on('error', reject)
    req.end()
  })
}

/** Bytes as they are over a socket, and all that comes back. */
function bytes(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connectSocket(running.port, '127.0.0.1', () => socket.write(text))
    let answer = ''
    socket.on('data', chunk => (answer += chunk.toString()))
    socket.on('close', () => resolve(answer))
    socket.on('error', reject)
  })
}

describe('authentication', () => {
  test.each([
    ['no header', {}],
    ['another scheme', { authorization: 'Basic YWRhOmFkYQ==' }],
    ['no token', { authorization: 'Bearer ' }],
    ['two tokens', { authorization: 'Bearer ada ben' }],
  ])('%s: Authentication required', async (_case, headers) => {
    const response = await fetch(`${url}/mcp`, { method: 'POST', headers, body: JSON.stringify(initialize) })
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toBe('Bearer')
    expect(await response.json()).toEqual({ error: 'Authentication required', code: 'unauthenticated' })
  })

  test('two Authorization headers are malformed, whichever of them is good', async () => {
    const { status, body } = await raw('/sse', { authorization: ['Bearer ada', 'Bearer ben'] })
    expect(status).toBe(401)
    expect(body).toContain('Authentication required')
  })

  test.each(['/mcp', '/sse', '/messages?sessionId=x'])('an unknown key is refused on %s', async path => {
    const method = path.startsWith('/messages') ? 'POST' : 'GET'
    const response = await fetch(url + path, { method, headers: headersOf('eve') })
    expect(response.status).toBe(401)
    expect(await response.json()).toEqual({ error: 'Invalid or inactive API key', code: 'unauthenticated' })
  })

  test('announces no OAuth: clients would start a flow that can not end', async () => {
    for (const path of ['/.well-known/oauth-protected-resource', '/.well-known/oauth-authorization-server/mcp']) {
      expect((await fetch(url + path)).status).toBe(404)
    }
  })

  test('a rate limit says when to come back, and a batch counts as the requests it holds', async () => {
    running.keys.limit = running.keys.entered + 2
    const batch = [toolCall('who_am_i', {}, 1), toolCall('who_am_i', {}, 2), toolCall('who_am_i', {}, 3)]
    const { status, headers, json } = await post(url, batch)
    running.keys.limit = Infinity
    expect({ status, json }).toEqual({ status: 429, json: { error: 'Too many requests', code: 'too_many_requests' } })
    expect(headers.get('retry-after')).toBe('7')
    // Known, and refused: on record like an answer.
    expect(running.record.at(-1)).toMatchObject({
      credential_id: 'ada',
      page: 'POST /mcp',
      outcome: 'refused',
      code: 'too_many_requests',
      status: 429,
    })
  })
})

describe('Host and Origin', () => {
  test('a foreign Host is refused, whatever the key', async () => {
    const { status, body } = await raw('/mcp', { host: 'evil.example', authorization: 'Bearer ada' })
    expect(status).toBe(403)
    expect(JSON.parse(body)).toMatchObject({ code: 'forbidden' })
  })

  test('a foreign host in the request line is refused, an allowed one is served', async () => {
    const get = (target: string) =>
      bytes(`GET ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ada\r\nConnection: close\r\n\r\n`)
    expect(await get('http://evil.example/mcp')).toMatch(/^HTTP\/1\.1 403 .*This Host is not allowed/s)
    expect(await get(`http://127.0.0.1:${running.port}/mcp`)).toMatch(
      /^HTTP\/1\.1 400 .*needs the header Mcp-Session-Id/s,
    )
  })

  test('a foreign Origin is refused, an allowed one and none pass', async () => {
    expect((await post(url, initialize, { origin: 'https://evil.example' })).status).toBe(403)
    expect((await post(url, initialize, { origin: 'null' })).status).toBe(403)
    expect((await post(url, initialize, { origin: 'http://localhost:6274' })).status).toBe(200)
    expect((await post(url, initialize, { origin: 'https://calls.example.com' })).status).toBe(200)
    // An allowed origin is one scheme, one host and one port.
    expect((await post(url, initialize, { origin: 'http://calls.example.com' })).status).toBe(403)
    expect((await post(url, initialize, { origin: 'https://calls.example.com:444' })).status).toBe(403)
    expect((await post(url, initialize)).status).toBe(200)
  })

  test('health checks come from anywhere', async () => {
    for (const path of ['/health', '/ready']) {
      expect((await raw(path, { host: 'probe.internal', origin: 'https://x.example' })).status).toBe(200)
    }
  })
})

describe('the request', () => {
  test('the log names a path that is there, never what else is written in its place', async () => {
    await fetch(`${url}/mcp/call-4711`, { headers: headersOf('ada') })
    await fetch(`${url}/mcp?session=call-4711`, { headers: headersOf('ada') })
    const said = running.lines.map(line => JSON.parse(line) as { path?: string }).flatMap(({ path }) => path ?? [])
    expect(said).toEqual(expect.arrayContaining(['(no route)', '/mcp']))
    expect(running.lines.join('')).not.toContain('call-4711')
  })

  test('unknown paths and methods are answered in JSON', async () => {
    const nothing = await fetch(`${url}/`)
    expect(nothing.status).toBe(404)
    expect(await nothing.json()).toEqual({
      error: 'Not found: AI clients connect to /mcp, or to /sse for server-sent events',
      code: 'not_found',
    })
    const put = await fetch(`${url}/mcp`, { method: 'PUT' })
    expect(put.status).toBe(405)
    expect(put.headers.get('allow')).toBe('GET, POST, DELETE')
  })

  // mcp-remote prints this, and nothing of the 401 before it.
  test('a client that tries to register after a refused key is told about the key', async () => {
    const registration = await fetch(`${url}/register`, { method: 'POST', body: '{}' })
    expect(registration.status).toBe(404)
    expect(await registration.json()).toMatchObject({ error: expect.stringContaining('key was missing or refused') })
  })

  test('a body over the limit is refused by its length and by its bytes', async () => {
    const announced = await post(url, ' '.repeat(20_000))
    expect(announced.status).toBe(413)
    expect(announced.json['error']).toBe('The request body is larger than the limit of 10000 bytes')
    const endless = new ReadableStream({
      start(controller) {
        for (let i = 0; i < 20; i += 1) controller.enqueue(new Uint8Array(1_000).fill(32))
        controller.close()
      },
    })
    const streamed = await fetch(`${url}/mcp`, {
      method: 'POST',
      headers: headersOf('ada'),
      body: endless,
      duplex: 'half',
    })
    expect(streamed.status).toBe(413)
  })

  test.each([
    ['text/plain', { 'content-type': 'text/plain' }],
    ['gzip', { 'content-encoding': 'gzip' }],
  ])('%s is 415', async (_case, headers) => {
    const { status, json } = await post(url, initialize, headers)
    expect(status).toBe(415)
    expect(json['code']).toBe('unsupported_media_type')
  })

  test('without both types in Accept it is 406', async () => {
    expect((await post(url, initialize, { accept: 'application/json' })).status).toBe(406)
  })

  test.each([
    ['broken JSON', '{"jsonrpc": "2.0", ', -32700],
    ['an empty body', '', -32700],
    ['a number', '7', -32600],
    ['no JSON-RPC', '{"hello": "world"}', -32600],
    ['an id of null', '{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600],
    ['an id that is an object', '{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600],
    ['a field named __proto__', '{"jsonrpc":"2.0","id":1,"method":"ping","__proto__":{}}', -32600],
    [
      'an argument named __proto__',
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"who_am_i","arguments":{"__proto__":{"a":1}}}}',
      -32600,
    ],
    [
      'an argument named __proto__ in a batch',
      '[{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"x","arguments":{"__proto__":"a"}}}]',
      -32600,
    ],
    [
      'an argument too many',
      JSON.stringify({
        ...toolCall('who_am_i', Object.fromEntries(Array.from({ length: 1_001 }, (_, i) => [`a${i}`, 0]))),
      }),
      -32600,
    ],
    ['a fractional id', '{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32600],
    [
      'a depth bomb',
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${'['.repeat(4_000)}${']'.repeat(4_000)}}`,
      -32600,
    ],
  ])('%s is an error of the protocol', async (_case, body, code) => {
    const { status, json } = await post(url, body)
    expect(status).toBe(400)
    expect(json).toMatchObject({ jsonrpc: '2.0', error: { code } })
  })

  test('bytes that are not UTF-8 are a parse error', async () => {
    const body = Buffer.concat([
      Buffer.from('{"jsonrpc":"2.0","id":1,"method":"'),
      Buffer.from([0xff]),
      Buffer.from('"}'),
    ])
    const response = await fetch(`${url}/mcp`, { method: 'POST', headers: headersOf('ada'), body })
    expect(response.status).toBe(400)
  })

  test('an unknown protocol version is named with the known ones', async () => {
    const old = await post(url, toolCall('who_am_i'), { 'mcp-protocol-version': '1999-01-01' })
    expect(old.status).toBe(400)
    expect(old.json).toMatchObject({
      error: {
        message:
          'Unsupported protocol version "1999-01-01"; supported are 2026-07-28, 2025-11-25, 2025-06-18, 2025-03-26, 2024-11-05',
      },
    })
    const call = modern('tools/list', {})
    call.params._meta['io.modelcontextprotocol/protocolVersion'] = '2099-01-01'
    const future = await post(url, call, { 'mcp-protocol-version': '2099-01-01', 'mcp-method': 'tools/list' })
    expect(future.status).toBe(400)
    expect(future.json).toMatchObject({ error: { data: { supported: ['2026-07-28'], requested: '2099-01-01' } } })
  })

  test('headers over the limit and bytes that are no HTTP get an answer too', async () => {
    const headersOfSize = (size: number) =>
      `GET /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nX-Large: ${'x'.repeat(size)}\r\n\r\n`
    expect(await bytes(headersOfSize(17_500))).toMatch(/^HTTP\/1\.1 40[^]*"code"/)
    const large = await bytes(headersOfSize(18_000))
    expect(large).toMatch(/^HTTP\/1\.1 431 [^]*the limit of 18000 bytes","code":"too_large"}$/)
    expect(await bytes('GRÜSS GOTT\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 .*"code":"invalid_input"/s)
    const twoHosts = 'GET /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n'
    // As the API listener answers it.
    expect(await bytes(twoHosts)).toMatch(/^HTTP\/1\.1 403 .*This Host is not allowed/s)
  })
})

describe('a call', () => {
  test('needs no session in the older revisions', async () => {
    const { status, headers, json } = await post(url, toolCall('who_am_i'), { 'mcp-protocol-version': '2025-11-25' })
    expect(status).toBe(200)
    expect(headers.get('mcp-session-id')).toBeNull()
    expect(json).toMatchObject({ id: 1, result: { structuredContent: { app: 'ada' } } })
  })

  test.each([0, -1, 2 ** 53 - 1, '', 'a/b%2F?é', '\u0000'])('is answered under its id, %j', async id => {
    expect((await post(url, toolCall('who_am_i', {}, id))).json).toMatchObject({ id })
  })

  test('in a batch is answered with the others', async () => {
    const { status, text } = await post(url, [toolCall('who_am_i', {}, 'a'), toolCall('secret_ledger', {}, 'b')])
    expect(status).toBe(200)
    expect((JSON.parse(text) as { id: string }[]).map(({ id }) => id).sort()).toEqual(['a', 'b'])
    const many = await post(
      url,
      Array.from({ length: 101 }, (_, id) => toolCall('who_am_i', {}, id)),
    )
    expect(many.status).toBe(400)
  })

  test('names of an object are no tools', async () => {
    for (const name of ['__proto__', 'constructor', 'toString', '']) {
      expect((await post(url, toolCall(name))).json).toMatchObject({ error: { code: -32602 } })
    }
  })

  test('a long tool name is cut where it is repeated', async () => {
    const { text } = await post(url, toolCall('x'.repeat(5_000)))
    expect(text.length).toBeLessThan(300)
  })

  test('arguments reach the question as they were sent, to be refused by name', async () => {
    const { json } = await post(url, toolCall('who_am_i', { project_id: 'other' }))
    expect(json).toMatchObject({
      result: { isError: true, content: [{ text: '{"error":"refused: unrecognized_keys"}' }] },
    })
  })

  test('an unexpected failure shows a reference and nothing of its cause', async () => {
    const { json, text } = await post(url, toolCall('failing', { how: 'crash' }))
    expect(text).not.toMatch(/secrets|store\.ts/)
    const { result } = json as { result: { content: { text: string }[] } }
    const { error, reference } = JSON.parse(result.content[0]!.text) as Record<string, string>
    expect(error).toBe('Internal error')
    expect(running.lines.some(line => line.includes(reference!) && line.includes('secrets'))).toBe(true)
  })

  test('an answer over the limit names the limit', async () => {
    const { json } = await post(url, toolCall('failing', { how: 'huge' }))
    expect(JSON.stringify(json)).toContain('more than the 1048576 bytes of one tool result')
  })

  test('a list has one page', async () => {
    const { json } = await post(url, { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { cursor: 'x' } })
    expect(json).toMatchObject({
      error: { code: -32602, message: expect.stringContaining('Invalid cursor') as string },
    })
  })
})

test('the log has the line of the specification once per session, stream or stateless request, and never a token', async () => {
  const line = 'MCP auth via application_key: project_id=acme app=logged'
  running.keys.mint('logged')
  const count = () => running.messages().filter(message => message === line).length

  const id = await openSession(url, 'logged')
  await post(url, toolCall('who_am_i'), { 'mcp-session-id': id }, 'logged')
  expect(count()).toBe(1)
  await post(url, toolCall('who_am_i'), {}, 'logged')
  expect(count()).toBe(2)
  const call = modern('tools/call', { name: 'who_am_i', arguments: {} })
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'who_am_i' }
  expect((await post(url, call, headers, 'logged')).status).toBe(200)
  expect(count()).toBe(3)
  const leave = new AbortController()
  await fetch(`${url}/sse?token=s3cret`, { headers: headersOf('logged'), signal: leave.signal })
  expect(count()).toBe(4)
  leave.abort()
  expect(running.lines.join('')).not.toMatch(/Bearer|s3cret/)
})

test('a tool, prompt or resource that there is not is on record, without what it was called', async () => {
  const { url, record, server } = await startToolServer()
  const asked = [
    ['tools/call', { name: 'no_such_tool_of_ours', arguments: {} }],
    ['prompts/get', { name: 'no_such_prompt_of_ours' }],
    ['resources/read', { uri: 'earshot://no_such_resource_of_ours' }],
  ] as const
  for (const [method, params] of asked) await post(url, { jsonrpc: '2.0', id: 1, method, params })
  expect(record.map(({ page, outcome, code, credential_id }) => [page, outcome, code, credential_id])).toEqual([
    ['unknown tool', 'refused', 'not_found', 'ada'],
    ['unknown prompt', 'refused', 'not_found', 'ada'],
    ['unknown resource', 'refused', 'not_found', 'ada'],
  ])
  expect(JSON.stringify(record)).not.toContain('of_ours')
  await server.close('test')
})
