// What the bundle for desktop clients starts (scripts/build-mcpb.mjs): hands messages on between a client that talks to a program on
// standard input and output and the tool server of an Earshot, whose address and key the client asks its user for. Messages pass as
// they are; of its own it says only why the other side can't be reached.
import { type JSONRPCMessage, SdkHttpError, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'

/** JSON-RPC: an error of the server's own range. */
const UNREACHABLE = -32_000

function stop(sentence: string): never {
  process.stderr.write(`${sentence}\n`)
  process.exit(1)
}

/** The address and the key that the client's user filled in. */
function configured(): { readonly url: URL; readonly key: string } {
  // oxlint-disable-next-line no-process-env -- the client hands them over so
  const { EARSHOT_URL: address = '', EARSHOT_KEY: key = '' } = process.env
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url === undefined || !['https:', 'http:'].includes(url.protocol)) {
    stop(
      'The address of Earshot is one such as https://calls.example.com/mcp: http or https, with the path of the tool server',
    )
  }
  if (!/^[\x21-\x7e]+$/.test(key)) {
    stop('The application key is missing, or holds a blank: an administrator of Earshot makes one')
  }
  return { url, key }
}

const { url, key } = configured()
const local = new StdioServerTransport()
const remote = new StreamableHTTPClientTransport(url, { requestInit: { headers: { authorization: `Bearer ${key}` } } })

/** Why a message was not answered, for a person; never with the key. */
function reasonOf(error: unknown): string {
  if (!(error instanceof SdkHttpError)) {
    const { code } = ((error as Error).cause ?? {}) as { readonly code?: unknown }
    return `Earshot at ${url.origin} can’t be reached${typeof code === 'string' ? ` (${code})` : ''}`
  }
  if (error.status === 401) {
    return `Earshot at ${url.origin} refuses the key: it may have been revoked, or have expired. Ask for another one`
  }
  return `Earshot at ${url.origin} did not answer as a tool server does: is the path ${url.pathname} right?`
}

async function forward(message: JSONRPCMessage): Promise<void> {
  try {
    await remote.send(message)
  } catch (error) {
    const reason = reasonOf(error)
    process.stderr.write(`${reason}\n`)
    if (!('method' in message) || !('id' in message)) return
    await local.send({ jsonrpc: '2.0', id: message.id, error: { code: UNREACHABLE, message: reason } })
  }
}

let initializing: string | number | undefined
local.onmessage = message => {
  if ('method' in message && message.method === 'initialize' && 'id' in message) initializing = message.id
  void forward(message)
}
remote.onmessage = message => {
  // Requests say the revision that was agreed on.
  if (initializing !== undefined && 'result' in message && message.id === initializing) {
    const { protocolVersion } = message.result as { readonly protocolVersion?: unknown }
    if (typeof protocolVersion === 'string') remote.setProtocolVersion(protocolVersion)
    initializing = undefined
  }
  void local.send(message)
}

async function end(): Promise<void> {
  await remote.terminateSession().catch(() => undefined)
  process.exit(0)
}
local.onclose = () => void end()
process.stdin.once('end', () => void end())
process.once('SIGTERM', () => void end())

await remote.start()
await local.start()
