import { randomUUID } from 'node:crypto'
import type { RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import { constants } from 'node:zlib'
import compress from '@fastify/compress'
import cors from '@fastify/cors'
import helmet from '@fastify/helmet'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'
import { trustedProxies } from '../access/client-address.js'
import { guardRequest } from '../access/guard-request.js'
import { NO_ROUTE } from '../access/request-target.js'
import type { Certificate } from '../base/certificate.js'
import { createHttpServer, urlOf } from '../base/http-server.js'
import { KEEP_ALIVE_MS } from '../base/keep-alive.js'
import { Problem } from '../base/problem.js'
import { refuseUnreadable } from '../base/refuse-unreadable.js'
import { roundedMs } from '../base/rounded-ms.js'
import { shapeError } from '../base/shape-error.js'
import { watchConnections } from '../base/watch-connections.js'
import { addRoutes, PROBES } from './add-routes.js'
import { JSON_TYPE } from './answer-type.js'
import type { ApiServerParts, ApiServerSettings } from './api-server-parts.js'
import { arriveInTime } from './arrive-in-time.js'
import { addInboundRoute } from './inbound-route.js'
import { InFlight } from './in-flight.js'
import { type LeavingChecks, lookAsItLeaves } from './look-as-it-leaves.js'
import { metricsOperation } from './metrics-operation.js'
import { addDocsPage } from './openapi/add-docs-page.js'
import { type OpenApiDocument, openApiDocument } from './openapi/openapi-document.js'
import { openApiOperation } from './openapi/openapi-operation.js'
import { Outcomes } from './outcomes.js'
import { problemOf } from './problem-of.js'
import { type Operation, TOTAL_HEADER } from '../operations/operation.js'
import { BUDGET_HEADER, NEXT_HEADER, TRUNCATED_HEADER, WARNINGS_HEADER } from './send-answer.js'
import { RunningRequests } from './running-requests.js'

export interface ApiServer {
  /** What /openapi.json answers. */
  readonly describe: () => OpenApiDocument
  /** Starts to listen; port 0 takes a free one. Rejects with Node's error when the address can't be had. */
  listen(host: string, port: number): Promise<{ readonly url: string; readonly port: number }>
  /** Starts to listen on a Unix socket. */
  listenOn(path: string): Promise<void>
  /** Stops accepting, lets running requests end within the grace, then breaks what is left. */
  close(): Promise<void>
}

/** Asked by machines every few seconds: that all is well would be most of the log. */
const PROBED: ReadonlySet<string> = new Set([...PROBES, '/metrics'])

const HTML_TYPE = 'text/html'

/** For whoever opens the address in a browser, or gives it to an AI client. */
const NOTHING_HERE =
  'There is nothing at this path: /docs shows what there is. AI clients connect to the tool server, on its own port'

function nothingHere(): never {
  throw new Problem('not_found', NOTHING_HERE)
}

/** Whether a browser asks for a page, not a program for an answer. */
function isForPage({ method, raw }: FastifyRequest): boolean {
  return method === 'GET' && new Negotiator(raw).mediaType([JSON_TYPE, HTML_TYPE]) === HTML_TYPE
}

/** A listener that serves operations, health, and the description of all there is. */
export async function createApiServer(parts: ApiServerParts, operations: readonly Operation[]): Promise<ApiServer> {
  const { settings, log } = parts
  const outcomes = new Outcomes(parts.meter, parts.transport)
  // Whoever may read answers may ask for them.
  const guarded = { ...settings, allowedOrigins: [...settings.allowedOrigins, ...settings.corsOrigins] }
  const fail = failer(parts, outcomes)
  const app = fastify(optionsOf(settings, fail, parts.certificate))
  const running = new RunningRequests()
  const inFlight = new InFlight(app.server)
  watchConnections(app.server, settings)

  app.setErrorHandler(fail)
  app.setNotFoundHandler((request, reply) => sendPage?.(request, reply.status(404)) ?? nothingHere())
  // Bodies stay bytes until a handler asks for their value: what is not there (404) comes before a bad body (422).
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ 'x-request-id': request.id, 'cache-control': 'no-store' })
    if (request.routeOptions.config.upload !== true) arriveInTime(request.raw, settings)
    // Probes address the service by whatever name or address they have.
    if (!PROBES.has(pathOf(request))) guardRequest(request.raw, guarded)
    // Before a body is read, which nobody has made room for.
    if (request.is404 && !(sendPage !== undefined && isForPage(request))) nothingHere()
  })
  app.addHook('onResponse', async (request, reply) => {
    outcomes.note(request, reply)
    const { method, id: request_id } = request
    const path = pathOf(request)
    const fields = { request_id, method, path, status: reply.statusCode, ms: roundedMs(reply.elapsedTime) }
    if (PROBED.has(path) && reply.statusCode < 400) log.debug(fields, 'request')
    else log.info(fields, 'request')
  })
  // Behind the guard: an origin that is not ours gets no further than to it.
  if (settings.corsOrigins.length > 0) await app.register(cors, corsOf(settings))
  await app.register(compress, {
    globalDecompression: false,
    encodings: ['br', 'gzip'],
    brotliOptions: { params: BROTLI },
  })
  const checks: LeavingChecks = new WeakMap()
  lookAsItLeaves(app, checks)
  await app.register(helmet, {
    // Answers are data; nothing in them may run, load or be framed.
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
    // What else stands below the host's name is for its owner to say.
    strictTransportSecurity: { includeSubDomains: false },
  })
  const described = operations.filter(({ summary }) => summary !== undefined)
  let description: OpenApiDocument | undefined
  const describe = () => (description ??= openApiDocument(described, parts.version, settings.publicUrl))
  const routes = [...operations, metricsOperation(parts), openApiOperation(describe)]
  takeStreams(app, routes)
  const lateFailure = (error: unknown, request: FastifyRequest) => shaped(parts, outcomes, error, request).body
  const isTrustedProxy = trustedProxies(settings.trustedProxies ?? [])
  addRoutes(app, routes, { ...parts, running, checks, isTrustedProxy, lateFailure })
  if (settings.inboundBytes !== undefined)
    addInboundRoute(app, { ...parts, running, isTrustedProxy }, settings.inboundBytes)
  addDocsPage(app, described)
  const sendPage = parts.console?.(app)
  await app.ready()

  const unwatch = running.watch(parts.keys)
  return {
    describe,
    listen: async (host, port) => {
      await app.listen({ host, port })
      return urlOf(app.server, parts.certificate)
    },
    listenOn: async path => {
      await app.listen({ path })
    },
    close: async () => {
      unwatch()
      const closed = app.close()
      await inFlight.end(settings.graceMs)
      // Also connections that never sent anything: for Node they are not idle, and it would wait for them.
      app.server.closeAllConnections()
      await closed
    },
  }
}

