import { randomBytes } from 'node:crypto'
import { describe, expect, onTestFinished, test } from 'vitest'
import { SecretBox } from '../../src/base/secret-box.js'
import { sealedSessionIds } from '../../src/mcp/session-ids.js'
import { callTool, connectClient, type Way } from '../support/mcp-client.js'
import { roundRobin } from '../support/round-robin.js'
import { headersOf, openSession, post, toolCall } from './post.js'
import { startToolServer } from './start-tool-server.js'

/** What processes share of their sessions: a secret, and which were ended. */
function aStore() {
  const all = new Set<string>()
  const ended = {
    add: async (id: string) => void all.add(await Promise.resolve(id)),
    has: async (id: string) => await Promise.resolve(all.has(id)),
  }
  const secret = randomBytes(32).toString('base64url')
  let now = Date.now()
  return {
    ended: all,
    later: (ms: number) => void (now += ms),
    ids: () => sealedSessionIds({ box: new SecretBox(secret), ended, clock: () => now }),
  }
}

/** Two processes behind a proxy that takes turns. */
async function twoProcesses() {
  const store = aStore()
  const processes = await Promise.all([0, 1].map(() => startToolServer({}, { sessionIds: store.ids() })))
  for (const { server } of processes) onTestFinished(() => server.close('test'))
  const proxy = await roundRobin(() => processes.map(({ url }) => url))
  onTestFinished(() => proxy.close())
  return { store, processes, url: proxy.url, served: () => proxy.served() }
}

const inSession = (id: string) => ({ 'mcp-session-id': id })

describe('a session whose id is sealed', () => {
  test.each<Way>(['/mcp 2025-11-25', '/mcp 2026-07-28'])(
    'the official client goes on at any process: %s',
    async way => {
      const { url, served } = await twoProcesses()
      const client = await connectClient(url, 'ada', way)
      for (let n = 0; n < 4; n += 1) {
        expect(await callTool(client, 'who_am_i', { greeting: `${n}` })).toMatchObject({ app: 'ada', greeting: `${n}` })
      }
      expect((await client.listTools()).tools.map(({ name }) => name)).toContain('who_am_i')
      await client.close()
      expect(Math.min(...served())).toBeGreaterThan(1)
    },
  )

  test('is told what its client said when it was opened, in every process', async () => {
    const { processes, url } = await twoProcesses()
    const extensions = { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } }
    const client = await connectClient(url, 'ada', '/mcp 2025-11-25', { extensions })
    await Promise.all([client.listTools(), client.listTools(), client.listTools(), client.listTools()])
    expect(processes.map(({ server }) => server.openSessions().session)).toEqual([1, 1])
    await client.close()
  })

  test('is its key’s alone, and lasts a day', async () => {
    const { store, processes } = await twoProcesses()
    const [one, other] = processes.map(({ url }) => url) as [string, string]
    const id = await openSession(one)
    expect((await post(other, toolCall('who_am_i'), inSession(id), 'ben')).status).toBe(404)
    expect((await post(other, toolCall('who_am_i'), inSession(`${id.slice(0, -2)}AA`))).status).toBe(404)
    expect((await post(other, toolCall('who_am_i'), inSession(id))).status).toBe(200)
    store.later(24 * 3_600_000)
    const third = await startToolServer({}, { sessionIds: store.ids() })
    onTestFinished(() => third.server.close('test'))
    expect((await post(third.url, toolCall('who_am_i'), inSession(id))).status).toBe(404)
    // In those that have it open too: a client is not told this at one and that at another.
    expect((await post(one, toolCall('who_am_i'), inSession(id))).status).toBe(404)
    expect((await post(other, toolCall('who_am_i'), inSession(id))).status).toBe(404)
    expect(processes.map(({ server }) => server.openSessions().session)).toEqual([0, 0])
  })

  test('that was ended is ended everywhere, also where it was open', async () => {
    const { store, processes } = await twoProcesses()
    const [one, other] = processes.map(({ url }) => url) as [string, string]
    const id = await openSession(one)
    expect((await post(other, toolCall('who_am_i'), inSession(id))).status).toBe(200)
    const deleted = await fetch(`${other}/mcp`, { method: 'DELETE', headers: headersOf('ada', inSession(id)) })
    expect(deleted.status).toBe(200)
    expect((await post(one, toolCall('who_am_i'), inSession(id))).status).toBe(404)
    expect((await post(other, toolCall('who_am_i'), inSession(id))).status).toBe(404)
    expect([...store.ended].join()).not.toContain(id)
  })

  test('that made room, or was idle, is opened again', async () => {
    const store = aStore()
    const { url, server } = await startToolServer({ maxSessionsPerKey: 2 }, { sessionIds: store.ids() })
    onTestFinished(() => server.close('test'))
    const ids: string[] = []
    for (let n = 0; n < 4; n += 1) ids.push(await openSession(url))
    expect(server.openSessions().session).toBe(2)
    expect((await post(url, toolCall('who_am_i'), inSession(ids[0]!))).status).toBe(200)
    expect(server.openSessions().session).toBe(2)
  })

  test('fits a header, whatever a client says of itself', () => {
    const ids = aStore().ids()
    const long = { experimental: { all: { text: 'x'.repeat(10_000) } } }
    const id = ids.make('ada', { revision: '2025-11-25', capabilities: long })
    expect(id.length).toBeLessThan(400)
    expect(ids.reopen('ada', id)).toEqual({ revision: '2025-11-25', capabilities: {} })
  })
})
