import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { headersOf, initialize, modern, openSession, post, toolCall } from './post.js'
import { type RunningToolServer, startToolServer } from './start-tool-server.js'

// Whose a session is, how many there may be, and when it ends.

let running: RunningToolServer
let url: string
beforeEach(async () => {
  running = await startToolServer({ maxSessions: 5, maxSessionsPerProject: 5, maxSessionsPerKey: 3 })
  url = running.url
})
afterEach(() => running.server.close('test'))

const inSession = (id: string) => ({ 'mcp-session-id': id })

/** Opens the event stream of a session and returns the function that leaves it. */
async function listen(id: string, key = 'ada') {
  const leave = new AbortController()
  const response = await fetch(`${url}/mcp`, { headers: headersOf(key, inSession(id)), signal: leave.signal })
  return { response, leave: () => leave.abort() }
}

/** Opens /sse and reads where to post. */
async function openStream(key = 'ada') {
  const response = await fetch(`${url}/sse`, { headers: headersOf(key) })
  const reader = response.body!.getReader()
  const first = new TextDecoder().decode((await reader.read()).value)
  return { response, reader, path: /data: (\S+)/.exec(first)?.[1] ?? '' }
}

describe('a session belongs to its key', () => {
  test('another key finds it no more than one that does not exist', async () => {
    const id = await openSession(url, 'ada')
    for (const method of ['POST', 'GET', 'DELETE']) {
      const ask = async (session: string) => {
        const init = { method, headers: headersOf('ben', inSession(session)) }
        const body = method === 'POST' ? { body: JSON.stringify(toolCall('who_am_i')) } : {}
        const response = await fetch(`${url}/mcp`, { ...init, ...body })
        return { status: response.status, text: await response.text() }
      }
      const foreign = await ask(id)
      expect(foreign.status).toBe(404)
      expect(foreign).toEqual(await ask('00000000-0000-4000-8000-000000000000'))
    }
    expect((await post(url, toolCall('who_am_i'), inSession(id))).status).toBe(200)
  })

  test('so does an event stream', async () => {
    const { path, reader } = await openStream('ada')
    const write = async (where: string) => {
      const init = { method: 'POST', headers: headersOf('ben'), body: JSON.stringify(toolCall('who_am_i')) }
      const response = await fetch(url + where, init)
      return { status: response.status, text: await response.text() }
    }
    expect(await write(path)).toEqual(await write('/messages?sessionId=unknown'))
    expect((await write(path)).status).toBe(404)
    await reader.cancel()
  })

  test('a caller is who the key says at this request, not at the start', async () => {
    const id = await openSession(url, 'ada')
    running.keys.patch('ada', ['Supervisor'])
    const { json } = await post(url, toolCall('who_am_i'), inSession(id))
    expect(json).toMatchObject({ result: { structuredContent: { roles: ['Supervisor'] } } })
  })

  test('a session that was deleted is gone, and what ran in it is answered', async () => {
    const id = await openSession(url)
    const call = post(url, toolCall('wait_for_it'), inSession(id))
    await expect.poll(() => running.answering.signals.length).toBe(1)
    const deleted = await fetch(`${url}/mcp`, { method: 'DELETE', headers: headersOf('ada', inSession(id)) })
    expect(deleted.status).toBe(200)
    expect((await call).status).toBe(404)
    expect(running.answering.signals[0]!.aborted).toBe(true)
    expect((await post(url, toolCall('who_am_i'), inSession(id))).status).toBe(404)
  })

  test('an id in use by a running request is refused, and the first answer arrives', async () => {
    const id = await openSession(url)
    const first = post(url, toolCall('wait_for_it', {}, 7), inSession(id))
    await expect.poll(() => running.answering.signals.length).toBe(1)
    const second = await post(url, toolCall('who_am_i', {}, 7), inSession(id))
    expect(second).toMatchObject({ status: 400, json: { error: { code: -32600 } } })
    const twins = await post(url, [toolCall('who_am_i', {}, 8), toolCall('who_am_i', {}, 8)], inSession(id))
    expect(twins.status).toBe(400)
    expect((await post(url, toolCall('who_am_i', {}, '7'), inSession(id))).status).toBe(200)
    running.answering.release()
    expect((await first).json).toMatchObject({ id: 7, result: { structuredContent: { released: true } } })
  })

  test('a client that goes away takes its call with it', async () => {
    const id = await openSession(url)
    const leave = new AbortController()
    const init = {
      method: 'POST',
      headers: headersOf('ada', inSession(id)),
      body: JSON.stringify(toolCall('wait_for_it')),
    }
    const call = fetch(`${url}/mcp`, { ...init, signal: leave.signal })
    await expect.poll(() => running.answering.signals.length).toBe(1)
    leave.abort()
    await expect(call).rejects.toThrow('aborted')
    await expect.poll(() => running.answering.signals[0]!.aborted).toBe(true)
  })

  test('a cancelled call ends without an answer', async () => {
    const id = await openSession(url)
    const call = post(url, toolCall('wait_for_it', {}, 'slow'), inSession(id))
    await expect.poll(() => running.answering.signals.length).toBe(1)
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'slow' } }
    expect((await post(url, cancel, inSession(id))).status).toBe(202)
    expect(await call).toMatchObject({ status: 202, text: '' })
    expect(running.answering.signals[0]!.aborted).toBe(true)
  })
})

