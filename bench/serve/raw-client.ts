import { Agent, request } from 'node:http'
import { z } from 'zod'

const answer = z.object({ result: z.object({ isError: z.boolean().optional() }).optional() })

/** A client that costs as little as one can, with a session and a connection of its own. */
export interface RawClient {
  /** Calls a tool; milliseconds until its answer was whole. Throws when it failed. */
  call(tool: string, args: object): Promise<number>
  close(): void
}

export async function rawClient(url: string, key: string): Promise<RawClient> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const headers: Record<string, string> = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  let id = 0
  const post = (method: string, params: object) =>
    new Promise<{ readonly session: string | undefined; readonly text: string }>((resolve, reject) => {
      id += 1
      const body = JSON.stringify({ jsonrpc: '2.0', id, method, params })
      const sent = request(`${url}/mcp`, { agent, method: 'POST', headers }, response => {
        let text = ''
        response.setEncoding('utf8').on('data', (piece: string) => (text += piece))
        response.on('end', () => {
          const session = response.headers['mcp-session-id']
          if (response.statusCode === 200) resolve({ session: typeof session === 'string' ? session : undefined, text })
          else reject(new Error(`${response.statusCode} ${text}`))
        })
      })
      sent.on('error', reject)
      sent.end(body)
    })
  const opened = await post('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'bench', version: '1' },
  })
  if (opened.session !== undefined) headers['mcp-session-id'] = opened.session
  headers['mcp-protocol-version'] = '2025-11-25'
  return {
    call: async (tool, args) => {
      const started = performance.now()
      const { text } = await post('tools/call', { name: tool, arguments: args })
      const took = performance.now() - started
      const { result } = answer.parse(JSON.parse(text))
      if (result === undefined || result.isError === true) throw new Error(`${tool} failed: ${text.slice(0, 300)}`)
      return took
    },
    close: () => agent.destroy(),
  }
}
