import type { Config } from '../../config.js'
import { z } from 'zod'
import { answerOf, portState } from '../../rest/port-state.js'
import { type Finding, findingsOf } from './finding.js'

/** Milliseconds for a listener to say how it is. */
const HEALTH_PROBE_TIMEOUT_MS = 2_000

const health = z.object({ status: z.string(), server: z.string() })

/** Both listeners' ports: free before a start, answering while the server runs. */
export async function checkPorts(config: Config, running: boolean): Promise<readonly Finding[]> {
  const isTls = config.tlsCert !== undefined
  const { host, port } = config
  const api = await checkPort({ check: 'API port', host, port, variable: 'PORT' }, running, isTls)
  if (!config.mcpEnabled) {
    const { ok } = findingsOf('Tool server')
    return [api, ok('off (MCP_SERVER_ENABLED is not 1)')]
  }
  const tools = { check: 'Tool server port', host: config.mcpHost, port: config.mcpPort, variable: 'MCP_PORT' }
  return [api, await checkPort(tools, running, isTls)]
}

interface PortChecked {
  readonly check: string
  readonly host: string
  readonly port: number
  readonly variable: string
}

async function checkPort(
  { check, host, port, variable }: PortChecked,
  running: boolean,
  isTls: boolean,
): Promise<Finding> {
  const { ok, warn, fail } = findingsOf(check)
  if (port === 0) return ok('a free one at each start')
  const place = `${host}:${port}`
  const state = await portState(host, port)
  if (state === 'free') {
    if (!running) return ok(`${place} is free`)
    return warn(`nobody listens on ${place}`, `The running server was started with another ${variable}, or without it`)
  }
  if (state === 'EADDRINUSE') {
    const theirs = await isEarshot(host, port, isTls)
    if (theirs && running) return ok(`${place} answers`)
    const who = theirs ? 'an Earshot of another data directory' : 'another program'
    return fail(`${place} is in use by ${who}`, `Stop it, or set ${variable}`)
  }
  if (state === 'EACCES') return fail(`${place} needs rights this user has not`, `Set ${variable} to 1024 or more`)
  return fail(
    `${place} can't be listened on (${state})`,
    `Set ${variable.replace('PORT', 'HOST')} to an address it has`,
  )
}

async function isEarshot(host: string, port: number, isTls: boolean): Promise<boolean> {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host
  const url = `${isTls ? 'https' : 'http'}://${name.includes(':') ? `[${name}]` : name}:${port}/health`
  try {
    return health.safeParse(await answerOf(url, HEALTH_PROBE_TIMEOUT_MS)).success
  } catch {
    return false
  }
}
