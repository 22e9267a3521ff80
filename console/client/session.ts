import { send } from './ask.js'

/** Who is signed in, as POST and GET /console/session say. */
export interface Session {
  readonly name: string
  readonly project_id: string
  /** Only of an administrator. */
  readonly administrator?: true
}

const SESSION = '/console/session'

/** @returns null for nobody */
export async function currentSession(signal?: AbortSignal): Promise<Session | null> {
  const response = await send(SESSION, { signal })
  return response.status === 204 ? null : ((await response.json()) as Session)
}

/** What opens a session; the project is for an admin token that names none. */
export type Shown = { readonly key: string; readonly project_id?: string } | { readonly code: string }

/** Signs in with an application key, an admin token, or the code of a link. It is sent and forgotten: a cookie comes back. */
export async function signIn(given: Shown): Promise<Session> {
  return (await (await send(SESSION, { method: 'POST', body: given })).json()) as Session
}

/** Whether the company's identity provider signs people in here. */
export async function hasCompany(signal?: AbortSignal): Promise<boolean> {
  return ((await (await send('/console/sign-in', { signal })).json()) as { readonly company: boolean }).company
}

/** Where a browser goes for that; it comes back signed in. */
export const COMPANY_SIGN_IN = '/console/company'

export async function signOut(): Promise<void> {
  await send(SESSION, { method: 'DELETE' })
}
