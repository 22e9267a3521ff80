import { z } from 'zod'
import { expect, test } from 'vitest'
import { question } from '../../src/questions/question.js'
import { headersOf, openSession, post, toolCall } from './post.js'
import { startToolServer, whoAmI } from './start-tool-server.js'

// Health, readiness, heartbeats, and how the server stops.

const ready = async (url: string) => {
  const response = await fetch(`${url}/ready`)
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

test('/health says how it is, by the specification', async () => {
  const { url, server, keys } = await startToolServer()
  expect(await (await fetch(`${url}/health`)).json()).toEqual({
    status: 'ok',
    server: 'earshot',
    tools: 4,
    auth_cache_size: 2,
  })
  keys.mint('third')
  expect(await (await fetch(`${url}/health`)).json()).toMatchObject({ auth_cache_size: 3 })
  await server.close('test')
})

test('/ready is 200 when the tools are loaded and the store answers', async () => {
  const { url, server } = await startToolServer()
  expect(await ready(url)).toEqual({ status: 200, body: { status: 'ready', server: 'earshot', tools: 4 } })
  await server.close('test')
})

test('/ready is 503 while there is no tool', async () => {
  const { url, server } = await startToolServer({}, { questions: [] })
  expect(await ready(url)).toMatchObject({ status: 503, body: { code: 'no_tools' } })
  await server.close('test')
})

test('/ready is 503 when a tool can not be loaded; the server runs and says so in its log', async () => {
  const undescribable = question({
    ...whoAmI,
    name: 'bad',
    input: z.strictObject({ at: z.date() }),
    answer: () => Promise.reject(new Error('never asked')),
  })
  const { url, server, messages } = await startToolServer({}, { questions: [whoAmI, undescribable] })
  expect(await ready(url)).toMatchObject({ status: 503, body: { code: 'tools_not_loaded' } })
  expect(await (await fetch(`${url}/health`)).json()).toMatchObject({ tools: 0 })
  expect(messages()).toContain('The tools could not be loaded')
  await server.close('test')
})

test.each([
  [
    'does not answer',
    () => Promise.reject(new Error('ECONNREFUSED 10.1.2.3')),
    { error: 'Not ready', code: 'store_unavailable' },
  ],
  [
    'knows a reason',
    () => Promise.resolve({ code: 'audit_unavailable' }),
    { error: 'Not ready', code: 'audit_unavailable' },
  ],
  [
    'knows the kind of fault',
    () => Promise.resolve({ code: 'store_not_writable', cause: 'disk_full' as const }),
    { error: 'Not ready', code: 'store_not_writable', cause: 'disk_full' },
  ],
])('/ready is 503 when what stands behind the tools %s', async (_case, behind, body) => {
  const { url, server } = await startToolServer({}, { ready: behind })
  expect(await ready(url)).toEqual({ status: 503, body })
  await server.close('test')
})

test('open streams of every transport get heartbeats', async () => {
  const { url, server } = await startToolServer({ heartbeatMs: 20 })
  const session = await openSession(url)
  for (const [path, headers] of [
    ['/sse', headersOf('ada')],
    ['/mcp', headersOf('ada', { 'mcp-session-id': session })],
  ] as const) {
    const response = await fetch(url + path, { headers })
    let seen = ''
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      seen += chunk
      if (/^: \w+\n\n/m.test(seen)) break
    }
    expect(seen).toMatch(/^: (ping|keepalive)\n\n/m)
  }
  await server.close('test')
})

test('a stop lets running calls end, then ends streams with the reason, and takes nothing new', async () => {
  const { url, server, answering, messages } = await startToolServer({ graceMs: 5_000 })
  const session = await openSession(url)
  const stream = await fetch(`${url}/mcp`, { headers: headersOf('ada', { 'mcp-session-id': session }) })
  const call = post(url, toolCall('wait_for_it'), { 'mcp-session-id': session })
  await expect.poll(() => answering.signals.length).toBe(1)
  const closed = server.close('SIGTERM')
  await expect(fetch(`${url}/health`)).rejects.toThrow('fetch failed')
  answering.release()
  expect((await call).json).toMatchObject({ result: { structuredContent: { released: true } } })
  expect(await stream.text()).toBe('event: end\ndata: {"error":"The server is stopping","code":"stopping"}\n\n')
  await closed
  expect(messages()).toContain('The tool server stops')
})

test('a call that outlives the grace time is aborted and told', async () => {
  const { url, server, answering } = await startToolServer({ graceMs: 20 })
  const call = post(url, toolCall('wait_for_it'))
  await expect.poll(() => answering.signals.length).toBe(1)
  await server.close('SIGTERM')
  expect(await call).toMatchObject({ status: 503, json: { error: 'The server is stopping', code: 'stopping' } })
  expect(answering.signals[0]!.aborted).toBe(true)
})

test('a port in use is an error of listen', async () => {
  const { port, server } = await startToolServer()
  await expect(startToolServer({}, { port })).rejects.toThrow('EADDRINUSE')
  await server.close('test')
})
