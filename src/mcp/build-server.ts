import { McpServer, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import type { Logger } from 'pino'
import type { Answering } from '../questions/answering.js'
import { callTool } from './call-tool.js'
import { SESSION_REVISIONS } from './revisions.js'
import type { ToolRegistry } from './tool-registry.js'
import type { UnderWay } from './under-way.js'
import { visitOf } from './visit.js'

export interface BuildServerParts {
  readonly name: string
  readonly version: string
  readonly instructions: string
  readonly registry: ToolRegistry
  readonly answering: Answering
  readonly underWay: UnderWay
  readonly log: Logger
  readonly resultBytes: number
}

/** How long a client may keep a list, milliseconds; a change is announced to those that listen. */
const LIST_TTL_MS = 60_000
const PRIVATE = { ttlMs: LIST_TTL_MS, cacheScope: 'private' } as const
const CACHE_HINTS = {
  'tools/list': PRIVATE,
  'resources/list': PRIVATE,
  'resources/templates/list': PRIVATE,
  'server/discover': PRIVATE,
}

/**
 * The protocol's end of one session or one stateless request (the SDK's servers serve one connection each). The list and
 * the call of tools are answered by our own handlers: the list depends on the caller's roles, and arguments are parsed
 * by the question. Resources are declared and listed (none yet), because clients ask for them.
 */
export function buildServer(parts: BuildServerParts): McpServer {
  const mcp = new McpServer(
    { name: parts.name, version: parts.version },
    {
      capabilities: { tools: { listChanged: true }, resources: { listChanged: false } },
      instructions: parts.instructions,
      supportedProtocolVersions: [...SESSION_REVISIONS],
      cacheHints: CACHE_HINTS,
    },
  )
  mcp.server.setRequestHandler('tools/list', (request, context) => {
    if (request.params?.cursor !== undefined) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Invalid cursor: the list of tools has one page')
    }
    return { tools: parts.registry.listFor(visitOf(context).caller) }
  })
  mcp.server.setRequestHandler('tools/call', (request, context) => {
    const visit = visitOf(context)
    const signal = AbortSignal.any([context.mcpReq.signal, visit.signal])
    const call = callTool(parts, visit, request.params, signal)
    parts.underWay.add(call)
    return call
  })
  // The SDK's messages may quote what the client sent, so only their kind is logged.
  mcp.server.onerror = error => parts.log.debug({ kind: error.name }, 'The protocol layer reported an error')
  return mcp
}
