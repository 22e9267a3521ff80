import { connect } from 'node:net'
import type { Trail } from '../../src/activity/audited.js'
import { pino } from 'pino'
import { sharedLook } from '../../src/base/shared-look.js'
import { mintAdminToken } from '../../src/access/mint-admin-token.js'
import { type ApiServerParts, type ApiServerSettings, apiServerDefaults } from '../../src/rest/api-server-parts.js'
import { createApiServer } from '../../src/rest/create-api-server.js'
import { approvalOperations } from '../../src/operations/approvals.js'
import { healthOperations } from '../../src/operations/health.js'
import { keyOperations } from '../../src/operations/keys.js'
import type { Operation } from '../../src/operations/operation.js'
import { teamOperations } from '../../src/operations/teams.js'
import { projectOperations } from '../../src/operations/projects.js'
import type { Services } from '../../src/operations/services.js'
import { type Description, Documented } from './documented.js'
import { KeptMeter } from './kept-meter.js'
import { KeptTrail } from './kept-trail.js'
import { anAdmission } from './an-admission.js'
import { makeAccess, SECRET } from './access.js'

export interface ApiOptions {
  readonly settings?: Partial<ApiServerSettings>
  /** Beside those of keys, projects and health. */
  readonly operations?: readonly Operation[]
  /** What these work with beside keys and projects. */
  readonly services?: (access: Pick<Services, 'keys' | 'projects'>) => Partial<Services>
  readonly ready?: Services['ready']
  readonly health?: Services['health']
  readonly trail?: Trail
  readonly admission?: ApiServerParts['admission']
  readonly maxKeysPerProject?: number
  readonly requestsPerMinute?: number
  readonly failuresPerMinute?: number
  readonly metricsToken?: string
  readonly port?: number
}

/** The API listener on a free port of loopback, over a store in memory with the projects `p1` and `p2`. */
export async function startApi(options: ApiOptions = {}) {
  const access = await makeAccess({
    requestsPerMinute: options.requestsPerMinute ?? 10_000,
    ...(options.failuresPerMinute === undefined ? {} : { failuresPerMinute: options.failuresPerMinute }),
    ...(options.maxKeysPerProject === undefined ? {} : { maxKeysPerProject: options.maxKeysPerProject }),
    ...(options.metricsToken === undefined ? {} : { metricsToken: options.metricsToken }),
  })
  const lines: string[] = []
  const meter = new KeptMeter()
  const trail = new KeptTrail()
  const server = await createApiServer(
    {
      ...access,
      services: servicesOf({
        keys: access.keys,
        teams: access.teams,
        signInAddress: () => undefined,
        connections: access.connections,
        projects: access.projects,
        health:
          options.health ?? (() => ({ status: 'ok', server: 'earshot', tools: 12, auth_cache_size: access.keys.size })),
        ready: sharedLook(options.ready ?? (() => Promise.resolve(undefined)), 2_000),
        ...options.services?.(access),
      }),
      admission: options.admission ?? anAdmission(),
      trail: options.trail ?? trail,
      meter,
      metrics: { contentType: 'text/plain; version=0.0.4; charset=utf-8', text: async () => 'earshot_keys 1\n' },
      transport: 'rest',
      log: pino({ level: 'info' }, { write: line => void lines.push(line) }),
      settings: {
        ...apiServerDefaults,
        allowedHosts: ['localhost', '127.0.0.1'],
        allowedOrigins: ['https://calls.example.com'],
        corsOrigins: [],
        ...options.settings,
      },
      version: '1.2.3',
    },
    [
      ...(options.operations ?? []),
      ...keyOperations,
      ...approvalOperations,
      ...teamOperations,
      ...projectOperations,
      ...healthOperations,
    ],
  )
  const documented = new Documented(JSON.parse(JSON.stringify(server.describe())) as Description)
  const { url, port } = await server.listen('127.0.0.1', options.port ?? 0)
  return { ...access, server, lines, meter, trail, record: trail.events, url, port, ...clients(url, port, documented) }
}

/** Services of which a test needs some: asking for any other fails. */
export function servicesOf(given: Partial<Services>): Services {
  return new Proxy({ approvals: undefined, retentionDays: undefined, ...given } as Services, {
    get: (target, name) => {
      if (!(name in target)) throw new Error(`This test gives no ${String(name)}`)
      return target[name as keyof Services]
    },
  })
}

interface Call {
  readonly as?: string
  readonly body?: unknown
  readonly headers?: Record<string, string>
}

function clients(url: string, port: number, documented: Documented) {
  return {
    /** A request with JSON in and out, as a program sends it. Every answer must be one that the API documents. */
    call: async (method: string, path: string, { as, body, headers = {} }: Call = {}) => {
      const response = await fetch(`${url}${path}`, {
        method,
        headers: {
          ...(as === undefined ? {} : { authorization: `Bearer ${as}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      const text = await response.text()
      // Routes that tests bring along are no part of the API.
      const isOurs = !path.startsWith('/test/')
      const [type = ''] = (response.headers.get('content-type') ?? '').split(';', 1)
      const fault = isOurs ? documented.faultOf(method, path, { status: response.status, type, text }) : undefined
      if (fault !== undefined) throw new Error(`The answer is not as documented: ${fault}`)
      return {
        status: response.status,
        headers: response.headers,
        text,
        json: text !== '' && type === 'application/json' ? JSON.parse(text) : undefined,
      }
    },
    /** Bytes as they are, and everything that comes back until the server closes. */
    raw: (bytes: string) =>
      new Promise<string>((resolve, reject) => {
        const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
        let answer = ''
        socket.on('data', data => (answer += data.toString('latin1')))
        socket.on('close', () => resolve(answer))
        socket.on('error', error => (answer === '' ? reject(error) : resolve(answer)))
      }),
  }
}

/** Fields of a key with role Admin that hears its whole project. */
export const overseeing = {
  name: 'k',
  is_supervisor: true,
  roles: ['Admin' as const],
  allowed_agents: [],
  require_mapping: false,
}

export const adminToken = (projectId = 'p1') =>
  mintAdminToken(SECRET, { subject: 'ada', email: 'ada@example.com', role: 'Admin', projectId })

export const superToken = () => mintAdminToken(SECRET, { subject: 'root', role: 'SuperAdmin' })
