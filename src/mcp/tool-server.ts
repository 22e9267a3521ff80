import type { IncomingMessage, ServerResponse } from 'node:http'
import { Problem } from '../base/problem.js'
import { trustedProxies } from '../access/client-address.js'
import { escapeUnseen } from '../base/text.js'
import type { Caller } from '../access/caller.js'
import { buildServer } from './build-server.js'
import { createHandlers } from './handlers.js'
import { failure, failureOf } from './http-answer.js'
import { HttpListener } from './http-listener.js'
import { OpenSessions, type SessionKind } from './open-sessions.js'
import { PromptRegistry } from './prompts.js'
import { Readiness } from './readiness.js'
import type { RequestContext } from './request-context.js'
import { ResourceRegistry } from './resources.js'
import { route } from './route.js'
import { ownSessionIds } from './session-ids.js'
import { StatelessRequests } from './stateless-requests.js'
import type { ToolServerParts } from './tool-server-parts.js'
import { ToolRegistry } from './tools.js'
import { UnderWay } from './under-way.js'
import { Views } from './views.js'

/** How often idle sessions are looked for, milliseconds. */
const EXPIRY_MS = 30_000

const STOPPING = failure(503, 'The server is stopping', 'stopping')

export interface ToolServer {
  /** Starts to listen; port 0 takes a free one. `url` is the base that clients add /mcp or /sse to. */
  listen(host: string, port: number): Promise<{ url: string; port: number }>
  /** Stops: takes nothing new, lets running calls end for the grace time, then ends streams and sessions. */
  close(reason: string): Promise<void>
  /** Open sessions and streams, by kind. */
  openSessions(): Readonly<Record<SessionKind, number>>
}

/** The tool server: the questions as tools over the Model Context Protocol. One per process; nothing is shared. */
export function createToolServer(parts: ToolServerParts): ToolServer {
  const { log, settings, keys, admission } = parts
  const rooms = loadRooms(parts)
  const underWay = new UnderWay()
  const sessions = new OpenSessions(settings, admission.sessions)
  let stopping = false

  const logCause = (reference: string, cause: unknown): void => {
    log.error({ reference, err: cause }, 'A request failed')
  }
  const logEntry = ({ log: ofRequest, caller }: RequestContext): void => ofRequest.info(authLogLine(caller))
  const { tools, resources, prompts } = rooms ?? NOTHING
  const { resultBytes } = settings
  const views = new Views(parts.viewPage, parts.questions)
  const handlers = createHandlers({ ...parts, tools, resources, prompts, views, underWay, resultBytes })
  const build = () => buildServer({ ...settings, handlers, views, log, extend: parts.extend })
  const shared = { build, sessions, heartbeatMs: settings.heartbeatMs, onOpen: logEntry }
  const stateless = new StatelessRequests({ ...shared, maxSessionsPerKey: settings.maxSessionsPerKey })

  const dispatch = route({
    ...parts,
    underWay,
    isTrustedProxy: trustedProxies(settings.trustedProxies ?? []),
    tools: () => tools.size,
    stopping: () => stopping,
    readiness: new Readiness({
      server: settings.name,
      tools: rooms?.tools.size,
      ready: () => parts.ready(),
      stopping: () => stopping,
    }),
    sse: { ...shared, maxBacklog: 4 * settings.resultBytes },
    mcp: {
      sessions: { ...shared, ids: parts.sessionIds ?? ownSessionIds, streamedAnswers: settings.streamedAnswers },
      stateless,
    },
  })

  const unsubscribe = keys.onChange(({ keyId, kind }) => {
    if (kind === 'changed') {
      sessions.toolsChangedFor(keyId)
      stateless.toolsChangedFor(keyId)
      return
    }
    const revoked = new Problem('unauthenticated', 'Invalid or inactive API key')
    underWay.endOf(keyId, failureOf(revoked, logCause))
    sessions.endOf(keyId)
    stateless.forget(keyId)
  })
  const expiry = setInterval(() => sessions.expire(), Math.min(EXPIRY_MS, settings.sessionIdleMs))
  expiry.unref()

  const listener = new HttpListener(
    (req: IncomingMessage, res: ServerResponse) => {
      void dispatch(req, res)
    },
    settings,
    parts.certificate,
  )

  const close = async (reason: string): Promise<void> => {
    stopping = true
    log.info({ reason }, 'The tool server stops')
    const gone = listener.stopAccepting()
    if (!(await underWay.ended(settings.graceMs)))
      log.warn('Calls still running at the end of the grace time were ended')
    clearInterval(expiry)
    unsubscribe()
    underWay.endAll(STOPPING)
    sessions.endAll()
    const timer = setTimeout(() => listener.breakConnections(), 500)
    await gone
    clearTimeout(timer)
  }
  let closed: Promise<void> | undefined
  return {
    listen: (host, port) => listener.listen(host, port),
    close: reason => (closed ??= close(reason)),
    openSessions: () => sessions.byKind(),
  }
}

interface Rooms {
  readonly tools: ToolRegistry
  readonly resources: ResourceRegistry
  readonly prompts: PromptRegistry
}

const NOTHING: Rooms = {
  tools: new ToolRegistry([]),
  resources: new ResourceRegistry([]),
  prompts: new PromptRegistry([]),
}

/** What there is to offer, or nothing when it can't be loaded: the server then says so at /ready instead of not starting. */
function loadRooms({ questions, resources, prompts, log }: ToolServerParts): Rooms | undefined {
  try {
    return {
      tools: new ToolRegistry(questions),
      resources: new ResourceRegistry(resources),
      prompts: new PromptRegistry(prompts),
    }
  } catch (error) {
    log.error({ err: error }, 'The tools could not be loaded')
    return undefined
  }
}

/** The specification's log line for an accepted caller, once per opened session, stream or stateless request. */
export function authLogLine(caller: Caller): string {
  return `MCP auth via ${caller.source}: project_id=${caller.project_id} app=${escapeUnseen(caller.app_name)}`
}
