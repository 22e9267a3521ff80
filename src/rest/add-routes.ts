import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Requester } from '../admission/requester.js'
import type { Share } from '../admission/shares.js'
import { strangerAt } from '../admission/loop-turns.js'
import { takeBody } from '../admission/take-body.js'
import { clientAddress, type IsTrusted } from '../access/client-address.js'
import { RefusedEntry } from '../access/refused-entry.js'
import { refuseChanged } from '../access/refuse-changed.js'
import { refuseOnRecord } from '../access/refuse-on-record.js'
import { operator } from '../access/operator.js'
import { requesterOf, requesterOfAdmin, requesterRefused } from '../access/requester-of.js'
import { audited } from '../activity/audited.js'
import { otherWork } from '../base/other-work.js'
import { PIECE_BYTES, textPieces } from '../base/pieces-of.js'
import { Problem } from '../base/problem.js'
import { streamThrough } from '../base/stream-through.js'
import { type Admission, admit } from './admit.js'
import { answerType, CSV_TYPE, NDJSON_TYPE } from './answer-type.js'
import type { ApiServerParts } from './api-server-parts.js'
import { auditedRequest } from './audited-request.js'
import { countedBody } from './counted-body.js'
import { LineStream } from './line-stream.js'
import type { LeavingChecks } from './look-as-it-leaves.js'
import { received } from './received.js'
import {
  FileAnswer,
  isReading,
  isTagged,
  type Operation,
  type Received,
  runOperation,
  StreamAnswer,
  TextAnswer,
  TOTAL_HEADER,
} from '../operations/operation.js'
import { csvOf, tableOf } from '../operations/table.js'
import type { RunningRequests } from './running-requests.js'
import { BUDGET_HEADER, sendAnswer } from './send-answer.js'
import { sendFile } from './send-file.js'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

/** Where probes ask whether the service is well, which they hear whoever else waits. */
export const PROBES: ReadonlySet<string> = new Set(['/health', '/ready'])

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The body is a stream that may take long to arrive. */
    upload?: boolean
    /** The answer goes on for as long as somebody wants it: how long that was is no measure of anything. */
    endless?: boolean
  }
}

/** What routes are served with. */
export interface RouteParts extends Pick<
  ApiServerParts,
  'gate' | 'services' | 'admission' | 'trail' | 'transport' | 'log' | 'settings'
> {
  readonly running: RunningRequests
  readonly checks: LeavingChecks
  readonly isTrustedProxy: IsTrusted
  /** Shapes a failure that comes after the status is out. */
  readonly lateFailure: (error: unknown, request: FastifyRequest) => object
}

/**
 * Registers a list of routes, each behind the admission it declares and with its line in the audit trail. Methods that a
 * path does not have are answered 405 with those it has (OPTIONS: 204).
 * @throws Error for a route without a known `access`, or a project_admin route without a project in its path
 */
export function addRoutes(app: FastifyInstance, routes: readonly Operation[], parts: RouteParts): void {
  for (const route of routes) {
    if (route.uploads === undefined) addRoute(app, route, parts)
    else addUpload(app, route, route.uploads, parts)
  }
  for (const url of new Set(routes.map(route => route.url))) addOtherMethods(app, url, routes)
}

/** An upload's body is left unread, so it needs a context of its own, with other parsers. */
function addUpload(app: FastifyInstance, route: Operation, types: readonly string[], parts: RouteParts): void {
  void app.register(async context => {
    context.removeAllContentTypeParsers()
    context.addContentTypeParser([...types], (_request, _body, done) => done(null))
    context.addContentTypeParser('*', (_request, _body, done) => {
      done(new Problem('unsupported_media_type', `Send the body as one of these Content-Types: ${types.join(', ')}`))
    })
    addRoute(context, route, parts)
  })
}

