import { pino } from 'pino'
import { AdminTokens } from '../../src/access/admin-tokens.js'
import { FAILURES, Gate } from '../../src/access/gate.js'
import { Keys } from '../../src/access/keys.js'
import { Projects } from '../../src/access/projects.js'
import { Teams } from '../../src/access/teams.js'
import { SecretBox } from '../../src/base/secret-box.js'
import { ClientIds } from '../../src/oauth/client-ids.js'
import { Connections } from '../../src/oauth/connections.js'
import { RateLimit } from '../../src/admission/rate-limit.js'
import { RequestRate } from '../../src/admission/request-rate.js'
import { MemoryStore } from './memory-store.js'

export const SECRET = 'a secret that is long enough for HS256'

/** What the ids of clients are sealed with in the tests. */
export const clientIds = new ClientIds(new SecretBox(Buffer.alloc(32, 'clients').toString('base64url')))

export const silent = pino({ level: 'silent' })

/** The parts of access/ over a store in memory, with two projects, `p1` and `p2`. */
export async function makeAccess(
  options: {
    clock?: () => number
    requestsPerMinute?: number
    requestsPerMinutePerProject?: number
    failuresPerMinute?: number
    metricsToken?: string
    maxKeysPerProject?: number
    maxLifetimeMs?: number
  } = {},
) {
  const store = new MemoryStore()
  const { maxKeysPerProject, maxLifetimeMs } = options
  const maxKeys = maxKeysPerProject === undefined ? {} : { maxKeysPerProject }
  const clock = options.clock ?? Date.now
  const projects = await Projects.load(store.projects, clock)
  for (const id of ['p1', 'p2']) await projects.create({ project_id: id, timezone: 'UTC', verticals: [] })
  const teams = await Teams.load({ store: store.teams, clock })
  const keys = await Keys.load({ store: store.keys, projects, teams, log: silent, clock, maxLifetimeMs, ...maxKeys })
  const adminTokens = AdminTokens.withSecret(SECRET, { log: silent, clock })
  const nothingKept = { put: async () => undefined, remove: async () => undefined, all: async () => [] }
  const connections = await Connections.load({ store: nothingKept, clientIds, keys, log: silent, clock })
  const gate = new Gate({
    keys,
    connections,
    adminTokens,
    projects,
    metricsToken: options.metricsToken,
    rate: new RequestRate({ requestsPerMinute: 600, ...options }),
    ...(options.failuresPerMinute !== undefined && { failures: new RateLimit(options.failuresPerMinute, FAILURES) }),
  })
  return { store, projects, teams, connections, keys, adminTokens, gate }
}

/** What a rejected promise or a throwing function says, as `code: message`. */
export async function refusal(work: () => unknown): Promise<string> {
  try {
    await work()
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    return `${code ?? 'Error'}: ${message}`
  }
  throw new Error('was not refused')
}
