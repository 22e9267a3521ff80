/** Headers of a well-behaved client, with a key's. */
export function headersOf(key: string, more: Record<string, string> = {}): Record<string, string> {
  return {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...more,
  }
}

/** Posts a body to /mcp as a client without an SDK would. */
export async function post(url: string, body: unknown, more: Record<string, string> = {}, key = 'ada') {
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: headersOf(key, more),
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, json: parsed(text) }
}

function parsed(text: string): Record<string, unknown> {
  return text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {}
}

export const initialize = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
}

export function toolCall(name: string, args: object = {}, id: number | string = 1) {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } }
}

/** The envelope of revision 2026-07-28 around a call. */
export function modern(method: string, params: object, id: number | string = 1) {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  return { jsonrpc: '2.0', id, method, params: { ...params, _meta: meta } }
}

/** Opens a session and returns its id. */
export async function openSession(url: string, key = 'ada'): Promise<string> {
  const { status, headers, text } = await post(url, initialize, {}, key)
  if (status !== 200) throw new Error(`initialize answered ${status} ${text}`)
  return headers.get('mcp-session-id')!
}
