import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { linesIn } from '../support/activity.js'
import { startServer } from '../support/start-server.js'
import { startService } from '../support/start-service.js'
import { tempDir } from '../support/temp-dir.js'

const CLIENTS = 16

interface Answer {
  readonly status: number
  readonly text: string
}

/** Sends a tool call on a connection that is kept, and reads the whole answer. */
async function ask(url: string, key: string, agent: Agent, name: string): Promise<Answer> {
  const sent = request(`${url}/mcp`, {
    agent,
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
  })
  sent.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {} } }))
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  let text = ''
  for await (const chunk of response.setEncoding('utf8')) text += chunk as string
  return { status: response.statusCode ?? 0, text }
}

describe('SIGTERM while clients ask', () => {
  test('lets running answers end, refuses new ones, ends streams with the reason, and exits with 0', async () => {
    const dataDir = join(tempDir(), 'data')
    const service = await startService({ dataDir, calls: 30, env: { EARSHOT_REQUESTS_PER_MINUTE: '1000000' } })
    const { mcp_url: url, application_key: key } = service
    const answered: Answer[] = []
    const refusals: string[] = []
    let stopped = false
    let refusedEarly = false

    const stream = await fetch(`${url}/sse`, { headers: { authorization: `Bearer ${key}` } })
    const streamed = stream.text()
    const clients = Array.from({ length: CLIENTS }, async (_, n) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      const tool = n % 2 === 0 ? 'get_project_context' : 'search_calls'
      for (;;) {
        const answer = await ask(url, key, agent, tool).catch(
          (error: unknown) => (error as NodeJS.ErrnoException).code ?? String(error),
        )
        if (typeof answer === 'object' && answer.status === 200) {
          answered.push(answer)
          continue
        }
        refusals.push(typeof answer === 'string' ? answer : String(answer.status))
        refusedEarly ||= !stopped
        break
      }
      agent.destroy()
    })
    await expect.poll(() => answered.length).toBeGreaterThan(2 * CLIENTS)

    stopped = true
    // Were it to wait for those who go on asking, or for the stream, it would never end.
    const ended = service.end('SIGTERM')
    await Promise.all(clients)
    expect(await ended).toEqual({ code: 0, signal: null })

    // Nothing was cut off: whatever was answered is whole, and everyone else was told or could not connect.
    for (const { text } of answered) expect(JSON.parse(text)).toMatchObject({ result: { structuredContent: {} } })
    const fair = new Set(['503', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE'])
    expect(refusals.filter(refusal => !fair.has(refusal))).toEqual([])
    expect(refusedEarly).toBe(false)
    expect(refusals).toHaveLength(CLIENTS)
    expect(await streamed).toMatch(/event: end\ndata: {"error":"The server is stopping","code":"stopping"}\n\n$/)

    // Everything answered is on record.
    const record = (await linesIn(dataDir)) as unknown as { outcome: string }[]
    expect(record.filter(line => line.outcome === 'ok').length).toBeGreaterThanOrEqual(answered.length)
    const { stderr } = service.output()
    expect(stderr).toContain('Earshot has stopped')
    expect(stderr).not.toContain('"level":"error"')
  })
})

describe('SIGTERM where a load balancer watches', () => {
  test('says so at /ready first, and answers meanwhile', async () => {
    const dataDir = join(tempDir(), 'data')
    const server = await startServer(dataDir, { EARSHOT_DRAIN_WAIT: '2s' })
    const status = async (url: string, path: string) => (await fetch(url + path)).status
    expect([await status(server.apiUrl, '/ready'), await status(server.mcpUrl, '/ready')]).toEqual([200, 200])
    const ended = server.end()
    await expect.poll(() => status(server.apiUrl, '/ready')).toBe(503)
    expect(await (await fetch(`${server.mcpUrl}/ready`)).json()).toMatchObject({ code: 'stopping' })
    // Whoever comes all the same is answered.
    expect([await status(server.apiUrl, '/health'), await status(server.apiUrl, '/api/v1/summary')]).toEqual([200, 401])
    expect(await ended).toEqual({ code: 0, signal: null })
  })
})
