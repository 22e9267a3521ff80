import { generateKeyPairSync } from 'node:crypto'
import type { Provider } from 'oidc-provider'
import type { Keys } from '../access/keys.js'
import type { KeyRecord } from '../store/records/key.js'
import { type Addresses, GRANT_MS, OAUTH_PATHS, SCOPES } from './addresses.js'
import { isOfBrowser } from './browser-cookie.js'
import type { ClientDocuments } from './client-documents.js'
import type { Connections } from './connections.js'
import { backPage, onwardPage } from './pages.js'

const ACCESS_TOKEN_S = 15 * 60
const CODE_S = 60
const SIGN_IN_S = 10 * 60

interface AuthorizationServerParts {
  readonly addresses: Addresses
  readonly connections: Connections
  readonly keys: Pick<Keys, 'accepted'>
  /** Milliseconds that what is let in for a key holds. */
  readonly holdsMs: (key: KeyRecord) => number
  /** Clients that are known by a document, where there are such. */
  readonly documents?: ClientDocuments | undefined
  /** Signs the cookies of sign-ins under way. */
  readonly cookieSecret: string
  /** A page for what can't be told the client. */
  readonly errorPage: (sentence: string) => string
}

/** The authorization server of one public address. */
export type AuthorizationServer = Provider

/**
 * Builds an authorization server on oidc-provider, of whose abilities only those are on that clients of the Model Context
 * Protocol use: codes with PKCE, refresh tokens that change with each use, registration of public clients, tokens for one
 * endpoint each (RFC 8707). Its tokens are opaque and stand for a key; there are no identities.
 */
