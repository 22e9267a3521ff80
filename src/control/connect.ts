import { existsSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { Problem } from '../base/problem.js'
import { StoreHeld } from '../store/store-held.js'
import { answers, controlSocketPath, pathFault } from './control-socket.js'
import type { Client } from './client.js'
import { SocketClient } from './socket-client.js'

/** A server that holds the store and has no socket yet is starting; so long its socket is waited for. */
const SOCKET_WAIT_MS = 5_000
const SOCKET_RETRY_MS = 100

interface ConnectOptions {
  readonly dataDir: string
  readonly version: string
  /** Opens the store itself. Rejects with a Problem `conflict` while another process holds it. */
  readonly openLocal: () => Promise<Client>
}

/** The way to what is kept: the running server when there is one, else the store itself. */
export async function connect({ dataDir, version, openLocal }: ConnectOptions): Promise<Client> {
  const waitUntil = performance.now() + SOCKET_WAIT_MS
  for (;;) {
    const socket = await socketOf(dataDir)
    if (socket !== undefined) return await SocketClient.open(socket, version)
    try {
      return await openLocal()
    } catch (error) {
      if (!(error instanceof StoreHeld)) throw error
      const fault = pathFault(controlSocketPath(dataDir))
      if (fault !== undefined) throw new Problem('conflict', `${error.message} ${fault}.`)
      if (performance.now() > waitUntil) throw error
    }
    await setTimeout(SOCKET_RETRY_MS)
  }
}

async function socketOf(dataDir: string): Promise<string | undefined> {
  if (!existsSync(dataDir)) return undefined
  const path = controlSocketPath(dataDir)
  if (pathFault(path) !== undefined) return undefined
  return (await answers(path)) ? path : undefined
}
