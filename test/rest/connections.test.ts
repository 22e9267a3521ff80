import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as pass } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { LoopTurns } from '../../src/admission/loop-turns.js'
import { Shares } from '../../src/admission/shares.js'
import { type Operation, operation } from '../../src/operations/operation.js'
import { startApi } from '../support/api.js'

const IDLE_MS = 300
const author = { name: 'ada', role: 'Admin' } as const
const fields = { name: 'k', is_supervisor: true, roles: [], allowed_agents: [], require_mapping: false }

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function api(options: Parameters<typeof startApi>[0]) {
  const started = await startApi(options)
  closing.push(() => started.server.close())
  const mint = async (project: string) => (await started.keys.mint(project, fields, author)).key
  /** A connection that has sent this and goes on as it likes. */
  const open = async (bytes: string, allowHalfOpen = false) => {
    const socket = connect({ port: started.port, host: '127.0.0.1', allowHalfOpen })
    closing.push(async () => socket.destroy())
    await once(socket, 'connect')
    socket.write(bytes)
    return socket
  }
  return { ...started, mint, open }
}

const closed = (socket: Socket) => once(socket, 'close')

/** @param headers such as `authorization: Bearer x` */
const head = (method: string, path: string, ...headers: string[]) =>
  [`${method} ${path} HTTP/1.1`, 'host: localhost', ...headers, '', ''].join('\r\n')

describe('a connection', () => {
  /** Work that takes as long as it is told to, reading its body or not. */
  function slow() {
    let release: () => void = () => undefined
    const released = new Promise<void>(resolve => (release = resolve))
    const operations: readonly Operation[] = [
      operation({
        method: 'POST',
        url: '/test/slow',
        access: 'caller',
        summary: 'An operation of this test',
        body: z.strictObject({ text: z.string() }),
        run: async (_, request) => {
          const { text: said } = request.body()
          await released
          return { said }
        },
      }),
      operation({
        method: 'POST',
        url: '/test/upload',
        access: 'caller',
        summary: 'An operation of this test',
        uploads: ['application/x-ndjson'],
        run: async (_, request) => {
          await released
          const body = request.upload().open()
          return { said: await text(body) }
        },
      }),
    ]
    return { operations, release: () => release() }
  }

  test('stays open while the server works, however long, and while it does not read what is sent', async () => {
    const { operations, release } = slow()
    const { call, mint, url } = await api({ operations, settings: { idleMs: IDLE_MS } })
    const key = await mint('p1')
    const answer = call('POST', '/test/slow', { as: key, body: { text: 'a' } })
    const upload = fetch(`${url}/test/upload`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/x-ndjson' },
      body: 'x'.repeat(5_000_000),
    })
    await pass(5 * IDLE_MS)
    release()
    expect((await answer).json).toEqual({ said: 'a' })
    expect((await upload).status).toBe(200)
  })

  test('is closed when its client sends nothing, or stops half way', async () => {
    const { operations, release } = slow()
    release()
    const { mint, open } = await api({ operations, settings: { idleMs: IDLE_MS } })
    const silent = await open('')
    const key = await mint('p1')
    const types = [
      ['/test/slow', 'application/json'],
      ['/test/upload', 'application/x-ndjson'],
    ] as const
    const stopped = await Promise.all(
      types.map(([path, type]) =>
        open(
          `${head('POST', path, `authorization: Bearer ${key}`, `content-type: ${type}`, 'content-length: 100')}{"text`,
        ),
      ),
    )
    const all = [silent, ...stopped]
    await Promise.all(all.map(closed))
    expect(all.map(socket => socket.destroyed)).toEqual([true, true, true])
  })

  test('is closed when its client does not take the answer', async () => {
    const operations = [
      operation({
        method: 'GET',
        url: '/test/large',
        access: 'open',
        summary: 'An operation of this test',
        run: () => ({ text: 'x'.repeat(50_000_000) }),
      }),
    ]
    const { open } = await api({ operations, settings: { idleMs: IDLE_MS } })
    const socket = await open(head('GET', '/test/large'))
    socket.pause()
    await expect.poll(() => socket.bytesRead).toBeGreaterThan(0)
    await pass(5 * IDLE_MS)
    let taken = 0
    socket.on('data', (chunk: Buffer) => (taken += chunk.length))
    socket.on('error', () => undefined)
    socket.resume()
    await closed(socket)
    expect(taken).toBeLessThan(50_000_000)
  })

  test('that was refused is closed soon, also when its client keeps its end open', async () => {
    const { open } = await api({})
    const impatient = await api({ settings: { headersMs: 100 } })
    const garbage = await open('no request at all\r\n\r\n', true)
    const late = await impatient.open('GET /health HTTP/1.1\r\nhost: localhost\r\n', true)
    const unread = await open(
      `${head('POST', '/projects/p1/mcp-keys', 'content-type: application/json', 'content-length: 1000')}{}`,
      true,
    )
    const sockets = [garbage, late, unread]
    const gone = sockets.map(socket => new Promise<void>(resolve => socket.once('error', () => resolve())))
    const answers = sockets.map(socket => once(socket, 'data').then(([chunk]) => String(chunk).slice(0, 12)))
    expect(await Promise.all(answers)).toEqual(['HTTP/1.1 400', 'HTTP/1.1 408', 'HTTP/1.1 401'])
    // A write to a connection that is gone tells of it at once; the client's own half never ends.
    const writing = setInterval(() => sockets.forEach(socket => socket.write(' ')), 100)
    await Promise.all(gone).finally(() => clearInterval(writing))
  }, 60_000)

  test('too many are closed as they come', async () => {
    const { open, port } = await api({ settings: { maxConnections: 2 } })
    await Promise.all([open(''), open('')])
    const third = connect(port, '127.0.0.1')
    third.on('error', () => undefined)
    await closed(third)
    expect(third.bytesRead).toBe(0)
  })
})

