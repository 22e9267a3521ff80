import { expect, test } from 'vitest'
import { headersOf, openSession, post, toolCall } from './post.js'
import { startToolServer } from './start-tool-server.js'

// Every answer names its request; the log and the audit trail know it by the same id.

const ids = (lines: readonly string[]) => lines.map(line => (JSON.parse(line) as { request_id?: string }).request_id)

test('the id in an answer is the one in the log, and what the answering hands on to the trail', async () => {
  const { url, server, lines, answering } = await startToolServer()
  const session = await openSession(url)
  const answer = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: headersOf('ada', { 'mcp-session-id': session }),
    body: JSON.stringify(toolCall('failing', { how: 'crash' })),
  })
  const id = answer.headers.get('x-request-id')
  expect(id).toMatch(/^[0-9a-f-]{36}$/)
  expect(answering.requestIds).toEqual([id])
  const failed = lines.filter(line => line.includes('A tool call failed'))
  expect(ids(failed)).toEqual([id])
  await server.close('test')
})

test('a refusal is counted by its code, and logged with its id and without the token', async () => {
  const { url, server, lines, meter } = await startToolServer()
  const refused = await fetch(`${url}/mcp?key=secret`, { method: 'POST', headers: headersOf('nobody'), body: '{}' })
  expect(refused.status).toBe(401)
  expect(meter.refusals).toEqual(['mcp unauthenticated'])
  const line = JSON.parse(lines.find(text => text.includes('request refused'))!) as object
  expect(line).toMatchObject({
    request_id: refused.headers.get('x-request-id'),
    method: 'POST',
    path: '/mcp',
    status: 401,
    code: 'unauthenticated',
  })
  expect(lines.join('')).not.toMatch(/nobody|secret/)
  await server.close('test')
})

test('a stopped server refuses what comes on connections still open', async () => {
  const { url, server, answering } = await startToolServer({ graceMs: 5_000 })
  const running = post(url, toolCall('wait_for_it'))
  await expect.poll(() => answering.signals.length).toBe(1)
  expect(server.openSessions()).toEqual({ session: 0, sse: 0, listen: 0 })
  const closed = server.close('SIGTERM')
  answering.release()
  expect((await running).status).toBe(200)
  await closed
})
