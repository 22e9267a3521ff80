import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect } from 'vitest'
import { letIn } from './sign-in.js'

export const REDIRECT = 'http://127.0.0.1:9/callback'
export const VERIFIER = randomBytes(32).toString('base64url')

export interface Registered {
  readonly client_id: string
}

export interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
}

export const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } },
}

export const errorOf = async (response: Response) => ((await response.json()) as { error: string }).error

const resourceIn = ({ resource }: Readonly<Record<string, string>>): Record<string, string> =>
  resource === undefined ? {} : { resource }

/** Posts JSON from an address of this machine. */
export async function postFrom(localAddress: string, url: string, body: string): Promise<Response> {
  const sent = request(url, { method: 'POST', headers: { 'content-type': 'application/json' }, localAddress }).end(body)
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  return new Response(await text(answer), { status: answer.statusCode ?? 0 })
}

/**
 * A client that speaks OAuth by hand, so that it can do so wrongly.
 * @param base the tool server, as it is at each request
 * @param registersFrom the address of this machine that a registration comes from: of each there are not many a minute
 */
export function rawClient(base: () => string, registersFrom?: () => string) {
  const post = async (path: string, body: string | URLSearchParams, headers: Record<string, string> = {}) =>
    await fetch(`${base()}${path}`, { method: 'POST', body, headers })

  const register = async (metadata: object) => {
    const [path, body] = ['/oauth/register', JSON.stringify(metadata)]
    if (registersFrom !== undefined) return await postFrom(registersFrom(), `${base()}${path}`, body)
    return await post(path, body, { 'content-type': 'application/json' })
  }

  const newClient = async (redirect = REDIRECT) =>
    ((await (await register({ redirect_uris: [redirect], client_name: 'A client' })).json()) as Registered).client_id

  function authorizeUrl(clientId: string, more: Readonly<Record<string, string>> = {}): URL {
    const url = new URL('/oauth/authorize', base())
    const fields = {
      client_id: clientId,
      redirect_uri: REDIRECT,
      response_type: 'code',
      state: 's',
      code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
      code_challenge_method: 'S256',
      ...more,
    }
    for (const [name, value] of Object.entries(fields)) if (value !== '') url.searchParams.set(name, value)
    return url
  }

  const token = async (fields: Record<string, string>) => await post('/oauth/token', new URLSearchParams(fields))
  const redeem = async (clientId: string, answer: URL, more: Record<string, string> = {}) =>
    await token({
      grant_type: 'authorization_code',
      code: answer.searchParams.get('code') ?? '',
      client_id: clientId,
      redirect_uri: REDIRECT,
      code_verifier: VERIFIER,
      ...more,
    })
  const refresh = async (clientId: string, refreshToken: string, more: Record<string, string> = {}) =>
    await token({ grant_type: 'refresh_token', refresh_token: refreshToken, client_id: clientId, ...more })

  /** A client of the raw protocol that a key let in. */
  async function connected(key: string, more: Readonly<Record<string, string>> = {}) {
    const clientId = await newClient()
    const answer = await letIn(authorizeUrl(clientId, more), key)
    const response = await redeem(clientId, answer, resourceIn(more))
    expect(response.status).toBe(200)
    return { clientId, answer, tokens: (await response.json()) as Tokens }
  }

  const ask = async (accessToken: string, path = '/mcp') =>
    await post(path, JSON.stringify(initialize), {
      authorization: `Bearer ${accessToken}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    })

  return { post, register, newClient, authorizeUrl, redeem, refresh, connected, ask }
}
