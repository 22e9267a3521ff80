import { classifyInboundRequest, isInitializeRequest } from '@modelcontextprotocol/server'
import { echo } from '../base/text.js'
import type { Exchange } from './exchange.js'
import { rpcFailure } from './http-answer.js'
import type { HttpSessions } from './http-sessions.js'
import type { ListenStreams } from './listen-streams.js'
import { isPlainRequest } from './messages.js'
import { REVISIONS, SESSION_REVISIONS } from './revisions.js'
import type { StatelessRequests } from './stateless-requests.js'
import type { Visit } from './visit.js'

export interface McpEndpointParts {
  readonly sessions: HttpSessions
  readonly stateless: StatelessRequests
  readonly listening: ListenStreams
  /** Called once for every request that stands alone. */
  readonly onStateless: (visit: Visit) => void
}

/**
 * Serves one authenticated request on /mcp: by its session when it names or opens one, else on its own. `message` is
 * the parsed body of a POST.
 */
export async function serveMcp(
  { sessions, stateless, listening, onStateless }: McpEndpointParts,
  exchange: Exchange,
  visit: Visit,
  message: unknown,
): Promise<void> {
  const { req } = exchange
  const revision = header(exchange, 'mcp-protocol-version')
  const ofSession = isOfSession(message, revision)
  if (!ofSession && isStateless(exchange, revision, message)) {
    listening.admit(exchange, visit, message)
    onStateless(visit)
    await stateless.serve(exchange, visit, message)
    return
  }
  const opens = !ofSession && isInitializeRequest(message)
  if (revision !== undefined && !opens && !REVISIONS.includes(revision)) {
    const text = `Unsupported protocol version ${echo(revision)}; supported are ${REVISIONS.join(', ')}`
    exchange.end(rpcFailure(400, -32000, text, { data: { supported: REVISIONS } }))
    return
  }
  const sessionId = header(exchange, 'mcp-session-id')
  if (sessionId !== undefined) await sessions.serve(sessionId, exchange, visit, message)
  else if (opens) await sessions.open(exchange, visit, message)
  else if (req.method === 'POST') {
    onStateless(visit)
    await stateless.serveOlder(exchange, visit, message)
  } else exchange.end(rpcFailure(400, -32000, `Bad request: ${req.method} needs the header Mcp-Session-Id`))
}

/** Whether a message belongs to a revision with sessions, without doubt, and opens none. */
function isOfSession(message: unknown, revision: string | undefined): boolean {
  if (revision !== undefined && !(SESSION_REVISIONS as readonly string[]).includes(revision)) return false
  return isPlainRequest(message) && message.method !== 'initialize'
}

/** Whether the SDK takes a request for one of the revision without sessions, or for none that is right. */
function isStateless(exchange: Exchange, revision: string | undefined, message: unknown): boolean {
  const mcpMethodHeader = header(exchange, 'mcp-method')
  const { kind } = classifyInboundRequest({
    httpMethod: exchange.req.method ?? '',
    ...(revision === undefined ? {} : { protocolVersionHeader: revision }),
    ...(mcpMethodHeader === undefined ? {} : { mcpMethodHeader }),
    ...(message === undefined ? {} : { body: message }),
  })
  return kind !== 'legacy'
}

function header({ req }: Exchange, name: string): string | undefined {
  const value = req.headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}
