import {
  Client,
  type ClientCapabilities,
  SSEClientTransport,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'

/** How to reach the tool server: a transport and the revision it speaks. */
export type Way = '/mcp 2025-11-25' | '/mcp 2026-07-28' | '/sse'

export const ways: readonly Way[] = ['/mcp 2025-11-25', '/mcp 2026-07-28', '/sse']

/** The official client, connected. The caller closes it. */
export async function connectClient(
  mcpUrl: string,
  key: string,
  way: Way = '/mcp 2025-11-25',
  capabilities: ClientCapabilities = {},
): Promise<Client> {
  const headers = { Authorization: `Bearer ${key}` }
  const pinned = way === '/mcp 2026-07-28' ? { versionNegotiation: { mode: { pin: '2026-07-28' } } } : {}
  const client = new Client({ name: 'earshot-tests', version: '1' }, { ...pinned, capabilities })
  await client.connect(
    way === '/sse'
      ? // oxlint-disable-next-line typescript/no-deprecated -- /sse is what is being tried
        new SSEClientTransport(new URL('/sse', mcpUrl), {
          requestInit: { headers },
          eventSourceInit: { fetch: (url, init) => fetch(url, { ...init, headers: { ...init?.headers, ...headers } }) },
        })
      : new StreamableHTTPClientTransport(new URL('/mcp', mcpUrl), { requestInit: { headers } }),
  )
  return client
}

/** Calls a tool and answers the object it gave, after checking that text and structured content agree. */
// oxlint-disable-next-line typescript/no-explicit-any -- a test reads what came, whatever it is
export async function callTool(client: Client, name: string, args: Record<string, unknown> = {}): Promise<any> {
  const result = await client.callTool({ name, arguments: args })
  const [content] = result.content
  const fromText: unknown = JSON.parse(content?.type === 'text' ? content.text : 'null')
  if (result.isError === true) return fromText
  if (JSON.stringify(fromText) !== JSON.stringify(result.structuredContent)) {
    throw new Error(`text and structured content of ${name} differ`)
  }
  return fromText
}
