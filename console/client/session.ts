import { send } from './ask.js'

/** Who is signed in, as POST and GET /console/session say. */
export interface Session {
  readonly name: string
  readonly project_id: string
}

const SESSION = '/console/session'

/** @returns null for nobody */
export async function currentSession(signal?: AbortSignal): Promise<Session | null> {
  const response = await send(SESSION, { signal })
  return response.status === 204 ? null : ((await response.json()) as Session)
}

/** Signs in with an application key, or with the code of a link. The key is sent and forgotten: a cookie comes back. */
export async function signIn(given: { readonly key: string } | { readonly code: string }): Promise<Session> {
  return (await (await send(SESSION, { method: 'POST', body: given })).json()) as Session
}

export async function signOut(): Promise<void> {
  await send(SESSION, { method: 'DELETE' })
}
