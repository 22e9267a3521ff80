import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { decodeJwt, exportJWK, generateKeyPair, SignJWT } from 'jose'
import OidcProvider from 'oidc-provider'

export type IdClaims = Readonly<Record<string, unknown>>

export interface IdentityProvider {
  readonly issuer: string
  /** Whoever comes next is this, without being asked. */
  user: IdClaims & { readonly sub: string }
  /** Changes what an ID token says, before it is signed with the provider's own key. */
  twist: ((claims: IdClaims) => IdClaims) | undefined
  /** ID tokens are signed with a key that the provider does not have. */
  isForged: boolean
  /** What it answers at a path in place of its own; undefined: it breaks the connection off. */
  trouble:
    | { readonly at: string; readonly answer: { readonly status: number; readonly body: string } | undefined }
    | undefined
  /** Somebody signs out: tells whoever wants to hear of it. @param hears the address @throws when that does not answer 200 */
  signOut(sub: string, hears: string): Promise<void>
  /** A token of the provider's, or of somebody else's where it is forged. */
  sign(claims: IdClaims, header?: { readonly typ?: string; readonly kid?: string }): Promise<string>
  close(): Promise<void>
}

export const COMPANY_CLIENT = { client_id: 'earshot', client_secret: 'a secret of the company' } as const

/** A company's identity provider, on oidc-provider, at a free port of loopback. */
export async function startIdentityProvider(): Promise<IdentityProvider> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const { privateKey: anothers } = await generateKeyPair('RS256')
  const jwk = { ...(await exportJWK(privateKey)), kid: 'k', alg: 'RS256', use: 'sig' }
  const answers: { handle?: (req: IncomingMessage, res: ServerResponse) => Promise<void> } = {}
  const listener = createServer((req, res) => void answers.handle?.(req, res)).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const issuer = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`
  const state: Pick<IdentityProvider, 'user' | 'twist' | 'isForged' | 'trouble'> = {
    user: { sub: 'nobody' },
    twist: undefined,
    isForged: false,
    trouble: undefined,
  }
  const provider = new OidcProvider(issuer, {
    clients: [
      {
        ...COMPANY_CLIENT,
        application_type: 'native',
        redirect_uris: [
          'http://127.0.0.1/oauth/company',
          'http://127.0.0.1/console/company/back',
          'http://localhost/console/company/back',
        ],
      },
    ],
    jwks: { keys: [jwk] },
    cookies: { keys: ['of the tests'] },
    claims: { openid: ['sub', 'groups'], email: ['email', 'email_verified'], profile: ['name'] },
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
    // Its own refuses addresses of this machine.
    fetch: async (url, options = {}) => {
      const { dispatcher: _guard, ...plain } = options
      return await fetch(url, plain)
    },
    pkce: { required: () => true },
    ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 60, IdToken: 60, Interaction: 60, Session: 60 },
    findAccount: async (_context, sub) => ({ accountId: sub, claims: async () => ({ ...state.user, sub }) }),
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
  })
  const signIn = async (req: IncomingMessage, res: ServerResponse) => {
    const { params } = await provider.interactionDetails(req, res)
    const grant = new provider.Grant({ accountId: state.user.sub, clientId: String(params['client_id']) })
    grant.addOIDCScope(String(params['scope']))
    const consent = { grantId: await grant.save() }
    const result = { login: { accountId: state.user.sub, remember: false }, consent }
    await provider.interactionFinished(req, res, result, { mergeWithLastSubmission: false })
  }
  const twisted = (res: ServerResponse) => {
    const { twist = (claims: IdClaims) => claims, isForged } = state
    const end = res.end.bind(res)
    const resigned = async (text: string) => {
      const answer = JSON.parse(text) as { id_token?: string }
      if (answer.id_token === undefined) return text
      const claims = twist(decodeJwt(answer.id_token))
      const token = await new SignJWT(claims)
        .setProtectedHeader({ alg: 'RS256', kid: 'k' })
        .sign(isForged ? anothers : privateKey)
      return JSON.stringify({ ...answer, id_token: token })
    }
    res.end = ((text: string | Buffer) => {
      void resigned(String(text)).then(body => {
        res.setHeader('content-length', Buffer.byteLength(body))
        end(body)
      })
      return res
    }) as typeof res.end
  }
  answers.handle = async (req, res) => {
    if (req.url?.startsWith('/interaction/') === true) return await signIn(req, res)
    if (state.trouble !== undefined && req.url === state.trouble.at) {
      const { answer } = state.trouble
      if (answer === undefined) req.destroy()
      else res.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body)
      return
    }
    if (req.url === '/token') twisted(res)
    await provider.callback()(req, res)
  }
  return Object.assign(state, {
    issuer,
    signOut: async (sub: string, hears: string) => {
      const client = (await provider.Client.find(COMPANY_CLIENT.client_id))!
      Object.assign(client, { backchannelLogoutUri: hears, backchannelLogoutSessionRequired: true })
      await (client as unknown as { backchannelLogout: (sub: string, sid: string) => Promise<void> }).backchannelLogout(
        sub,
        'sid',
      )
    },
    sign: async (claims: IdClaims, header = {}) =>
      await new SignJWT(claims)
        .setProtectedHeader({ alg: 'RS256', kid: 'k', ...header })
        .sign(state.isForged ? anothers : privateKey),
    close: async () => {
      listener.close()
      listener.closeAllConnections()
      await once(listener, 'close')
    },
  })
}
