import type { Connection } from '../../src/oauth/connection.js'
import { send } from './ask.js'

/** An AI client that somebody let in. */
export type Client = Readonly<Connection>

const CONNECTIONS = '/api/v1/connections'

/** Those of the key that is signed in; to an administrator those of the project. @throws Refusal, Unreachable */
export async function clients(signal?: AbortSignal): Promise<readonly Client[]> {
  const response = await send(CONNECTIONS, { signal })
  return ((await response.json()) as { readonly connections: readonly Client[] }).connections
}

/** Ends one at once. @throws Refusal, Unreachable */
export async function endClient(id: string): Promise<void> {
  await send(`${CONNECTIONS}/${encodeURIComponent(id)}`, { method: 'DELETE' })
}
