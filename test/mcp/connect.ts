import { Client, SSEClientTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

export type Way = '2025-11-25' | '2024-11-05' | '2026-07-28' | 'auto' | 'sse'

export const WAYS: readonly Way[] = ['2025-11-25', '2024-11-05', '2026-07-28', 'auto', 'sse']

/** The official client, connected the given way with the given key. */
export async function connect(url: string, way: Way, key = 'ada', onToolsChanged?: () => void): Promise<Client> {
  const requestInit = { headers: { Authorization: `Bearer ${key}` } }
  const client = new Client(
    { name: 'test', version: '1' },
    {
      ...(way === '2026-07-28' ? { versionNegotiation: { mode: { pin: way } } } : {}),
      ...(way === 'auto' ? { versionNegotiation: { mode: way } } : {}),
      ...(way === '2024-11-05' ? { supportedProtocolVersions: [way] } : {}),
      ...(onToolsChanged === undefined
        ? {}
        : { listChanged: { tools: { onChanged: onToolsChanged, autoRefresh: false, debounceMs: 0 } } }),
    },
  )
  const transport =
    way === 'sse'
      ? // oxlint-disable-next-line typescript/no-deprecated
        new SSEClientTransport(new URL(`${url}/sse`), { requestInit })
      : new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit })
  await client.connect(transport)
  return client
}
