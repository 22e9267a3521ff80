import type { IncomingMessage } from 'node:http'
import ipaddr from 'ipaddr.js'
import type { FastifyRequest } from 'fastify'
import { authorizationOf } from '../access/authorization-of.js'
import type { Admin } from '../access/admin.js'
import type { Caller } from '../access/caller.js'
import { consoleSessionOf } from '../access/console-cookie.js'
import { overseesProject } from '../access/scope-of.js'
import type { Rate } from '../admission/rate-limit.js'
import { Problem } from '../base/problem.js'
import type { Access, Who } from '../operations/operation.js'
import type { AdminAdmission, ApiServerParts } from './api-server-parts.js'

/** What a proxy adds: the request behind it comes from elsewhere, though its connection is of this machine. */
const FORWARDED = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip']

/** Whether a request was sent on this machine and reached us by no proxy that says so. */
export function isLocal(request: Pick<IncomingMessage, 'socket' | 'headers'>): boolean {
  const address = request.socket.remoteAddress ?? ''
  if (!ipaddr.isValid(address) || ipaddr.process(address).range() !== 'loopback') return false
  return FORWARDED.every(name => request.headers[name] === undefined)
}

/** Who came in; absent parts are those of an open route. */
export interface Admission {
  readonly who: Who[Access]
  readonly credential?: string
  readonly rate?: Rate
  /** Known, but not allowed to do this: answered, and put on record, before a body is read. */
  readonly refused?: Problem
  /** The same as of now, for a body that took its time. Throws a Problem when the key is no longer accepted. */
  current?(): Admission
}

/** @param address where the request came from, as failures are counted */
type Admit = (gate: ApiServerParts['gate'], request: FastifyRequest, address: string) => Promise<Admission>

/** How each kind of route lets requests in: a kind without its entry does not compile. */
export const admit: Readonly<Record<Access, Admit>> = {
  open: async () => ({ who: undefined }),
  metrics: async (gate, request, address) => {
    await gate.enterMetrics(authorizationOf(request.raw), address, isLocal(request.raw))
    return { who: undefined }
  },
  project_admin: async (gate, request, address) => {
    const projectId = (request.params as Readonly<Record<string, string>>)['project_id'] ?? ''
    return ofAdmin(
      await gate.enterAdmin(authorizationOf(request.raw), address, projectId, consoleSessionOf(request.raw)),
    )
  },
  super_admin: async (gate, request, address) =>
    ofAdmin(await gate.enterSuperAdmin(authorizationOf(request.raw), address)),
  caller: asCaller(() => undefined),
  overseer: asCaller(who => (overseesProject(who) ? undefined : 'Role Admin and the full project required')),
  administrator: asCaller(({ source }) =>
    source === 'application_key' ? 'An admin token is required, not an application key' : undefined,
  ),
}

function ofAdmin({ admin, rate, current }: AdminAdmission): Admission {
  const admissionOf = (who: Admin): Admission => {
    return { who, credential: who.subject, ...rateOf(rate), current: () => admissionOf(current()) }
  }
  return admissionOf(admin)
}

/** @param reason why a caller may not do this, if so */
function asCaller(reason: (who: Caller) => string | undefined): Admit {
  return async (gate, request, address) => {
    const { caller, keyId, rate, current } = await enterAsCaller(gate, request, address)
    const admissionOf = (who: Caller): Admission => {
      const refusal = reason(who)
      const refused = refusal === undefined ? {} : { refused: new Problem('forbidden', refusal) }
      return { who, credential: keyId, ...rateOf(rate), ...refused, current: () => admissionOf(current()) }
    }
    return admissionOf(caller)
  }
}

async function enterAsCaller(gate: ApiServerParts['gate'], request: FastifyRequest, address: string) {
  const projects = request.raw.headersDistinct['x-project-id']
  // Several are no project anyone acts on.
  const project = projects !== undefined && projects.length > 1 ? '' : projects?.[0]
  return await gate.enterApi(authorizationOf(request.raw), address, project, consoleSessionOf(request.raw))
}

/** The operator's gate counts none. */
function rateOf(rate: Rate | undefined): Pick<Admission, 'rate'> {
  return rate === undefined ? {} : { rate }
}