function addRoute(app: FastifyInstance, route: Operation, parts: RouteParts): void {
  const { method, url, access } = route
  if (!Object.hasOwn(admit, access)) throw new Error(`Operation ${method} ${url} does not say who may come in`)
  if (access === 'project_admin' && !url.includes('/:project_id')) throw new Error(`Operation ${url} names no project`)
  const admissions = new WeakMap<FastifyRequest, Admission>()
  const bodies = new WeakMap<FastifyRequest, Share>()
  // What flows on to its handler is not held in memory.
  const isHeld = route.uploads === undefined && route.streams !== true
  app.route({
    method,
    url,
    config: { upload: route.uploads !== undefined },
    // Ranges are of the bytes as they are.
    ...(route.file === undefined ? {} : { compress: false }),
    ...(route.bodyBytes === undefined ? {} : { bodyLimit: route.bodyBytes }),
    // Before the body is read: whoever may not come in does not get to send one.
    onRequest: async (request, reply) => {
      const address = clientAddress(request.raw, parts.isTrustedProxy)
      const admission = await admit[access](parts.gate, request, address).catch((error: unknown) => {
        return refuseEntry(route, parts, error, { request, reply, address })
      })
      admissions.set(request, admission)
      sayRate(reply, admission)
      if (admission.refused !== undefined) await refuse(route, parts, admission.refused, admission.who, request)
      const requester = requesterFor(admission)
      if (!isHeld || requester === undefined) return
      const maxBytes = route.bodyBytes ?? parts.settings.maxBodyBytes
      bodies.set(
        request,
        takeBody(parts.admission.bodies, requester, { request: request.raw, response: reply.raw }, maxBytes),
      )
    },
    preParsing: (request, _reply, payload, done) => {
      done(null, countedBody(request, payload, bodies.get(request)))
    },
    handler: async (request, reply) => {
      const admitted = admissions.get(request)
      if (admitted === undefined) throw new Error('A request came past its admission')
      const signal = parts.running.begin(reply.raw, admitted.credential ?? '')
      const requester = requesterFor(admitted) ?? strangerAt(clientAddress(request.raw, parts.isTrustedProxy))
      if (!PROBES.has(url)) await parts.admission.turns.next(requester, signal)
      signal.throwIfAborted()
      const admission = asOfNow(admitted)
      if (admission.refused !== undefined) await refuse(route, parts, admission.refused, admission.who, request)
      return await serve(route, parts, { admission, signal }, request, reply)
    },
  })
}

/** @throws Problem when the key is no longer accepted */
const asOfNow = (admission: Admission): Admission => admission.current?.() ?? admission

/** The one way of every admitted request: its answer leaves when the line about it is durable. */
async function serve(
  route: Operation,
  { services, trail, transport, log, checks, lateFailure }: RouteParts,
  { admission, signal }: { readonly admission: Admission; readonly signal: AbortSignal },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { who } = admission
  // What was changed stays so, whoever may hear of it; what was read may be asked for again.
  const check = (): void => {
    if (!isReading(route)) return
    signal.throwIfAborted()
    const now = asOfNow(admission).who
    if (who !== undefined && 'access_scope' in who && now !== undefined && 'access_scope' in now)
      refuseChanged(who, now)
  }
  checks.set(request, check)
  const lines = new LineStream(reply, signal)
  let made: object | undefined
  let csv: string | undefined
  const run = async (): Promise<object> => {
    const asked = received(route, request, { signal, lines, log: log.child({ request_id: request.id }) })
    const type = answerType(route, request.raw)
    // What changes something is not half done; what reads a body looks at them then.
    if (route.body === undefined && route.method !== 'GET') refuseParameters(route, asked)
    made = await runOperation(route, services, asked, who)
    // After it, where it only reads: what is not there comes before what is written wrong.
    refuseParameters(route, asked)
    if (type === CSV_TYPE) csv = await csvOf(tableOf(route, made))
    signal.throwIfAborted()
    return made
  }
  const line = lineOf(route, who, request, transport)
  const status = route.status ?? 200
  const measure = (answer: object) => ({ status, ...rowsOf(route, answer) })
  let answer: object
  try {
    answer = await (line === undefined ? run() : audited(trail, line, run, { measure, check }))
    check()
  } catch (error) {
    if (made instanceof StreamAnswer) made.lines.destroy()
    if (made instanceof FileAnswer) await made.file.close()
    if (!lines.begun) throw error
    lines.end(lateFailure(error, request))
    return await reply
  }
  if (lines.begun || route.streams === true) {
    lines.end(answer)
    return await reply
  }
  sayBudget(reply, services, who)
  if (answer instanceof StreamAnswer) return await sendLines(request, reply, answer)
  if (answer instanceof FileAnswer) return await sendFile(request, reply, answer, signal)
  if (answer instanceof TextAnswer) return await reply.type(answer.type).send(answer.text)
  return await sendAnswer(request, reply, { answer, csv, status, tagged: isTagged(route), check })
}

