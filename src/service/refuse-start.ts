import { existsSync } from 'node:fs'
import { Certificate } from '../base/certificate.js'
import type { Config } from '../config.js'
import { loadSsoMapping } from '../oauth/sso-mapping.js'
import { portState } from '../rest/port-state.js'
import { inspectStore } from '../store/duckdb/files/inspect-store.js'
import { StoreHeld } from '../store/store-held.js'
import { isEmbedded } from './elsewhere.js'
import { listenProblem } from './listen-problem.js'

type StartConfig = Pick<
  Config,
  'dataDir' | 'storeUrl' | 'tlsCert' | 'tlsKey' | 'ssoMapping' | 'mcpEnabled' | 'host' | 'port' | 'mcpHost' | 'mcpPort'
>

/**
 * What a start would be refused for behind the opening of the store, before it: opening brings a store to the version of this program,
 * and no older one reads it then. Nothing listens meanwhile.
 * @throws Problem for the operator: a certificate or a mapping that can't be used, an address or a port that can't be had
 */
export async function refuseStart(config: StartConfig): Promise<void> {
  const { tlsCert: certFile, tlsKey: keyFile, ssoMapping } = config
  if (certFile !== undefined && keyFile !== undefined) new Certificate({ certFile, keyFile }).close()
  if (ssoMapping !== undefined) loadSsoMapping(ssoMapping)
  const taken = await takenListener(config)
  if (taken === undefined) return
  // Of a second start the store knows better who it is.
  if (isEmbedded(config) && existsSync(config.dataDir)) await refuseHeld(config.dataDir)
  throw taken
}

/** Why the first of both listeners that can't be started can't; undefined when both can. */
async function takenListener({ host, port, mcpEnabled, mcpHost, mcpPort }: StartConfig): Promise<Error | undefined> {
  const api = [host, port, 'PORT'] as const
  const listeners = mcpEnabled ? [api, [mcpHost, mcpPort, 'MCP_PORT'] as const] : [api]
  for (const [address, number, variable] of listeners) {
    const code = await portState(address, number)
    if (code !== 'free') return listenProblem(Object.assign(new Error(code), { code }), address, number, variable)
  }
  return undefined
}

async function refuseHeld(dataDir: string): Promise<void> {
  await inspectStore(dataDir).catch((error: unknown) => {
    if (error instanceof StoreHeld) throw error
  })
}