describe('places', () => {
  test('the longest idle session of a key makes room for its next', async () => {
    const [first, second] = [await openSession(url), await openSession(url), await openSession(url)]
    await post(url, toolCall('who_am_i'), inSession(first))
    await openSession(url)
    expect((await post(url, toolCall('who_am_i'), inSession(second))).status).toBe(404)
    expect((await post(url, toolCall('who_am_i'), inSession(first))).status).toBe(200)
  })

  test('sessions with a stream or a call open keep theirs; then the next is refused', async () => {
    const listening = await openSession(url)
    const { leave } = await listen(listening)
    const working = await openSession(url)
    const call = post(url, toolCall('wait_for_it'), inSession(working))
    await expect.poll(() => running.answering.signals.length).toBe(1)
    const stream = await openStream()
    const refused = await post(url, initialize)
    expect(refused).toMatchObject({
      status: 429,
      json: { error: 'Too many open sessions: the limit is 3 per key', code: 'too_many_requests' },
    })
    expect((await fetch(`${url}/sse`, { headers: headersOf('ada') })).status).toBe(429)
    const listenRequest = modern('subscriptions/listen', { notifications: { toolsListChanged: true } })
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' }
    expect((await post(url, listenRequest, headers)).status).toBe(429)

    running.answering.release()
    expect((await call).status).toBe(200)
    expect((await post(url, initialize)).status).toBe(200)
    leave()
    await stream.reader.cancel()
  })

  test('what another project has open is left alone, and who has nothing open finds a place', async () => {
    const strangers = ['s1', 's2', 's3']
    for (const name of strangers) running.keys.mint(name, [], { project_id: 'other' })
    const theirs = await openSession(url, 's1')
    const more = [await openSession(url, 's1'), await openSession(url, 's2')] as const
    const own = [await openSession(url, 'ada'), await openSession(url, 'ada')] as const
    // All five are taken, and all are idle: the sixth takes the place of the longest idle one of its own project.
    const next = await openSession(url, 'ben')
    const ask = async (session: string, key: string) =>
      (await post(url, toolCall('who_am_i'), inSession(session), key)).status
    expect(await ask(theirs, 's1')).toBe(200)
    expect(await ask(own[0], 'ada')).toBe(404)
    expect([await ask(own[1], 'ada'), await ask(next, 'ben'), await ask(more[1], 's2')]).toEqual([200, 200, 200])
    running.keys.mint('newcomer', [], { project_id: 'third' })
    const first = await openSession(url, 'newcomer')
    const second = await openSession(url, 'newcomer')
    expect(await ask(first, 'newcomer')).toBe(404)
    expect(await ask(second, 'newcomer')).toBe(200)
    expect(await ask(theirs, 's1')).toBe(200)
  })

  test('a project has no more than its part, whatever is free', async () => {
    const small = await startToolServer({ maxSessions: 100, maxSessionsPerProject: 2, maxSessionsPerKey: 2 })
    try {
      const stream = await fetch(`${small.url}/sse`, { headers: headersOf('ada') })
      const other = await fetch(`${small.url}/sse`, { headers: headersOf('ben') })
      small.keys.mint('third')
      const refused = await post(small.url, initialize, {}, 'third')
      expect(refused).toMatchObject({
        status: 429,
        json: { error: 'Too many open sessions: the limit is 2 per project', code: 'too_many_requests' },
      })
      await Promise.all([stream.body?.cancel(), other.body?.cancel()])
    } finally {
      await small.server.close('test')
    }
  })

  test('over all keys of a project the longest idle one makes room', async () => {
    for (const name of ['k1', 'k2', 'k3']) running.keys.mint(name)
    const first = await openSession(url, 'ada')
    for (const name of ['ada', 'k1', 'k2', 'k3', 'ben']) await openSession(url, name)
    expect((await post(url, toolCall('who_am_i'), inSession(first))).status).toBe(404)
  })

  test('an initialize that fails leaves no session behind', async () => {
    const kept = [await openSession(url), await openSession(url), await openSession(url)]
    for (let i = 0; i < 5; i += 1)
      expect((await post(url, initialize, { accept: 'text/html' }, 'ben')).status).toBe(406)
    for (const id of kept) expect((await post(url, toolCall('who_am_i'), inSession(id))).status).toBe(200)
    expect((await post(url, initialize, {}, 'ben')).status).toBe(200)
  })
})

