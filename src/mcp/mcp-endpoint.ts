import { classifyInboundRequest, isInitializeRequest } from '@modelcontextprotocol/server'
import { echo } from '../base/text.js'
import { rpcFailure } from './http-answer.js'
import { type HttpSessionsParts, openHttpSession, serveHttpSession } from './http-session.js'
import { isPlainRequest } from './messages.js'
import { REVISIONS, SESSION_REVISIONS } from './revisions.js'
import type { RequestContext } from './request-context.js'
import type { StatelessRequests } from './stateless-requests.js'

export interface McpEndpointParts {
  readonly sessions: HttpSessionsParts
  readonly stateless: StatelessRequests
}

/**
 * Serves one authenticated request on /mcp: by its session when it names or opens one, else on its own. `message` is
 * the parsed body of a POST.
 */
export async function serveMcp(
  { sessions, stateless }: McpEndpointParts,
  request: RequestContext,
  message: unknown,
): Promise<void> {
  const revision = request.header('mcp-protocol-version')
  const ofSession = isOfSession(message, revision)
  if (!ofSession && isStateless(request, revision, message)) {
    await stateless.serve(request, message)
    return
  }
  const opens = !ofSession && isInitializeRequest(message)
  if (revision !== undefined && !opens && !REVISIONS.includes(revision)) {
    const text = `Unsupported protocol version ${echo(revision)}; supported are ${REVISIONS.join(', ')}`
    request.end(rpcFailure(400, -32000, text, { data: { supported: REVISIONS } }))
    return
  }
  const { method } = request.req
  const sessionId = request.header('mcp-session-id')
  if (sessionId !== undefined) await serveHttpSession(sessions, sessionId, request, message)
  else if (opens) await openHttpSession(sessions, request, message)
  else if (method === 'POST') await stateless.serveOlder(request, message)
  else request.end(rpcFailure(400, -32000, `Bad request: ${method} needs the header Mcp-Session-Id`))
}

/** Whether a message belongs to a revision with sessions, without doubt, and opens none. */
function isOfSession(message: unknown, revision: string | undefined): boolean {
  if (revision !== undefined && !(SESSION_REVISIONS as readonly string[]).includes(revision)) return false
  return isPlainRequest(message) && message.method !== 'initialize'
}

/** Whether the SDK takes a request for one of the revision without sessions, or for none that is right. */
function isStateless(request: RequestContext, revision: string | undefined, message: unknown): boolean {
  const mcpMethodHeader = request.header('mcp-method')
  const { kind } = classifyInboundRequest({
    httpMethod: request.req.method ?? '',
    ...(revision === undefined ? {} : { protocolVersionHeader: revision }),
    ...(mcpMethodHeader === undefined ? {} : { mcpMethodHeader }),
    ...(message === undefined ? {} : { body: message }),
  })
  return kind !== 'legacy'
}