/** Bodies of lines go to the routes that stream unread; on any other path they are as unknown as before. */
function takeStreams(app: FastifyInstance, routes: readonly Operation[]): void {
  const streaming = new Set(routes.filter(route => route.streams === true).map(({ method, url }) => `${method} ${url}`))
  if (streaming.size === 0) return
  app.addContentTypeParser('application/x-ndjson', (request, payload, done) => {
    if (streaming.has(`${request.method} ${request.routeOptions.url}`)) done(null, payload)
    else done(new Problem('unsupported_media_type', 'The body must be JSON: send Content-Type: application/json'))
  })
}

/** Answers are made anew every time: the quality that pays over a network, not the best there is. */
const BROTLI = { [constants.BROTLI_PARAM_QUALITY]: 4 }

/** Web pages of these origins may read answers. Credentials are tokens they send themselves, never cookies. */
function corsOf({ corsOrigins }: ApiServerSettings) {
  return {
    origin: [...corsOrigins],
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: ['authorization', 'content-type', 'content-encoding', 'if-none-match', 'x-project-id'],
    exposedHeaders: [
      'etag',
      'retry-after',
      'x-request-id',
      TOTAL_HEADER,
      NEXT_HEADER,
      TRUNCATED_HEADER,
      WARNINGS_HEADER,
      'ratelimit-limit',
      'ratelimit-remaining',
      'ratelimit-reset',
      BUDGET_HEADER,
    ],
    maxAge: 600,
    // An OPTIONS request that is no preflight is nothing wrong.
    strictPreflight: false,
  }
}

type Fail = (error: unknown, request: FastifyRequest, reply: FastifyReply) => void

function optionsOf(settings: ApiServerSettings, fail: Fail, certificate: Certificate | undefined) {
  return {
    // Nothing of Fastify's own lines is wanted: they hold whole URLs. What is worth logging is logged here.
    logger: false,
    genReqId: () => randomUUID(),
    bodyLimit: settings.maxBodyBytes,
    routerOptions: { maxParamLength: settings.maxPathParameter },
    serverFactory: (handle: RequestListener) =>
      createHttpServer(
        {
          maxHeaderSize: settings.maxHeaderBytes,
          headersTimeout: settings.headersMs,
          requestTimeout: settings.uploadMs,
          keepAliveTimeout: KEEP_ALIVE_MS,
        },
        handle,
        certificate,
      ),
    forceCloseConnections: 'idle',
    clientErrorHandler: (error: NodeJS.ErrnoException, socket: Socket) =>
      refuseUnreadable(error, socket, settings.maxHeaderBytes),
    frameworkErrors: fail,
  } as const
}

/** The one place where a failed request becomes an answer. */
function failer(parts: ApiServerParts, outcomes: Outcomes): Fail {
  return (error, request, reply) => {
    const { status, body, retryAfter } = shaped(parts, outcomes, error, request)
    reply.headers({ 'x-request-id': request.id, 'cache-control': 'no-store' })
    if (status === 401) reply.header('www-authenticate', 'Bearer')
    if (retryAfter !== undefined) reply.header('retry-after', retryAfter)
    void reply.status(status).send(body)
  }
}

function shaped({ log, settings }: ApiServerParts, outcomes: Outcomes, error: unknown, request: FastifyRequest) {
  const bodyBytes = request.routeOptions.bodyLimit ?? settings.maxBodyBytes
  const shape = shapeError(problemOf(error, { ...settings, bodyBytes }), (reference, cause) => {
    log.error({ err: cause, reference, request_id: request.id }, 'Internal error')
  })
  outcomes.failed(request, shape.status, shape.body.code)
  return shape
}

/** The path of the route, its parameters by name: what stands in their place may be the id of a call that is erased later. */
function pathOf({ routeOptions }: FastifyRequest): string {
  return routeOptions.url ?? NO_ROUTE
}
