import { McpServer } from '@modelcontextprotocol/server'
import type { Logger } from 'pino'
import type { Handlers } from './handlers.js'
import { SESSION_REVISIONS } from './revisions.js'
import { knowsLinks, withoutLinks } from './transcript-links.js'
import type { Views } from './views.js'

export interface BuildServerParts {
  readonly name: string
  readonly version: string
  readonly instructions: string
  readonly handlers: Handlers
  readonly views: Views
  readonly log: Logger
  /** See ToolServerParts. */
  readonly extend?: Extend | undefined
}

/** Adds to a protocol server before it is connected. It may wrap our handlers. */
export type Extend = (mcp: McpServer, handlers: Handlers) => void

/** How long a client may keep a list, milliseconds; a change is announced to those that listen. */
const LIST_TTL_MS = 60_000
const PRIVATE = { ttlMs: LIST_TTL_MS, cacheScope: 'private' } as const
// What is read is not cached: a call may be erased, a key narrowed.
const CACHE_HINTS = {
  'tools/list': PRIVATE,
  'resources/list': PRIVATE,
  'resources/templates/list': PRIVATE,
  'prompts/list': PRIVATE,
  'server/discover': PRIVATE,
}

const CAPABILITIES = {
  tools: { listChanged: true },
  resources: { listChanged: false },
  prompts: { listChanged: false },
  completions: {},
}

/** The protocol's end of one session or one stateless request (the SDK's servers serve one connection each). */
export function buildServer({
  name,
  version,
  instructions,
  handlers,
  views,
  log,
  extend,
}: BuildServerParts): McpServer {
  const mcp = new McpServer(
    { name, version },
    {
      capabilities: CAPABILITIES,
      instructions,
      supportedProtocolVersions: [...SESSION_REVISIONS],
      cacheHints: CACHE_HINTS,
    },
  )
  const { server } = mcp
  server.setRequestHandler('tools/list', async (request, context) =>
    // Deprecated as below.
    // oxlint-disable-next-line typescript/no-deprecated
    views.named(await handlers['tools/list'](request, context), server.getClientCapabilities()),
  )
  server.setRequestHandler('tools/call', async (request, context) => {
    const result = await handlers['tools/call'](request, context)
    // Deprecated only for revision 2026-07-28, which it reports too; a session's revision stands nowhere else.
    // oxlint-disable-next-line typescript/no-deprecated
    return knowsLinks(server.getNegotiatedProtocolVersion()) ? result : withoutLinks(result)
  })
  server.setRequestHandler('resources/list', handlers['resources/list'])
  server.setRequestHandler('resources/templates/list', handlers['resources/templates/list'])
  server.setRequestHandler('resources/read', handlers['resources/read'])
  server.setRequestHandler('prompts/list', handlers['prompts/list'])
  server.setRequestHandler('prompts/get', handlers['prompts/get'])
  server.setRequestHandler('completion/complete', handlers['completion/complete'])
  // The SDK's messages may quote what the client sent, so only their kind is logged.
  server.onerror = error => log.debug({ kind: error.name }, 'The protocol layer reported an error')
  extend?.(mcp, handlers)
  return mcp
}