describe('a request whose body takes its time', () => {
  /** Sends all of a call but its last byte, and that one after something has happened. */
  async function slowly(happens: () => void): Promise<string> {
    const body = JSON.stringify(toolCall('who_am_i'))
    const headers = Object.entries(headersOf('ada', { host: 'localhost', connection: 'close' }))
    const head = [...headers, ['content-length', body.length]].map(([name, value]) => `${name}: ${value}\r\n`)
    const socket = connect(running.port, '127.0.0.1')
    socket.write(`POST /mcp HTTP/1.1\r\n${head.join('')}\r\n${body.slice(0, -1)}`)
    await expect.poll(() => running.keys.entered).toBe(1)
    happens()
    socket.write(body.slice(-1))
    return await text(socket)
  }

  test('is answered within what the key may hear when it is all there', async () => {
    const answer = await slowly(() => running.keys.patch('ada', ['Supervisor']))
    expect(answer).toContain('"roles":["Supervisor"]')
  })

  test('is answered no more when the key was revoked meanwhile', async () => {
    expect(await slowly(() => running.keys.revoke('ada'))).toMatch(/^HTTP\/1.1 401 .*Invalid or inactive API key/s)
  })
})

describe('a revocation', () => {
  test('drops the running call of a session, and ends the session and its stream', async () => {
    const id = await openSession(url)
    const { response } = await listen(id)
    const call = post(url, toolCall('wait_for_it'), inSession(id))
    await expect.poll(() => running.answering.signals.length).toBe(1)
    running.keys.revoke('ada')
    expect(await call).toMatchObject({ status: 401, json: { error: 'Invalid or inactive API key' } })
    expect(running.answering.signals[0]!.aborted).toBe(true)
    expect(await response.text()).toMatch(/^event: end\ndata: .*Invalid or inactive API key.*\n\n$/)
    expect((await post(url, toolCall('who_am_i'), inSession(id))).status).toBe(401)
  })

  test('drops a stateless call of either kind', async () => {
    const older = post(url, toolCall('wait_for_it'))
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'wait_for_it' }
    const newer = post(url, modern('tools/call', { name: 'wait_for_it', arguments: {} }), headers)
    await expect.poll(() => running.answering.signals.length).toBe(2)
    running.keys.revoke('ada')
    running.answering.release()
    expect((await older).status).toBe(401)
    expect((await newer).status).toBe(401)
    expect(running.answering.signals.every(signal => signal.aborted)).toBe(true)
  })

  test('ends an event stream before the answer that was on its way', async () => {
    const { path, reader } = await openStream()
    await fetch(url + path, { method: 'POST', headers: headersOf('ada'), body: JSON.stringify(initialize) })
    await reader.read()
    const call = { method: 'POST', headers: headersOf('ada'), body: JSON.stringify(toolCall('wait_for_it')) }
    expect((await fetch(url + path, call)).status).toBe(202)
    await expect.poll(() => running.answering.signals.length).toBe(1)
    running.keys.revoke('ada')
    running.answering.release()
    expect(new TextDecoder().decode((await reader.read()).value)).toMatch(/^event: end\ndata: .*inactive.*\n\n$/)
    expect((await reader.read()).done).toBe(true)
    expect(running.answering.signals[0]!.aborted).toBe(true)
  })

  test('leaves other keys alone', async () => {
    const id = await openSession(url, 'ben')
    const call = post(url, toolCall('wait_for_it'), inSession(id), 'ben')
    await expect.poll(() => running.answering.signals.length).toBe(1)
    running.keys.revoke('ada')
    running.answering.release()
    expect((await call).json).toMatchObject({ result: { structuredContent: { released: true } } })
  })
})

test('an answer that was found for a key as it was is not told when it has other rights', async () => {
  const id = await openSession(url)
  const inIt = post(url, toolCall('wait_for_it'), inSession(id))
  const alone = post(url, toolCall('wait_for_it'))
  const { path, reader } = await openStream()
  await fetch(url + path, { method: 'POST', headers: headersOf('ada'), body: JSON.stringify(initialize) })
  await reader.read()
  await fetch(url + path, { method: 'POST', headers: headersOf('ada'), body: JSON.stringify(toolCall('wait_for_it')) })
  await expect.poll(() => running.answering.signals.length).toBe(3)
  // What puts an answer on record is told whether it leaves.
  const checks = running.answering.checks.slice(-3)
  for (const check of checks) expect(check).not.toThrow()
  running.keys.patch('ada', [])
  for (const check of checks) expect(check).toThrow('was changed while this was answered: ask again')
  running.answering.release()
  const told = [JSON.stringify((await inIt).json), JSON.stringify((await alone).json)]
  // A stream is told first that the list of tools is another.
  for (let text = ''; !text.includes('"error"') && !text.includes('"result"'); told[2] = text)
    text += new TextDecoder().decode((await reader.read()).value)
  for (const text of told) {
    expect(text).toContain('was changed while this was answered: ask again')
    expect(text).not.toContain('released')
  }
  await reader.cancel()
})