/** A route that takes no parameters refuses those it is sent, but for probes: theirs may carry whatever they like. */
function refuseParameters({ query, access }: Operation, asked: Received): void {
  if (query === undefined && access !== 'open' && access !== 'metrics') asked.query()
}

async function sendLines(
  request: FastifyRequest,
  reply: FastifyReply,
  { total, lines }: StreamAnswer,
): Promise<FastifyReply> {
  reply.type(NDJSON_TYPE).header(TOTAL_HEADER, total)
  if (request.method !== 'HEAD') return await reply.send(streamThrough(lines, bytesInTurns))
  lines.destroy()
  return await reply.send()
}

/** Lines as bytes; a line of many megabytes becomes them in turns with other work. */
async function* bytesInTurns(lines: AsyncIterable<string>): AsyncGenerator<Buffer> {
  for await (const piece of lines) {
    for (const part of textPieces(piece, PIECE_BYTES)) {
      yield Buffer.from(part)
      if (part.length < piece.length) await otherWork()
    }
  }
}

/** Whom the gate knows and refuses is on record too. Refusing is work, and waits for its turn. */
async function refuseEntry(
  { method, url }: Operation,
  { trail, transport, running, admission: { turns } }: RouteParts,
  error: unknown,
  {
    request,
    reply,
    address,
  }: { readonly request: FastifyRequest; readonly reply: FastifyReply; readonly address: string },
): Promise<never> {
  const signal = running.begin(reply.raw, '')
  await turns.next(error instanceof RefusedEntry ? requesterRefused(error.who) : strangerAt(address), signal)
  if (!(error instanceof RefusedEntry)) throw error
  const asked = { page: `${method} ${url}`, requestId: request.id, transport }
  return await refuseOnRecord(trail, error, error.who, asked)
}

/** Who was let in, but may not do this, is on record like everyone else. */
async function refuse(
  route: Operation,
  { trail, transport }: RouteParts,
  refused: Problem,
  who: Admission['who'],
  request: FastifyRequest,
): Promise<never> {
  const line = lineOf(route, who, request, transport)
  if (line !== undefined) await audited(trail, line, () => Promise.reject(refused))
  throw refused
}

function lineOf(route: Operation, who: Admission['who'], request: FastifyRequest, transport: RouteParts['transport']) {
  return auditedRequest(route.access, who, {
    page: `${route.method} ${route.url}`,
    params: request.params as Readonly<Record<string, string>>,
    query: request.query,
    requestId: request.id,
    transport,
  })
}

function rowsOf(route: Operation, answer: object): { readonly rows?: number } {
  if (route.rows !== undefined) return { rows: route.rows(answer) }
  const count: unknown = 'count' in answer ? answer.count : undefined
  return typeof count === 'number' ? { rows: count } : {}
}

/** Who takes what the request takes; the open routes' callers are nobody. */
function requesterFor({ who }: Admission): Requester | undefined {
  if (who === undefined) return undefined
  if (!('credential_id' in who)) return requesterOfAdmin(who)
  return who.source === 'operator' ? requesterOfAdmin(operator) : requesterOf(who)
}

function sayRate(reply: FastifyReply, { rate }: Admission): void {
  if (rate === undefined) return
  reply.header('ratelimit-limit', rate.limit)
  reply.header('ratelimit-remaining', rate.remaining)
  reply.header('ratelimit-reset', rate.resetSeconds)
}

/** What is left of a key's own budget. */
function sayBudget(reply: FastifyReply, services: RouteParts['services'], who: Admission['who']): void {
  if (who === undefined || !('access_scope' in who) || who.terms?.budget === undefined) return
  const left = services.admission.budgets.left(who.credential_id, who.terms.budget)
  const said = Object.entries(left).map(([what, count]) => `${what}=${count}`)
  reply.header(BUDGET_HEADER, said.join(', '))
}

function addOtherMethods(app: FastifyInstance, url: string, routes: readonly Operation[]): void {
  const own = new Set<string>(routes.filter(route => route.url === url).map(({ method }) => method))
  const known = METHODS.filter(method => own.has(method) || (method === 'HEAD' && own.has('GET')))
  const allow = [...known, 'OPTIONS'].join(', ')
  app.route({
    method: METHODS.filter(method => !known.includes(method)),
    url,
    onRequest: async (request, reply) => {
      reply.header('allow', allow)
      if (request.method === 'OPTIONS') return await reply.status(204).send()
      throw new Problem('method_not_allowed', `${request.method} is not possible here, only ${allow}`)
    },
    handler: () => undefined,
  })
}
