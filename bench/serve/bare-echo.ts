/**
 * The least there can be: the official SDK's server with one tool that echoes, a session each, and twenty lines between
 * it and node:http. No authentication, no limits, no record. Prints its address.
 */
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { McpServer, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server'
import { z } from 'zod'

type Transport = WebStandardStreamableHTTPServerTransport
const sessions = new Map<string, Transport>()

async function open(): Promise<Transport> {
  const server = new McpServer({ name: 'bare', version: '1' })
  server.registerTool(
    'echo',
    { description: 'Echo', inputSchema: z.object({ text: z.string() }), outputSchema: z.object({ text: z.string() }) },
    ({ text }) => ({ content: [{ type: 'text', text: JSON.stringify({ text }) }], structuredContent: { text } }),
  )
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: () => randomUUID(),
    enableJsonResponse: true,
    onsessioninitialized: id => void sessions.set(id, transport),
  })
  await server.connect(transport)
  return transport
}

const server = createServer((req, res) => {
  void (async () => {
    const parsedBody: unknown = JSON.parse((await buffer(req)).toString())
    const headers = new Headers()
    for (const [name, value] of Object.entries(req.headers)) if (typeof value === 'string') headers.set(name, value)
    const transport = sessions.get(headers.get('mcp-session-id') ?? '') ?? (await open())
    const request = new Request('http://localhost/mcp', { method: req.method ?? 'POST', headers })
    const response = await transport.handleRequest(request, { parsedBody })
    const body = Buffer.from(await response.arrayBuffer())
    res.writeHead(response.status, { ...Object.fromEntries(response.headers), 'content-length': body.length })
    res.end(body)
  })()
})
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`)
})
