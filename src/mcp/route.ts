import type { IncomingMessage, ServerResponse } from 'node:http'
import { strangerAt } from '../admission/loop-turns.js'
import { takeBody } from '../admission/take-body.js'
import { authorizationOf } from '../access/authorization-of.js'
import { clientAddress, type IsTrusted } from '../access/client-address.js'
import { guardRequest } from '../access/guard-request.js'
import { requesterOf, requesterRefused } from '../access/requester-of.js'
import { RefusedEntry } from '../access/refused-entry.js'
import { refuseOnRecord } from '../access/refuse-on-record.js'
import { Problem } from '../base/problem.js'
import { failure, failureOf, type HttpAnswer } from './http-answer.js'
import { type McpEndpointParts, serveMcp } from './mcp-endpoint.js'
import { messagesOf } from './messages.js'
import { PATHS, SSE_MESSAGE_PATH } from './paths.js'
import { readMessage } from './read-message.js'
import type { Readiness } from './readiness.js'
import { type Entered, RequestContext } from './request-context.js'
import { openSseStream, postToSseStream, type SseStreamsParts } from './sse-stream.js'
import type { ToolServerParts } from './tool-server-parts.js'
import type { UnderWay } from './under-way.js'

export interface RouteParts extends Pick<
  ToolServerParts,
  'gate' | 'keys' | 'oauth' | 'admission' | 'trail' | 'settings' | 'meter' | 'log'
> {
  readonly underWay: UnderWay
  readonly readiness: Readiness
  readonly sse: SseStreamsParts
  readonly mcp: McpEndpointParts
  readonly tools: () => number
  readonly stopping: () => boolean
  readonly isTrustedProxy: IsTrusted
}

/** For whoever set a client up with the address alone, or opens it in a browser. */
const NOT_FOUND = failure(404, 'Not found: AI clients connect to /mcp, or to /sse for server-sent events', 'not_found')

/** Clients whose key is refused try to register for a sign-in, and show only what that was answered. */
const NO_SIGN_IN =
  'There is no sign-in here: the application key was missing or refused. Send it as the header Authorization: Bearer esk_…'

/** Clients that guess where to register, instead of reading the metadata. */
const REGISTER_ELSEWHERE =
  'Clients don’t register here: /.well-known/oauth-authorization-server says where. Or send an application key as the header Authorization: Bearer esk_…'

/**
 * The way of every request: path, method, Host and Origin, authentication, body, its turn among those that are here, and then its
 * transport. Never rejects.
 */
export function route(parts: RouteParts): (req: IncomingMessage, res: ServerResponse) => Promise<void> {
  return async (req, res) => {
    const request = new RequestContext(parts, req, res)
    // A client that leaves while it is answered is no error of ours.
    req.on('error', () => undefined)
    res.on('error', () => undefined)
    try {
      const answer = await serve(parts, request)
      if (answer !== undefined) request.refuse(answer)
    } catch (error) {
      if (req.destroyed && !req.complete) return
      request.refuse(
        failureOf(
          error,
          (reference, cause) => {
            request.log.error({ reference, err: cause }, 'A request failed')
          },
          parts.oauth?.challenge(req, request.path),
        ),
      )
      if (!res.writableEnded) res.end()
    }
  }
}

async function serve(parts: RouteParts, request: RequestContext): Promise<HttpAnswer | undefined> {
  const { req, path } = request
  const open = path === '/health' || path === '/ready'
  if (!open) guardRequest(req, parts.settings)
  if (parts.oauth?.takes(path) === true && !parts.stopping()) {
    const { res, requestId } = request
    const address = clientAddress(req, parts.isTrustedProxy)
    // Nobody is known here yet: all of an address wait for each other.
    await parts.admission.turns.next(strangerAt(address), request.signal)
    return (await parts.oauth.answer({ req, res, path, requestId, address })) ? undefined : NOT_FOUND
  }
  const methods = Object.hasOwn(PATHS, path) ? PATHS[path] : undefined
  if (methods === undefined) {
    if (path !== '/register') return NOT_FOUND
    const isSignInHere = parts.oauth?.resourceOf(req, '/mcp') !== undefined
    return failure(404, isSignInHere ? REGISTER_ELSEWHERE : NO_SIGN_IN, 'not_found')
  }
  if (!methods.includes(req.method ?? '')) {
    const allow = methods.join(', ')
    return { ...failure(405, `Method not allowed; ${path} takes ${allow}`, 'method_not_allowed'), headers: { allow } }
  }
  if (path === '/health') return health(parts)
  if (path === '/ready') return await parts.readiness.answer()
  if (parts.stopping())
    return { ...failure(503, 'The server is stopping', 'stopping'), headers: { connection: 'close' } }
  return await serveCaller(parts, request)
}

/** What only a caller with a key reaches. Every request is authenticated anew, whatever session it names. */
async function serveCaller(parts: RouteParts, request: RequestContext): Promise<HttpAnswer | undefined> {
  const { gate, oauth, trail, admission, isTrustedProxy } = parts
  const { req, path, requestId } = request
  const asked = { page: `${req.method} ${path}`, requestId, transport: 'mcp' } as const
  // Whoever is known and refused is on record, before the refusal leaves.
  const enter = async () => {
    const address = clientAddress(req, isTrustedProxy)
    try {
      return await gate.enter(authorizationOf(req), address, oauth?.resourceOf(req, path))
    } catch (error) {
      // Refusing is work too.
      await admission.turns.next(
        error instanceof RefusedEntry ? requesterRefused(error.who) : strangerAt(address),
        request.signal,
      )
      if (error instanceof RefusedEntry) return await refuseOnRecord(trail, error, error.who, asked)
      throw error
    }
  }
  const entered = await enter()
  request.admit(entered)
  try {
    return await serveEntered(parts, request, enter)
  } catch (error) {
    // No room for a session, say. What the record itself refuses can't be on it.
    if (!(error instanceof Problem) || error.code !== 'too_many_requests' || error instanceof RefusedEntry) throw error
    return await refuseOnRecord(trail, error, entered.caller, asked)
  }
}

async function serveEntered(
  { admission, settings, underWay, sse, mcp }: RouteParts,
  request: RequestContext,
  enter: () => Promise<Entered>,
): Promise<HttpAnswer | undefined> {
  const { req, path } = request
  underWay.begin(request)
  const requester = requesterOf(request.caller)
  const turn = () => admission.turns.next(requester, request.signal)
  if (path === '/sse') {
    await turn()
    if (request.over) return undefined
    await openSseStream(sse, request)
    return undefined
  }
  let message: unknown
  if (req.method === 'POST') {
    const share = takeBody(admission.bodies, requester, { request: req, response: request.res }, settings.maxBodyBytes)
    const read = await readMessage(req, settings.maxBodyBytes, share, turn)
    if ('refused' in read) return read.refused
    message = read.message
    // A batch is as many requests as it holds messages, or the rate limit would count a hundred calls as one.
    for (const _more of messagesOf(message).slice(1, MAX_BATCH)) await enter()
  } else {
    await turn()
  }
  if (request.over) return undefined
  if (path === SSE_MESSAGE_PATH) await postToSseStream(sse, request.query.get('sessionId') ?? '', request, message)
  else await serveMcp(mcp, request, message)
  return undefined
}

/** Messages of the largest batch that the SDK takes. */
const MAX_BATCH = 100

function health({ settings, tools, keys }: RouteParts): HttpAnswer {
  const body = { status: 'ok', server: settings.name, tools: tools(), auth_cache_size: keys.size }
  return { status: 200, body }
}