test('many answers at once on one stream warn of no leak', async () => {
  const warnings: Error[] = []
  const note = (warning: Error) => void warnings.push(warning)
  process.on('warning', note)
  const { path, reader } = await openStream()
  const all = Array.from({ length: 12 }, (_, i) => toolCall('wait_for_it', {}, i + 1))
  for (const one of all)
    // oxlint-disable-next-line no-await-in-loop -- taken in one after the other, answered together
    await fetch(url + path, { method: 'POST', headers: headersOf('ada'), body: JSON.stringify(one) })
  await expect.poll(() => running.answering.signals.length).toBe(all.length)
  running.answering.release()
  let told = ''
  while (told.split('"result"').length <= all.length) told += new TextDecoder().decode((await reader.read()).value)
  process.off('warning', note)
  expect(warnings).toEqual([])
  await reader.cancel()
})

test('an answer that waits for others of its batch is not told when its key has other rights by then', async () => {
  const batch = (id: number) => [toolCall('who_am_i', {}, id), toolCall('wait_for_it', {}, id + 1)]
  const id = await openSession(url)
  for (const headers of [inSession(id), {}]) {
    const before = running.answering.requestIds.length
    const asked = post(url, batch(before), headers)
    await expect.poll(() => running.answering.requestIds.length).toBe(before + 2)
    running.keys.patch('ada', ['Admin', 'Auditor'])
    running.answering.release()
    const { status, text } = await asked
    expect([status, text]).toEqual([403, expect.stringContaining('was changed while this was answered: ask again')])
    expect(text).not.toContain('roles')
    running.keys.patch('ada', ['Admin'])
  }
})

describe('what waits for a slow reader is not told when its key', () => {
  const HUGE = Array.from({ length: 10 }, (_, n) => toolCall('failing', { how: 'huge' }, n + 10))
  const CHANGES = [
    ['was given other rights', () => running.keys.patch('ada', ['Admin', 'Auditor'])],
    ['was revoked', () => running.keys.revoke('ada')],
  ] as const
  beforeEach(async () => {
    await running.server.close('test')
    running = await startToolServer({ resultBytes: 20_000_000 })
    url = running.url
  })

  /** Sends a request and reads its answer's beginning, and the rest when it is asked for: how much of it comes until the server closes. */
  async function begin(method: string, path: string, body = '') {
    const headers = Object.entries(headersOf('ada', { host: 'localhost', 'content-length': String(body.length) }))
    const socket = connect(running.port, '127.0.0.1')
    socket.write(`${method} ${path} HTTP/1.1\r\n${headers.map(one => `${one.join(': ')}\r\n`).join('')}\r\n${body}`)
    const [first] = (await once(socket, 'data')) as [Buffer]
    socket.pause()
    const rest = async (): Promise<number> => {
      let bytes = 0
      const closed = new Promise(resolve => socket.once('close', resolve))
      socket.on('error', () => undefined).on('data', (some: Buffer) => (bytes += some.byteLength))
      socket.resume()
      await closed
      return bytes
    }
    return { first: first.toString(), rest }
  }

  test.each(CHANGES)('%s: of an event stream', async (_, happens) => {
    const { first, rest } = await begin('GET', '/sse')
    const path = /data: (\S+)/.exec(first)?.[1] ?? ''
    for (const body of HUGE)
      await fetch(url + path, { method: 'POST', headers: headersOf('ada'), body: JSON.stringify(body) })
    await expect.poll(() => running.answering.requestIds.length).toBe(HUGE.length)
    happens()
    expect(await rest()).toBeLessThan(15_000_000)
  })

  test.each(CHANGES)('%s: of a batch', async (_, happens) => {
    const { rest } = await begin('POST', '/mcp', JSON.stringify(HUGE))
    happens()
    expect(await rest()).toBeLessThan(15_000_000)
  })
})

test('an event stream takes one message at a time and says what is wrong with it', async () => {
  const { path, reader } = await openStream()
  const write = (body: string) => fetch(url + path, { method: 'POST', headers: headersOf('ada'), body })
  expect((await write('{broken')).status).toBe(400)
  expect((await write(JSON.stringify([toolCall('who_am_i')]))).status).toBe(400)
  expect((await write(JSON.stringify(toolCall('who_am_i')))).status).toBe(202)
  expect(new TextDecoder().decode((await reader.read()).value)).toContain('"app":"ada"')
  await reader.cancel()
})
