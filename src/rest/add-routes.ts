import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { type Trail, audited } from '../activity/audited.js'
import { parseInput } from '../base/parse-input.js'
import { Problem } from '../base/problem.js'
import { type Admission, admit } from './admit.js'
import type { ApiServerParts } from './api-server-parts.js'
import { readJson } from './read-json.js'
import type { Received, Route } from './route.js'
import type { RunningRequests } from './running-requests.js'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

const noQuery = z.strictObject({})

/** What every route stands behind. */
export interface RouteParts {
  readonly gate: ApiServerParts['gate']
  readonly trail: Trail
  readonly running: RunningRequests
}

/**
 * Registers a list of routes, each behind the admission it declares and, but for open ones, with its outcome on record
 * before the answer leaves. Methods that a path does not have are answered 405
 * with those it has (OPTIONS: 204).
 * @throws Error for a route without a known `access`, or a project_admin route without a project in its path
 */
export function addRoutes(app: FastifyInstance, routes: readonly Route[], parts: RouteParts): void {
  for (const route of routes) addRoute(app, route, parts)
  for (const url of new Set(routes.map(route => route.url))) addOtherMethods(app, url, routes)
}

function addRoute(app: FastifyInstance, route: Route, { gate, trail, running }: RouteParts): void {
  const { method, url, access } = route
  if (!Object.hasOwn(admit, access)) throw new Error(`Route ${method} ${url} does not say who may come in`)
  if (access === 'project_admin' && !url.includes('/:project_id')) throw new Error(`Route ${url} names no project`)
  const admissions = new WeakMap<FastifyRequest, Admission>()
  app.route({
    method,
    url,
    // Before the body is read: whoever may not come in does not get to send one.
    onRequest: async (request, reply) => {
      const admission = await admit[access](gate, request)
      admissions.set(request, admission)
      sayRate(reply, admission)
    },
    handler: async (request, reply) => {
      const admission = admissions.get(request)
      if (admission === undefined) throw new Error('A request came past its admission')
      const signal = running.begin(reply.raw, admission.credential ?? '')
      const status = route.status ?? 200
      const handle = async () => await route.handle(received(route, request, signal), admission.who)
      const answer = await onRecord(trail, request, route, admission, handle, status)
      signal.throwIfAborted()
      return await reply.status(status).send(status === 204 ? undefined : answer)
    },
  })
}

async function onRecord(
  trail: Trail,
  request: FastifyRequest,
  { method, url }: Route,
  admission: Admission,
  handle: () => Promise<object>,
  status: number,
): Promise<object> {
  if (admission.onRecord === undefined) return await handle()
  const line = { ...admission.onRecord, request_id: request.id, transport: 'rest', page: `${method} ${url}` } as const
  return await audited(trail, line, handle, () => ({ status }))
}

function received(route: Route, request: FastifyRequest, signal: AbortSignal): Received<unknown, unknown> {
  return {
    param: name => {
      const value = (request.params as Readonly<Record<string, string>>)[name]
      if (value === undefined) throw new Error(`Route ${route.url} has no parameter ${name}`)
      return value
    },
    body: () => (route.body === undefined ? undefined : parseInput(route.body, readJson(request.body), 'field')),
    query: () => parseInput(route.query ?? noQuery, { ...(request.query as object) }, 'parameter'),
    signal,
    requestId: request.id,
  }
}

function sayRate(reply: FastifyReply, { rate }: Admission): void {
  if (rate === undefined) return
  reply.header('ratelimit-limit', rate.limit)
  reply.header('ratelimit-remaining', rate.remaining)
  reply.header('ratelimit-reset', rate.resetSeconds)
}

function addOtherMethods(app: FastifyInstance, url: string, routes: readonly Route[]): void {
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