export async function authorizationServer({
  addresses,
  connections,
  keys,
  holdsMs,
  documents,
  cookieSecret,
  errorPage,
}: AuthorizationServerParts): Promise<AuthorizationServer> {
  const { default: OidcProvider, errors, interactionPolicy } = await import('oidc-provider')
  const off = { enabled: false } as const
  const policy = interactionPolicy.base()
  const grantSeconds = (keyId: string | undefined): number => {
    const key = keys.accepted(keyId ?? '')
    return key === undefined ? 1 : Math.floor(holdsMs(key) / 1_000)
  }
  const server = new OidcProvider(addresses.issuer, {
    adapter: kind => {
      const adapter = connections.adapter(kind)
      return {
        ...adapter,
        consume: async id => {
          if (!(await adapter.consume(id))) throw new errors.InvalidGrant('already consumed')
        },
      }
    },
    clients: [],
    // No id token is ever made; without a key of ours the library takes one that everybody knows.
    jwks: { keys: [{ ...newSigningKey(), use: 'sig', alg: 'ES256' }] },
    cookies: {
      keys: [cookieSecret],
      // Other names than the console's: a host's cookies are all its ports'.
      names: { session: 'earshot_oauth', interaction: 'earshot_sign_in', resume: 'earshot_resume' },
      short: { signed: true, httpOnly: true, sameSite: 'lax' },
      long: { signed: true, httpOnly: true, sameSite: 'lax' },
    },
    routes: { ...OAUTH_PATHS, jwks: '/oauth/keys', userinfo: '/oauth/userinfo', end_session: '/oauth/end' },
    // The library's own guard looks at an address when the connection is made; ours before.
    fetch: async address => {
      if (documents === undefined) throw new Error('nothing is fetched')
      return await documents.fetch(new Request(address).url)
    },
    responseTypes: ['code'],
    scopes: [...SCOPES],
    claims: {},
    clientAuthMethods: ['none'],
    clientDefaults: {
      // Clients that name none want both; a missing kind is a program's, whose loopback port is free (RFC 8252, 7.3).
      application_type: 'native',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      id_token_signed_response_alg: 'ES256',
    },
    enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
    pkce: { required: () => true },
    rotateRefreshToken: true,
    // There are no sessions: what was allowed holds by itself.
    expiresWithSession: async () => await Promise.resolve(false),
    issueRefreshToken: async (_context, client) => await Promise.resolve(client.grantTypeAllowed('refresh_token')),
    features: {
      devInteractions: off,
      userinfo: off,
      rpInitiatedLogout: off,
      requestObjects: off,
      claimsParameter: off,
      pushedAuthorizationRequests: off,
      dPoP: off,
      registration: {
        enabled: true,
        initialAccessToken: false,
        issueRegistrationAccessToken: false,
        idFactory: context => connections.clientIds.idOf(context.oidc.body),
      },
      revocation: { enabled: true },
      ...(documents !== undefined && {
        clientIdMetadataDocument: {
          enabled: true,
          ack: 'draft-02',
          allowFetch: async (_context, clientId) => await Promise.resolve(documents.allows(clientId)),
        },
      }),
      resourceIndicators: {
        enabled: true,
        defaultResource: async () => await Promise.resolve(addresses.of('/mcp')),
        useGrantedResource: async () => await Promise.resolve(true),
        getResourceServerInfo: async (_context, resource) => {
          const { resources } = addresses
          if (!resources.includes(resource))
            throw new errors.InvalidTarget(`resource must be ${resources.join(' or ')}, and one of them alone`)
          return await Promise.resolve({
            scope: 'calls',
            audience: resource,
            accessTokenTTL: ACCESS_TOKEN_S,
            accessTokenFormat: 'opaque' as const,
          })
        },
      },
    },
    ttl: {
      AccessToken: ACCESS_TOKEN_S,
      AuthorizationCode: CODE_S,
      Grant: (_context, { accountId }) => grantSeconds(accountId),
      IdToken: CODE_S,
      Interaction: SIGN_IN_S,
      RefreshToken: GRANT_MS / 1_000,
      Session: SIGN_IN_S,
    },
    findAccount: async (_context, keyId) => {
      if (keys.accepted(keyId) === undefined) return await Promise.resolve(undefined)
      return { accountId: keyId, claims: () => ({ sub: keyId }) }
    },
    loadExistingGrant: async context => {
      // What was allowed in this sign-in, and nothing from before; by this browser, of which the library knows no more than a cookie
      // that is as old as the sign-in.
      const { result, entities, provider } = context.oidc
      const { grantId } = result?.consent ?? {}
      const secret = result?.['browser']
      const signIn = entities.Interaction?.uid
      if (grantId === undefined || signIn === undefined || typeof secret !== 'string') return undefined
      if (!isOfBrowser(secret, signIn, context.req, addresses)) return undefined
      return await provider.Grant.find(grantId)
    },
    interactions: {
      policy,
      url: (_context, { uid }) => `${addresses.prefix}${OAUTH_PATHS.signIn}/${uid}`,
    },
    renderError: (context, { error, error_description: description }) => {
      context.type = 'html'
      context.body = errorPage(SENTENCES[error] ?? description ?? 'This sign-in can’t go on.')
    },
  })
  // Where a page stands in place of a redirect.
  server.use(async (context, next) => {
    await next()
    const address = context.response.get('location')
    if (!URL.canParse(address)) return
    const [status, page] = insteadOf(new URL(address), context.path) ?? []
    if (status === undefined) return
    context.remove('location')
    context.status = status
    context.type = 'html'
    context.body = page
  })
  // Where it is reached is ours to say, not a header's: whoever hands it a request has set both.
  server.proxy = true
  return server
}

/** What a person can do about what went wrong, by the error's standard name. */
const SENTENCES: Readonly<Record<string, string>> = {
  invalid_client:
    'This program is not known here (any more). Remove its connection to Earshot, with what it keeps of it, and add it again.',
  invalid_redirect_uri: 'The program wants the answer at an address that it did not register. Nothing was sent there.',
}

/** The page to show in place of a redirect, with its status, where there is one. @param asked the path */
function insteadOf(address: URL, asked: string): readonly [number, string] | undefined {
  const { protocol, href, searchParams, hash } = address
  // Why it can't begin, which is in the fragment where a token was asked for. Any site can register, and would be led to from here
  // unseen: nobody was asked yet (RFC 9700, 4.11.2).
  if (protocol === 'https:' && asked === OAUTH_PATHS.authorization) {
    const said = searchParams.has('error') ? searchParams : new URLSearchParams(hash.slice(1))
    return [
      400,
      backPage(address, said.get('error_description') ?? said.get('error') ?? 'it says nothing that is known'),
    ]
  }
  if (protocol === 'https:' || protocol === 'http:') return undefined
  // A browser may refuse to start a program by itself: then there is a link.
  return [200, onwardPage(href, 'Go back to your program; it goes on there. If it does not, follow the link.')]
}

function newSigningKey() {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' })
}