describe('bytes of bodies', () => {
  const operations = [
    operation({
      method: 'POST',
      url: '/test/echo',
      access: 'caller',
      summary: 'An operation of this test',
      body: z.strictObject({ text: z.string() }),
      run: (_, request) => ({ length: request.body().text.length }),
    }),
  ]

  async function world() {
    const bodies = new Shares({ what: 'bytes', all: 10_000, ofProject: 8_000, ofKey: 5_000, first: 100 })
    const made = await api({ operations, admission: { bodies, turns: new LoopTurns() } })
    const post = (key: string, length: number) =>
      made.call('POST', '/test/echo', { as: key, body: { text: 'x'.repeat(length - 11) } })
    const halfSent = (key: string, bytes: number) =>
      made.open(
        `${head('POST', '/test/echo', `authorization: Bearer ${key}`, 'content-type: application/json', `content-length: ${bytes}`)}{`,
      )
    return { ...made, bodies, post, halfSent }
  }

  test('are taken before a body is read, by key, by project and in all, and are given back', async () => {
    const { mint, post, halfSent, bodies } = await world()
    const [a1, a2, b1, c1] = [await mint('p1'), await mint('p1'), await mint('p2'), await mint('p2')]
    const held = await halfSent(a1, 4_000)
    await expect.poll(() => bodies.taken).toBe(4_000)
    expect(await post(a1, 2_000)).toMatchObject({
      status: 429,
      json: { error: 'Too many bytes: the limit is 5000 per key', code: 'too_many_requests' },
    })
    expect((await post(a1, 900)).status).toBe(200)
    const more = await halfSent(a2, 4_000)
    await expect.poll(() => bodies.taken).toBe(8_000)
    expect((await post(a2, 900)).json).toMatchObject({ error: 'Too many bytes: the limit is 8000 per project' })
    const others = await halfSent(b1, 1_950)
    await expect.poll(() => bodies.taken).toBe(9_950)
    expect((await post(c1, 900)).json).toMatchObject({ code: 'busy' })
    for (const socket of [held, more, others]) socket.destroy()
    await expect.poll(() => bodies.taken).toBe(0)
    expect((await post(a1, 4_000)).json).toEqual({ length: 3_989 })
    await expect.poll(() => bodies.taken).toBe(0)
  })

  test('are not read at all where there is nothing', async () => {
    const { open, bodies } = await world()
    const path = head('POST', '/nowhere', 'content-type: application/json', 'content-length: 900000')
    const socket = await open(`${path}{"half":`)
    expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 404 /)
    expect(bodies.taken).toBe(0)
  })

  test('of a small body are there for a project that has none, whatever is taken', async () => {
    const { mint, post, halfSent, bodies } = await world()
    bodies.take({ project: 'x', key: 'x' }, 5_000)
    bodies.take({ project: 'y', key: 'y' }, 5_000)
    const key = await mint('p1')
    expect((await post(key, 100)).status).toBe(200)
    expect((await post(key, 101)).json).toMatchObject({ code: 'busy' })
    const held = await halfSent(key, 60)
    await expect.poll(() => bodies.taken).toBe(10_060)
    expect((await post(key, 50)).json).toMatchObject({ code: 'busy' })
    held.destroy()
  })

  test('of a body that does not say its length are taken as it comes', async () => {
    const { mint, open, bodies } = await world()
    const key = await mint('p1')
    const chunked = head(
      'POST',
      '/test/echo',
      `authorization: Bearer ${key}`,
      'content-type: application/json',
      'transfer-encoding: chunked',
    )
    const chunk = (bytes: number) => `${bytes.toString(16)}\r\n${' '.repeat(bytes)}\r\n`
    const socket = await open(`${chunked}${chunk(3_000)}`)
    await expect.poll(() => bodies.taken).toBe(3_000)
    const answered = once(socket, 'data')
    socket.write(chunk(3_000))
    expect(String((await answered)[0])).toMatch(/^HTTP\/1\.1 429 /)
    socket.destroy()
    await expect.poll(() => bodies.taken).toBe(0)
    const whole = await open(
      `${chunked}${chunk(2_000)}${Buffer.byteLength('{"text":"a"}').toString(16)}\r\n{"text":"a"}\r\n0\r\n\r\n`,
    )
    expect(String((await once(whole, 'data'))[0])).toMatch(/^HTTP\/1\.1 200 /)
    await expect.poll(() => bodies.taken).toBe(0)
  })
})
